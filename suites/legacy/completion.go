package legacy

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func completion(s *kit.Section) {
	// In 2024-11-05 there is no capability for it: a server may complete all the same, and is asked on the off chance.
	complete := s.Script("completion/complete", kit.Shared, func(c *kit.C) {
		params, genuine := completionOf(c.Facts)
		if c.Facts.Capability("completions") != kit.Yes {
			if genuine && c.Before("2025-03-26") {
				resume(c, c.Call("complete", completeMethod, client.WithParams(params)))
			}
			return
		}
		control := func(label string) {
			if genuine {
				resume(c, c.Call(label, completeMethod, client.WithParams(params)))
				return
			}
			c.Safe(label)
		}
		control("complete")
		if c.Before("2025-03-26") {
			return
		}
		unknown := map[string]any{"type": "ref/prompt", "name": bogusName(c)}
		resume(c, c.Call("unknown reference", completeMethod, client.Broken("a reference to a prompt that does not exist"),
			client.WithParams(map[string]any{"ref": unknown, "argument": map[string]any{"name": "mcpcheck", "value": ""}})))
		reference := unknown
		if genuine {
			reference = params["ref"].(map[string]any)
		}
		resume(c, c.Call("without argument", completeMethod, client.Broken("without the parameter argument, which is required"),
			client.WithParams(map[string]any{"ref": reference})))
		control("complete after")
	})

	// A client that keeps to the handshake never asks for what was not declared.
	undeclared := s.Script("completion/undeclared", kit.Shared, func(c *kit.C) {
		if c.Facts.Capability("completions") != kit.No {
			return
		}
		params, genuine := completionOf(c.Facts)
		if !genuine {
			params = map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": bogusName(c)},
				"argument": map[string]any{"name": "mcpcheck", "value": ""}}
		}
		c.Safe("control")
		resume(c, c.Call("complete", completeMethod, client.WithParams(params),
			client.Broken("a request of a feature that the server did not declare")))
		c.Safe("control after")
	}, kit.Since("2025-03-26"))

	completionDeclared(s, complete, undeclared)
	completionAnswered(s, complete)
	completionValues(s, complete)
	completionErrors(s, complete, undeclared)
}

const completeMethod = "completion/complete"

func completionDeclared(s *kit.Section, complete, undeclared *kit.Script) {
	s.CheckAcross("completion.capability-declared", []*kit.Script{undeclared, complete}, func(t *kit.T) {
		demandReference(t)
		const expected = "no completions without the capability completions"
		t.Says("the capability completions where arguments are completed")
		if declares(t, "completions") {
			x := t.In(complete).Answered("complete")
			if values, ok := readCompletion(t, complete, x); !ok || values.Values == nil {
				t.Blocked("completion.answered", "completions is declared, and whether arguments are completed could not be seen: "+kit.Describe(x))
			}
			t.OK(x, "completions is declared, and arguments are completed")
			return
		}
		t.Control("control", "control after")
		x := t.Conclusive("complete")
		found, answered := readCompletion(t, undeclared, x)
		switch {
		case len(found.Values) > 0:
			t.Breach(x, expected, fmt.Sprintf("completions is not declared, and there are %d of them", len(found.Values)))
		case answered && found.Kind == wire.KindResult && found.Values != nil:
			t.Note(x, "completions is not declared, and %s is answered all the same, without values", completeMethod)
		case answered && found.Kind == wire.KindError, !answered && x.Status()/100 == 4:
			t.OK(x, "completions is not declared, and there are none: %s", kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "the answer is neither an error nor a completion: %s", kit.Describe(x))
		}
	})
}

