package legacy

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func completion(s *kit.Section) {
	// In 2024-11-05 there is no capability for it: a server may complete all the same, and is asked on the off chance.
	complete := s.Script("completion/complete", kit.Shared, func(c *kit.C) {
		params, genuine := c.Facts.Completable()
		if c.Facts.Capability("completions") != kit.Yes {
			if genuine && c.Before("2025-03-26") {
				resume(c, c.Call("complete", judges.CompleteMethod, client.WithParams(params)))
			}
			return
		}
		control := func(label string) {
			if genuine {
				resume(c, c.Call(label, judges.CompleteMethod, client.WithParams(params)))
				return
			}
			c.Safe(label)
		}
		control("complete")
		if c.Before("2025-03-26") {
			return
		}
		unknown := map[string]any{"type": "ref/prompt", "name": c.BogusName()}
		resume(c, c.Call("unknown reference", judges.CompleteMethod, client.Broken("a reference to a prompt that does not exist"),
			client.WithParams(map[string]any{"ref": unknown, "argument": map[string]any{"name": "mcpcheck", "value": ""}})))
		reference := unknown
		if genuine {
			reference = params["ref"].(map[string]any)
		}
		resume(c, c.Call("without argument", judges.CompleteMethod, client.Broken("without the parameter argument, which is required"),
			client.WithParams(map[string]any{"ref": reference})))
		control("complete after")
	})

	// A client that keeps to the handshake never asks for what was not declared.
	undeclared := s.Script("completion/undeclared", kit.Shared, func(c *kit.C) {
		if c.Facts.Capability("completions") != kit.No {
			return
		}
		params, genuine := c.Facts.Completable()
		if !genuine {
			params = map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": c.BogusName()},
				"argument": map[string]any{"name": "mcpcheck", "value": ""}}
		}
		c.SafeControl("control")
		resume(c, c.Call("complete", judges.CompleteMethod, client.WithParams(params),
			client.Broken("a request of a feature that the server did not declare")))
		c.Safe("control after")
	}, kit.Since("2025-03-26"))

	completionDeclared(s, complete, undeclared)
	completionAnswered(s, complete)
	completionValues(s, complete)
	completionErrors(s, complete, undeclared)
}

func completionDeclared(s *kit.Section, complete, undeclared *kit.Script) {
	s.CheckAcross("completion.capability-declared", []*kit.Script{undeclared, complete}, func(t *kit.T) {
		demandReference(t)
		const expected = "no completions without the capability completions"
		t.Says("the capability completions where arguments are completed")
		if declares(t, "completions") {
			x := t.In(complete).Answered("complete")
			if answer, _ := judges.ReadCompletion(t, complete, x); answer.Values == nil {
				t.Blocked("completion.answered", "completions is declared, and whether arguments are completed could not be seen: "+kit.Describe(x))
			}
			t.OK(x, "completions is declared, and arguments are completed")
			return
		}
		t.Control("control", "control after")
		x := t.Conclusive("complete")
		found, answered := judges.ReadCompletion(t, undeclared, x)
		switch {
		case len(found.Values) > 0:
			t.Breach(x, expected, fmt.Sprintf("completions is not declared, and there are %d of them", len(found.Values)))
		case found.Values != nil:
			t.Note(x, "completions is not declared, and %s is answered all the same, without values", judges.CompleteMethod)
		case found.Kind == wire.KindError, !answered && x.Status()/100 == 4:
			t.OK(x, "completions is not declared, and there are none: %s", kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "the answer is neither an error nor a completion: %s", kit.Describe(x))
		}
	})
}

func completionAnswered(s *kit.Section, complete *kit.Script) {
	s.Check("completion.answered", complete, func(t *kit.T) { judges.CompletionShape(t, complete, demandCompletion) })
}

func completionValues(s *kit.Section, complete *kit.Script) {
	values := func(t *kit.T) judges.CompletionAnswer { return demandValues(t, complete) }
	s.Check("completion.max-values", complete, func(t *kit.T) { judges.CompletionLength(t, values) })

	s.Check("completion.has-more", complete, func(t *kit.T) { judges.CompletionTotals(t, values) })
}

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
		judges.CompletionRefused(t, undeclared, "complete", "completion.capability-declared")
	})

	s.Passive("completion.internal-error", func(t *kit.T) {
		judges.InternalFailures(t, judges.CompleteMethod)
	}, kit.Completions)
}

// declares tells whether the server declared a capability; where that cannot be read there is nothing to judge.
func declares(t *kit.T, capability string) bool {
	fact := t.Facts().Capability(capability)
	if fact == kit.Unknown {
		t.Blocked("lifecycle.initialize.capabilities", "the declared capabilities could not be read")
	}
	return fact == kit.Yes
}

// demandReference demands something that could be completed.
func demandReference(t *kit.T) {
	if _, ok := t.Facts().Completable(); !ok {
		t.Unlisted(judges.ListCompletable, "there is nothing to complete: no prompt with an argument and no resource template is listed")
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
func demandValues(t *kit.T, complete *kit.Script) judges.CompletionAnswer {
	x := demandCompletion(t)
	answer, _ := judges.ReadCompletion(t, complete, x)
	if answer.Kind == wire.KindError && t.Facts().Capability("completions") == kit.No {
		t.NotApplicable("the server completes no arguments: %s", kit.DescribeMessage(answer.Message))
	}
	if answer.Values == nil {
		t.Blocked("completion.answered", "there are no values to look at: "+kit.Describe(x))
	}
	return answer
}
