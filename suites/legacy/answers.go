package legacy

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func answerIn(t *kit.T, tr *wire.Transcript, x *wire.Exchange) (kit.Seen, bool) {
	if seen, ok := answerTo(t, tr, x); ok {
		return seen, true
	}
	m, ok := x.Answer()
	return kit.Seen{Located: wire.Located{Message: m, Event: -1, Batch: -1}, Exchange: x, Transcript: tr}, ok
}

// answerOf finds the answer to a request of the check's script, answerIn that of another: its own, or one that a resumption brought.
func answerOf(t *kit.T, x *wire.Exchange) (kit.Seen, bool) { return answerIn(t, t.Transcript(), x) }

// judgeEmpty warns of members in a result that should have none.
func judgeEmpty(t *kit.T, x *wire.Exchange, answer wire.Message, expected string) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(answer.Result, &members)
	delete(members, "_meta")
	if names := slices.Sorted(maps.Keys(members)); len(names) > 0 {
		t.Warn(x, expected, "a result with the members "+strings.Join(names, ", "))
		return
	}
	t.OK(x, "an empty result")
}

// judgeInternal looks at the errors in answer to some methods, whatever was asked.
func judgeInternal(t *kit.T, methods ...string) {
	t.Says("internal failures under the code -32603")
	t.Unseen(kit.Unprovoked, "no error in answer to %s speaks of an internal failure", kit.Or(methods...))
	told := map[int64]bool{}
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			if !slices.Contains(methods, x.RequestMessage().Method) {
				continue
			}
			m, ok := answerIn(t, tr, x)
			code, integer := m.ErrorCode()
			switch {
			case !ok || m.Kind != wire.KindError || !integer:
			case code == codeInternalError:
				// In answer to a wrong request the code is a wrong one itself, and shows nothing of failures.
				if x.Broken == "" {
					t.OK(m.Exchange, "an internal failure has its code: %s", kit.DescribeMessage(m.Message))
				}
			case internalFailure.MatchString(m.ErrorMessage()) && !told[code]:
				told[code] = true
				t.NoteAt(m, "an error speaks of an internal failure under another code than -32603: %s", kit.DescribeMessage(m.Message))
			}
		}
	}
}

// judgeInvalidParams judges the answer to a request that should be refused with -32602.
func judgeInvalidParams(t *kit.T, x *wire.Exchange, what string) {
	const expected = "JSON-RPC error -32602"
	t.Says(expected)
	answer, answered := answerOf(t, x)
	code, _ := answer.ErrorCode()
	switch {
	case answered && answer.Kind == wire.KindError && code == codeInvalidParams:
		t.OK(answer.Exchange, "%s", kit.DescribeMessage(answer.Message))
	case answered && answer.Kind == wire.KindError:
		t.WarnAt(answer, expected, kit.DescribeMessage(answer.Message))
	case answered:
		t.WarnAt(answer, expected, "a result, as if nothing were wrong")
	case x.Status()/100 == 4:
		t.Warn(x, expected, kit.Describe(x))
	default:
		t.NotObservedAt(kit.Inconclusive, x, "%s got no answer: %s", what, kit.Describe(x))
	}
}

// internalFailure matches errors that speak of a failure inside the server. The word alone may be part of somebody's name.
var internalFailure = regexp.MustCompile(`(?i)\binternal(\s+\w+)?\s+(error|failure|fault|exception|problem)\b`)