func completionAnswered(s *kit.Section, complete *kit.Script) {
	s.Check("completion.answered", complete, func(t *kit.T) {
		const expected = "completion.values, an array of strings, with total an integer and hasMore a boolean if present"
		t.Says(expected)
		x := demandCompletion(t)
		answer, answered := readCompletion(t, complete, x)
		code, _ := answer.ErrorCode()
		isError := answered && answer.Kind == wire.KindError
		declared := t.Facts().Capability("completions") == kit.Yes
		switch {
		case isError && code == judges.CodeMethodNotFound && declared:
			t.BreachAt(answer.Seen, expected, "completions is declared, and the method is not found")
		case isError && !declared:
			t.NotApplicable("the server completes no arguments: %s", kit.DescribeMessage(answer.Message))
		case isError:
			t.NotObservedAt(kit.TurnedAway, x, "the request for a completion is refused for another reason than the method: %s", kit.Describe(x))
		case !answered:
			t.NotObservedAt(kit.Inconclusive, x, "the request for a completion got no answer: %s", kit.Describe(x))
		}
		found, _ := t.Schema().Result(completeMethod, answer.Result)
		if found = kit.Without(found, "/result/_meta"); len(found) > 0 {
			expected, got := kit.Wording(found)
			t.BreachAt(answer.Seen, expected, got)
			return
		}
		t.OK(answer.Exchange, "an argument is completed: %d values", len(answer.Values))
	})
}

func completionValues(s *kit.Section, complete *kit.Script) {
	s.Check("completion.max-values", complete, func(t *kit.T) {
		const expected = "at most 100 values"
		t.Says(expected)
		answer := demandValues(t, complete)
		if n := len(answer.Values); n > maxValues {
			t.BreachAt(answer.Seen, expected, fmt.Sprintf("%d values", n))
			return
		}
		t.OK(answer.Exchange, "%d values", len(answer.Values))
	})

	s.Check("completion.has-more", complete, func(t *kit.T) {
		t.Says("a total not below the number of values, and hasMore not false where total is greater")
		answer := demandValues(t, complete)
		var total float64
		var more bool
		rawTotal, _ := answer.Pointer("/result/completion/total")
		rawMore, _ := answer.Pointer("/result/completion/hasMore")
		counted := kit.JSONType(rawTotal) == "number" && json.Unmarshal(rawTotal, &total) == nil
		told := kit.JSONType(rawMore) == "boolean" && json.Unmarshal(rawMore, &more) == nil
		n := len(answer.Values)
		switch {
		case !counted && !told:
			t.NotApplicable("the completion has neither total nor hasMore, which are optional")
		case counted && total < float64(n):
			t.WarnAt(answer.Seen, "a total not below the number of values", fmt.Sprintf("total %s beside %d values", kit.JSON(rawTotal), n))
		case counted && told && !more && total > float64(n):
			t.WarnAt(answer.Seen, "hasMore true where total is above the number of values",
				fmt.Sprintf("hasMore false beside %d values of a total of %s", n, kit.JSON(rawTotal)))
		default:
			t.OK(answer.Exchange, "%d values beside total %s and hasMore %s", n, kit.JSON(rawTotal), kit.JSON(rawMore))
		}
	})
}

// maxValues is how many values a completion may have.
const maxValues = 100

func completionErrors(s *kit.Section, complete, undeclared *kit.Script) {
	s.Check("completion.unknown-ref", complete, func(t *kit.T) {
		t.Control("complete", "complete after")
		judges.InvalidParams(t, t.Conclusive("unknown reference"), "the request with an unknown reference")
	}, kit.Completions)

	s.Check("completion.missing-arguments", complete, func(t *kit.T) {
		t.Control("complete", "complete after")
		judges.InvalidParams(t, t.Conclusive("without argument"), "the request without argument")
	}, kit.Completions)

	s.Check("completion.not-supported", undeclared, func(t *kit.T) {
		if declares(t, "completions") {
			t.NotApplicable("the server declares completions")
		}
		t.Control("control", "control after")
		const expected = "JSON-RPC error -32601"
		t.Says(expected)
		x := t.Conclusive("complete")
		found, answered := readCompletion(t, undeclared, x)
		code, _ := found.ErrorCode()
		switch {
		case answered && found.Kind == wire.KindError && code == judges.CodeMethodNotFound:
			t.OK(found.Exchange, "%s", kit.DescribeMessage(found.Message))
		case answered && found.Kind == wire.KindError:
			t.WarnAt(found.Seen, expected, kit.DescribeMessage(found.Message))
		case len(found.Values) > 0:
			t.Blocked("completion.capability-declared", "arguments are completed although completions is not declared")
		case answered && found.Values != nil:
			t.WarnAt(found.Seen, expected, "a completion without values")
		case !answered && x.Status()/100 == 4:
			t.Warn(x, expected, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "the answer is neither an error nor a completion: %s", kit.Describe(x))
		}
	})

	s.Passive("completion.internal-error", func(t *kit.T) {
		judges.InternalFailures(t, completeMethod)
	}, kit.Completions)
}

