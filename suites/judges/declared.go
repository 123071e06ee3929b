package judges

import (
	"regexp"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// speaksOfMethod matches the message of an error that says it is the method which is not there.
var speaksOfMethod = regexp.MustCompile(`(?i)\bmethod\b`)

// unserved finds the first request for a method that was turned away as unknown, where none was answered otherwise: it is the method that
// is not there, and no name or URI. Where only requests for things that do not exist were sent, the error has to say so.
func unserved(t *kit.T, method string) (first kit.Seen, missing bool) {
	said := false
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			if x.RequestMessage().Method != method {
				continue
			}
			answer, answered := AnswerTo(t, tr, x)
			code, _ := answer.ErrorCode()
			switch {
			// What is wrong with headers, version or capabilities is noticed before the method is looked up.
			case !answered, t.Since(stateless) && code <= -32020 && code >= -32022:
				continue
			case code != CodeMethodNotFound:
				return kit.Seen{}, false
			case first.Exchange == nil:
				first = answer
			}
			said = said || x.Broken == "" || saysMethod(x, answer.ErrorMessage())
		}
	}
	return first, said
}

// saysMethod tells that the message of an error speaks of a method, and not of the name or URI that was asked for.
func saysMethod(x *wire.Exchange, message string) bool {
	for _, member := range []string{"/params/name", "/params/uri", "/params/ref/name"} {
		var asked string
		if _ = x.RequestMessage().Decode(member, &asked); asked != "" && strings.Contains(message, asked) {
			return false
		}
	}
	return speaksOfMethod.MatchString(message)
}

// DeclaredServed judges that a method of a declared feature is there at all.
func DeclaredServed(t *kit.T, capability, method, expected string) {
	if answer, missing := unserved(t, method); missing && t.Facts().Capability(capability) == kit.Yes {
		t.Kind("not served")
		t.BreachAt(answer, expected, capability+" is declared, and "+method+" is not found: "+kit.DescribeMessage(answer.Message))
	}
}

// DemandServed ends a judgement of how a method refuses something, where the method is not there at all. The id is that of the requirement
// which reports that.
func DemandServed(t *kit.T, method, reported string) {
	if answer, missing := unserved(t, method); missing {
		t.Blocked(reported, method+" is not served at all: "+kit.DescribeMessage(answer.Message), answer.Exchange)
	}
}
