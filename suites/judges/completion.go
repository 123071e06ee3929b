package judges

import (
	"encoding/json"
	"fmt"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// CompletionShape judges the answer to a genuine request for a completion.
func CompletionShape(t *kit.T, complete *kit.Script, genuine func(*kit.T) *wire.Exchange) {
	const expected = "completion.values, an array of strings, with total an integer and hasMore a boolean if present"
	t.Says(expected)
	x := genuine(t)
	answer, answered := ReadCompletion(t, complete, x)
	code, _ := answer.ErrorCode()
	isError := answer.Kind == wire.KindError
	declared := t.Facts().Capability("completions") == kit.Yes
	switch {
	case code == CodeMethodNotFound && declared:
		t.Kind("not served")
		t.BreachAt(answer.Seen, expected, "completions is declared, and "+CompleteMethod+" is not found: "+kit.DescribeMessage(answer.Message))
	case isError && !declared:
		t.NotApplicable("the server completes no arguments: %s", kit.DescribeMessage(answer.Message))
	case isError:
		t.NotObservedAt(kit.TurnedAway, x, "the request for a completion is refused for another reason than the method: %s", kit.Describe(x))
	case !answered:
		t.NotObservedAt(kit.Inconclusive, x, "the request for a completion got no answer: %s", kit.Describe(x))
	}
	found := t.ResultShape(CompleteMethod, answer.Result)
	if found = kit.Without(found, "/result/_meta"); len(found) > 0 {
		expected, got := kit.Wording(found)
		t.BreachAt(answer.Seen, expected, got)
		return
	}
	t.OK(answer.Exchange, "an argument is completed: %d values", len(answer.Values))
}

// CompletionLength judges how many values a completion has.
func CompletionLength(t *kit.T, values func(t *kit.T) CompletionAnswer) {
	const expected = "at most 100 values"
	t.Says(expected)
	answer := values(t)
	if n := len(answer.Values); n > MaxValues {
		t.BreachAt(answer.Seen, expected, fmt.Sprintf("%d values", n))
		return
	}
	t.OK(answer.Exchange, "%d values", len(answer.Values))
}

// CompletionTotals judges total and hasMore by the values beside them.
func CompletionTotals(t *kit.T, values func(t *kit.T) CompletionAnswer) {
	t.Says("a total not below the number of values, and hasMore not false where total is greater")
	answer := values(t)
	var total float64
	var more bool
	rawTotal, _ := answer.Pointer("/result/completion/total")
	rawMore, _ := answer.Pointer("/result/completion/hasMore")
	counted := kit.JSONType(rawTotal) == "number" && json.Unmarshal(rawTotal, &total) == nil
	told := kit.JSONType(rawMore) == "boolean"
	_ = json.Unmarshal(rawMore, &more)
	n := len(answer.Values)
	switch {
	case !counted && !told:
		t.NotApplicable("the completion has neither total nor hasMore, which are optional")
	case counted && total < float64(n):
		t.WarnAt(answer.Seen, "a total not below the number of values", fmt.Sprintf("total %s beside %d values", kit.JSON(rawTotal), n))
	case told && !more && total > float64(n):
		t.WarnAt(answer.Seen, "hasMore true where total is above the number of values",
			fmt.Sprintf("hasMore false beside %d values of a total of %s", n, kit.JSON(rawTotal)))
	default:
		t.OK(answer.Exchange, "%d values beside total %s and hasMore %s", n, kit.JSON(rawTotal), kit.JSON(rawMore))
	}
}

// CompletionRefused judges how a server that completes nothing refuses. The id is that of the requirement which reports one that
// completes all the same.
func CompletionRefused(t *kit.T, undeclared *kit.Script, label, reported string) {
	const expected = "JSON-RPC error -32601"
	t.Says(expected)
	x := t.Conclusive(label)
	found, answered := ReadCompletion(t, undeclared, x)
	code, _ := found.ErrorCode()
	switch {
	case code == CodeMethodNotFound:
		t.OK(found.Exchange, "%s", kit.DescribeMessage(found.Message))
	case found.Kind == wire.KindError:
		t.WarnAt(found.Seen, expected, kit.DescribeMessage(found.Message))
	case len(found.Values) > 0:
		t.Blocked(reported, "arguments are completed although completions is not declared")
	case found.Values != nil:
		t.WarnAt(found.Seen, expected, "a completion without values")
	case !answered && x.Status()/100 == 4:
		t.Warn(x, expected, kit.Describe(x))
	default:
		t.NotObservedAt(kit.Inconclusive, x, "the answer is neither an error nor a completion: %s", kit.Describe(x))
	}
}

// MaxValues is how many values a completion may have.
const MaxValues = 100

// CompleteMethod asks for a completion.
const CompleteMethod = "completion/complete"

// A CompletionAnswer is the answer to a request for a completion.
type CompletionAnswer struct {
	kit.Seen
	// Values are nil where they are no array.
	Values []json.RawMessage
}

// ReadCompletion reads the answer to a request of a script; false without one.
func ReadCompletion(t *kit.T, script *kit.Script, x *wire.Exchange) (CompletionAnswer, bool) {
	seen, ok := AnswerIn(t, t.In(script).Transcript(), x)
	a := CompletionAnswer{Seen: seen}
	raw, _ := a.Pointer("/result/completion/values")
	_ = json.Unmarshal(raw, &a.Values)
	return a, ok
}