// completionOf returns the params that ask for the first argument of the first prompt that has one, or else for the first variable of
// the first template; false where there is neither.
func completionOf(f *kit.Facts) (params map[string]any, ok bool) {
	for _, p := range f.Prompts {
		for _, argument := range p.Arguments {
			if argument != "" {
				return completionParams(map[string]any{"type": "ref/prompt", "name": p.Name}, argument), true
			}
		}
	}
	for _, template := range f.Templates {
		if variable := firstVariable(template); variable != "" {
			return completionParams(map[string]any{"type": "ref/resource", "uri": template}, variable), true
		}
	}
	return nil, false
}

func completionParams(ref map[string]any, argument string) map[string]any {
	return map[string]any{"ref": ref, "argument": map[string]any{"name": argument, "value": ""}}
}

// firstVariable returns the name of the first variable of a URI template (RFC 6570), "" where none can be made out: in {?q,page*} it
// is q.
func firstVariable(template string) string {
	_, rest, opened := strings.Cut(template, "{")
	expression, _, closed := strings.Cut(rest, "}")
	if !opened || !closed {
		return ""
	}
	expression = strings.TrimLeft(expression, "+#./;?&")
	end := strings.IndexAny(expression, ",:*")
	if end >= 0 {
		expression = expression[:end]
	}
	return strings.TrimSpace(expression)
}

// declares tells whether the server declared a capability; where that cannot be read there is nothing to judge.
func declares(t *kit.T, capability string) bool {
	fact := t.Facts().Capability(capability)
	if fact == kit.Unknown {
		t.Blocked("lifecycle.initialize.shape", "the declared capabilities could not be read")
	}
	return fact == kit.Yes
}

// demandReference demands something that could be completed.
func demandReference(t *kit.T) {
	if _, ok := completionOf(t.Facts()); !ok {
		t.NotApplicable("there is nothing to complete: no prompt with an argument and no resource template is listed")
	}
}

// demandCompletion returns the genuine request for a completion, or stops where the server does not complete.
func demandCompletion(t *kit.T) *wire.Exchange {
	if !declares(t, "completions") && t.Since("2025-03-26") {
		t.NotApplicable("the server does not declare completions")
	}
	demandReference(t)
	return t.Conclusive("complete")
}

// demandValues returns a completion whose values could be read.
func demandValues(t *kit.T, complete *kit.Script) completionAnswer {
	x := demandCompletion(t)
	answer, answered := readCompletion(t, complete, x)
	if answered && answer.Kind == wire.KindError && t.Facts().Capability("completions") == kit.No {
		t.NotApplicable("the server completes no arguments: %s", kit.DescribeMessage(answer.Message))
	}
	if !answered || answer.Values == nil {
		t.Blocked("completion.answered", "there are no values to look at: "+kit.Describe(x))
	}
	return answer
}

// A completionAnswer is the answer to a request for a completion.
type completionAnswer struct {
	kit.Seen
	// Values are nil where they are no array.
	Values []json.RawMessage
}

// readCompletion reads the answer to a request of a script; false without one.
func readCompletion(t *kit.T, script *kit.Script, x *wire.Exchange) (completionAnswer, bool) {
	seen, ok := judges.AnswerIn(t, t.In(script).Transcript(), x)
	a := completionAnswer{Seen: seen}
	raw, _ := a.Pointer("/result/completion/values")
	if kit.JSONType(raw) == "array" && json.Unmarshal(raw, &a.Values) != nil {
		a.Values = nil
	}
	return a, ok
}
