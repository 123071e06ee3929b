package modern

import (
	"encoding/json"
	"fmt"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func completion(s *kit.Section) {
	s.Check("modern.completion.declared", methodsProbe, completionDeclared)
	s.Passive("modern.completion.result-shape", completions, kit.Completions)
	s.Check("modern.completion.unknown-ref", wrongParams, func(t *kit.T) {
		t.Control("control", "control after")
		refused(t, "unknown reference")
		if t.IfSent("no argument") != nil {
			refused(t, "no argument")
		}
	}, kit.Completions)
}

// completionDeclared judges that who completes says so. How what is not declared is refused is one requirement for all methods.
func completionDeclared(t *kit.T) {
	const expected = "the capability completions declared, or " + expectedNotFound
	t.Says(expected)
	label := "undeclared " + judges.CompleteMethod
	if t.IfSent(label) == nil {
		t.NotApplicable("completions is declared, or what is declared is not known")
	}
	t.Control("control", "control after")
	x := t.Conclusive(label)
	switch values, ok := suggested(x); {
	case ok && len(values) > 0:
		t.Breach(x, expected, fmt.Sprintf("%d values, undeclared", len(values)))
	case processed(x):
		t.Warn(x, expected, "a result without values, undeclared")
	default:
		t.OK(x, "%s", kit.Describe(x))
	}
}

// completions judges every result of a completion, also one for what does not exist.
func completions(t *kit.T) {
	t.Says("completion.values, an array of at most 100 strings, with total an integer and hasMore a boolean if present")
	t.Unseen(kit.Unprovoked, "no request for a completion got a result")
	for _, x := range t.Exchanges() {
		if x.RequestMessage().Method != judges.CompleteMethod || !processed(x) {
			continue
		}
		answer, _ := x.Answer()
		if kit.JSONType(answer.Result) != "object" {
			continue // modern.jsonrpc.result-member reports it
		}
		if found := kit.Without(t.ResultShape(judges.CompleteMethod, answer.Result), "/result/_meta", "/result/resultType"); len(found) > 0 {
			expected, got := kit.Wording(found)
			t.Breach(x, expected, got)
			continue
		}
		values, _ := suggested(x)
		if len(values) > judges.MaxValues {
			t.Breach(x, fmt.Sprintf("at most %d values", judges.MaxValues), fmt.Sprintf("%d values", len(values)))
			continue
		}
		var total float64
		if answer.Decode("/result/completion/total", &total) == nil && total < float64(len(values)) {
			t.Warn(x, "a total not below the number of values", fmt.Sprintf("total %v beside %d values", total, len(values)))
			continue
		}
		t.OK(x, "completions have values that are strings, %d here", len(values))
	}
}

// refused judges the answer to a request for a completion that nothing can be found for.
func refused(t *kit.T, label string) {
	const expected = "JSON-RPC error -32602"
	x := t.Conclusive(label, gatewayless...)
	switch values, ok := suggested(x); {
	case ok && len(values) == 0:
		t.Says(expected)
		t.Note(x, "a request for a completion with %s gets an empty list, not error -32602", label)
	default:
		invalidParams(t, x, true)
	}
}

// suggested are the values in the result of a completion; false without an array of them.
func suggested(x *wire.Exchange) (values []json.RawMessage, ok bool) {
	answer, _ := x.Answer()
	return values, processed(x) && answer.Decode("/result/completion/values", &values) == nil && values != nil
}
