package catalogue

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The words that testable may start with. The last two are followed by a text in parentheses.
const (
	testableYes     = "yes"
	testablePassive = "passive"
	testableWith    = "with-capability"
	testableNo      = "no"
)

// splitTestable takes a testable value apart: the word, and the text in parentheses. It reports whether the value has
// one of the four forms.
func splitTestable(s string) (word, text string, ok bool) {
	word, rest, found := strings.Cut(s, " ")
	switch word {
	case testableYes, testablePassive:
		return word, "", !found
	case testableWith, testableNo:
		text, opened := strings.CutPrefix(rest, "(")
		text, closed := strings.CutSuffix(text, ")")
		return word, text, opened && closed && strings.TrimSpace(text) != ""
	}
	return word, "", false
}

// Passive reports whether the entry is judged over the traffic that other probes cause.
func (e Entry) Passive() bool { return e.Testable == testablePassive }

// Needs returns what must be there before the entry can be judged, such as "sessions, DELETE not 405"; "" if nothing.
func (e Entry) Needs() string {
	if word, text, ok := splitTestable(e.Testable); ok && word == testableWith {
		return text
	}
	return ""
}

// Untestable reports whether nothing on the wire can judge the entry, and the reason as a sentence.
func (e Entry) Untestable() (reason string, ok bool) {
	word, text, valid := splitTestable(e.Testable)
	if !valid || word != testableNo {
		return "", false
	}
	if e.Reason != "" {
		return e.Reason, true
	}
	return sentence(text), true
}

// sentence gives a text its capital and its full stop.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	// A name such as mcpcheck or server/discover would be spoiled by a capital; those entries have a reason.
	s = string(unicode.ToUpper(first)) + s[size:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}
