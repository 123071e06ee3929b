package judges

import (
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ChallengeMetadata judges the address of a document in the Bearer challenge.
func ChallengeMetadata(t *kit.T, refused func(*kit.T) (*wire.Exchange, Challenge)) {
	x, c := refused(t)
	const expected = "resource_metadata with an absolute http(s) URL in the Bearer challenge"
	t.Says(expected)
	named, present := c.Parameters["resource_metadata"]
	_, absolute := AbsoluteURL(named)
	switch {
	case absolute:
		t.OK(x, "the challenge names %s", named)
	case t.Since("2025-11-25") && !present:
		t.Note(x, "the challenge names no metadata document; clients have to try well-known addresses")
	case t.Since("2025-11-25"):
		t.Note(x, "resource_metadata of the challenge is no absolute URL: %s", kit.Quote([]byte(named)))
	case !present:
		t.Breach(x, expected, "a challenge without it")
	default:
		t.Breach(x, expected, "resource_metadata="+kit.Quote([]byte(named)))
	}
}

// ChallengeScope judges the scope in the Bearer challenge.
func ChallengeScope(t *kit.T, refused func(*kit.T) (*wire.Exchange, Challenge)) {
	x, c := refused(t)
	const expected = "scope in the Bearer challenge"
	t.Says(expected)
	if scope := strings.TrimSpace(c.Parameters["scope"]); scope != "" {
		t.OK(x, "the challenge names the scope %s", kit.Quote([]byte(scope)))
		return
	}
	t.Breach(x, expected, "a challenge without it")
}

// A Challenge is one element of WWW-Authenticate (RFC 9110, section 11.6.1). Names are in lower case.
type Challenge struct {
	Scheme     string
	Parameters map[string]string
	// Twice are the names that came with different values; the first counts here.
	Twice []string
}

// Bearer returns the Bearer challenge of an answer; the parameters of several are put together, the first of each name counts.
func Bearer(x *wire.Exchange) (Challenge, bool) {
	found := Challenge{Scheme: "bearer", Parameters: map[string]string{}}
	ok := false
	if x == nil || x.Response == nil {
		return found, false // it was not sent, or not answered
	}
	for _, c := range challenges(strings.Join(x.Response.Header.Values("WWW-Authenticate"), ", ")) {
		if c.Scheme != "bearer" {
			continue
		}
		ok = true
		found.Twice = append(found.Twice, c.Twice...)
		for name, value := range c.Parameters {
			switch before, set := found.Parameters[name]; {
			case !set:
				found.Parameters[name] = value
			case before != value:
				found.Twice = append(found.Twice, name)
			}
		}
	}
	return found, ok
}

// challenges reads a header value. It is lenient: values without quotes may hold anything but commas and white space, and what cannot
// be read is skipped to the next comma.
func challenges(value string) []Challenge {
	var all []Challenge
	s := scanner(value)
	for {
		s.skip(" \t,")
		if s == "" {
			return all
		}
		word := s.until(" \t,=")
		s.skip(" \t")
		if s.take("=") {
			s.skip(" \t")
			parameter := s.value()
			if len(all) > 0 {
				last := &all[len(all)-1]
				switch name := strings.ToLower(word); {
				case last.Parameters[name] == "":
					last.Parameters[name] = parameter
				case last.Parameters[name] != parameter:
					last.Twice = append(last.Twice, name)
				}
			}
			continue
		}
		all = append(all, Challenge{Scheme: strings.ToLower(word), Parameters: map[string]string{}})
		s.token68()
	}
}

// A scanner is the rest of a header value.
type scanner string

func (s *scanner) skip(cutset string) { *s = scanner(strings.TrimLeft(string(*s), cutset)) }

func (s *scanner) until(stops string) string {
	end := strings.IndexAny(string(*s), stops)
	if end < 0 {
		end = len(*s)
	}
	word := string((*s)[:end])
	*s = (*s)[end:]
	return word
}

func (s *scanner) take(prefix string) bool {
	rest, ok := strings.CutPrefix(string(*s), prefix)
	*s = scanner(rest)
	return ok
}

// value reads a quoted string or a bare word.
func (s *scanner) value() string {
	if !s.take(`"`) {
		return s.until(" \t,")
	}
	var b strings.Builder
	for i := 0; i < len(*s); i++ {
		switch c := (*s)[i]; {
		case c == '"':
			*s = (*s)[i+1:]
			return b.String()
		case c == '\\' && i+1 < len(*s):
			i++
			b.WriteByte((*s)[i])
		default:
			b.WriteByte(c)
		}
	}
	*s = ""
	return b.String()
}

// token68 skips the text that some schemes have in place of parameters, such as Negotiate: one word that ends the challenge.
func (s *scanner) token68() {
	rest := *s
	word := strings.TrimRight(rest.until(" \t,"), "=")
	rest.skip(" \t")
	if !strings.ContainsAny(word, `="`) && (rest == "" || rest[0] == ',') {
		*s = rest
	}
}
