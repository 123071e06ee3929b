package tables

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// Said is what a row says of its conversations: the verdict, and for not-observed why.
type Said struct {
	// Is is the verdict, with the cause in brackets where there is one: "not-observed (refused)"; or with the kind of the first breach, which
	// decides what a report says of why it matters.
	Is string
	// Says is the message.
	Says string
}

// SaidOf is what a row says that gives this result.
func SaidOf(r kit.Result) Said {
	s := Said{Is: string(r.Verdict), Says: r.Message}
	switch {
	case r.Cause == kit.Blocked:
		s.Is += fmt.Sprintf(" (%s by %s: %s)", r.Cause, r.BlockedBy, r.Class)
	case len(r.Findings) > 0 && r.Findings[0].Kind != "":
		s.Is += fmt.Sprintf(" (%s)", r.Findings[0].Kind)
	case r.Cause != "":
		s.Is += fmt.Sprintf(" (%s)", r.Cause)
	}
	if r.Verdict == kit.Error {
		// What follows is where in the source it happened.
		s.Says, _, _ = strings.Cut(s.Says, "\n")
	}
	return s
}

func (s *Said) read(name, text string) error {
	if strings.HasPrefix(text, `"`) && strings.HasSuffix(text, `"`) {
		if u, err := strconv.Unquote(text); err == nil && quoted(u) == text {
			text = u
		}
	}
	into := &s.Is
	if name == "says" {
		into = &s.Says
	}
	if *into != "" {
		return errors.New("it is said twice")
	}
	*into = text
	return nil
}

// lines are the two lines of a row.
func (s Said) lines() string {
	return strings.TrimRight("is: "+s.Is, " ") + "\n" + strings.TrimRight("says: "+quoted(s.Says), " ") + "\n"
}

// quoted is a value that stands on one line.
func quoted(s string) string {
	if strings.TrimSpace(s) != s || strconv.Quote(s) != `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)+`"` {
		return strconv.Quote(s)
	}
	return s
}

// update returns the text of the row with what it says now ahead of all else but comments.
func (r *Row) update(text string) string {
	var head, rest strings.Builder
	inHead := true
	for l := range strings.Lines(text) {
		switch {
		case inHead && (strings.HasPrefix(l, "is:") || strings.HasPrefix(l, "says:")):
		case inHead && strings.HasPrefix(l, "#") && rest.Len() == 0:
			head.WriteString(l)
		default:
			inHead = inHead && !strings.HasPrefix(l, "script:")
			rest.WriteString(l)
		}
	}
	return head.String() + r.Said.lines() + rest.String()
}
