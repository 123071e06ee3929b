package legacy

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// toolsCall is about calls of tools and what comes back.
func toolsCall(s *kit.Section) {
	variants := toolsVariants(s)
	toolsResults(s)
	toolsErrors(s)
	toolsExecution(s)
	toolsArguments(s, variants)
}

// toolsVariants calls one harmless tool the usual way, without the member arguments, and by a name that differs in case.
func toolsVariants(s *kit.Section) *kit.Script {
	variants := s.Script("tools/variants", kit.Shared, func(c *kit.C) {
		plain, ok := c.PlainCall()
		if !ok {
			return
		}
		served := false
		steps := []func(){func() {
			without := c.CallTool("without arguments", plain, client.WithParams(map[string]any{"name": plain.Name}))
			served = without.Served() && !failedCall(without)
			resume(c, without)
		}}
		if other, ok := otherCase(c.Facts.Tools, plain.Name); ok && c.Since("2025-11-25") {
			steps = append(steps, func() {
				resume(c, c.CallTool("other case", kit.ToolCall{Name: other, Arguments: struct{}{}},
					client.Broken("the name of a tool with the case of one letter changed")))
			})
		}
		resume(c, c.CallTool("call", plain))
		c.Unrelated(steps...)
		if !served || len(steps) > 1 {
			resume(c, c.CallTool("call after", plain))
		}
	}, kit.Tools)

	s.Check("tools.name.case-sensitive", variants, func(t *kit.T) {
		demandPlainCall(t)
		if t.IfSent("without arguments") != nil && t.IfSent("other case") == nil {
			t.NotObserved(kit.Unprovoked, "the name of the tool has no letter whose case could be changed without naming another tool")
		}
		for _, label := range []string{"call", "call after"} {
			if o := judges.OutcomeOf(t, t.Answered(label)); o.Kind != judges.PlainResult {
				t.NotObservedAt(kit.Inconclusive, o.Exchange, "the tool does not succeed under its own name either: %s", o)
			}
		}
		t.Says("an error, as for any unknown tool")
		switch o := judges.OutcomeOf(t, t.Conclusive("other case")); o.Kind {
		case judges.PlainResult:
			t.NoteAt(o.Seen, "a tool is called by a name that differs from its own in the case of a letter, and is executed anyway")
		case judges.NoOutcome:
			t.NotObservedAt(kit.Inconclusive, o.Exchange, "the call by another spelling of the name got no answer")
		default:
			t.OK(o.Exchange, "a name that differs in case is an unknown tool: %s", o)
		}
	})
	return variants
}

// toolsResults look at every result of a call that was asked for as it should be.
func toolsResults(s *kit.Section) {
	s.Passive("tools.call.result-shape", judges.CallResults, kit.Tools)

	s.Passive("tools.call.content-shape", judges.CallContents, kit.Tools)
}

// toolsExecution is about tools that fail. That a named call failed by itself and not because it was asked wrongly is seen by the
// code: those of JSON-RPC for bad requests say nothing about the tool.
func toolsExecution(s *kit.Section) {
	s.Passive("tools.call.execution-error", func(t *kit.T) { judges.ToolFailures(t, traffic.Name) }, kit.Tools)
}

func toolsArguments(s *kit.Section, variants *kit.Script) {
	s.Check("tools.call.arguments-optional", variants, func(t *kit.T) {
		demandPlainCall(t)
		before := judges.OutcomeOf(t, t.Answered("call"))
		after := before
		// What has succeeded has shown that the tool can be called.
		if bare := t.IfSent("without arguments"); bare == nil || !bare.Served() || failedCall(bare) {
			after = judges.OutcomeOf(t, t.Answered("call after"))
		}
		switch {
		case before.Kind != judges.PlainResult && before.Kind != judges.ErrorResult:
			t.NotObservedAt(kit.Inconclusive, before.Exchange, "the call with empty arguments is not served either: %s", before)
		case before.Kind != after.Kind:
			t.NotObservedAt(kit.Inconclusive, after.Exchange, "the call with empty arguments gives now %s, now %s", before, after)
		}
		const expected = "the same as for arguments {}"
		t.Says(expected)
		bare := judges.OutcomeOf(t, t.Conclusive("without arguments"))
		switch {
		case bare.Kind == judges.NoOutcome:
			t.NotObservedAt(kit.Inconclusive, bare.Exchange, "the call without arguments got no answer")
		case bare.Kind == before.Kind || bare.Kind == judges.PlainResult:
			t.OK(bare.Exchange, "a call without the member arguments gives %s, as one with empty arguments does", bare)
		default:
			t.Warn(bare.Exchange, fmt.Sprintf("%s (%s)", expected, before), bare.String())
		}
	})

	s.Passive("tools.task-support-required", func(t *kit.T) {
		const expected = "JSON-RPC error -32601 for a call without task"
		t.Says(expected)
		if !slices.ContainsFunc(t.Facts().Tools, kit.Tool.WantsTask) {
			t.Unlisted(judges.ListTools, "no tool says that it must be called as a task")
		}
		t.Unseen(kit.Unnamed, "no tool that must be called as a task was called: none is read-only without required arguments, and none was named with --call")
		for _, r := range judges.ToolAnswers(t) {
			if tool, _ := t.Facts().Tool(r.Name); !tool.WantsTask() {
				continue
			}
			switch code, _ := r.ErrorCode(); {
			case code == judges.CodeMethodNotFound:
				t.OK(r.Exchange, "a tool that must be called as a task refuses a plain call: %s", kit.DescribeMessage(r.Message))
			case r.Kind == wire.KindError:
				t.WarnAt(r.Seen, expected, kit.DescribeMessage(r.Message))
			case r.Failed():
				t.WarnAt(r.Seen, expected, judges.ErrorResult.String())
			default:
				t.BreachAt(r.Seen, expected, "a result: the tool was executed")
			}
		}
	}, kit.Tools, kit.Capability("tasks.requests.tools.call"))
}

// failedCall tells that the result of a call says that the tool failed.
func failedCall(x *wire.Exchange) bool {
	answer, _ := x.Answer()
	return judges.ToolAnswer{Seen: kit.Seen{Located: wire.Located{Message: answer}, Exchange: x}}.Failed()
}

func demandPlainCall(t *kit.T) {
	if tr := t.Transcript(); tr.Exchange("call") == nil && tr.Aborted == "" {
		t.NotObserved(kit.Unnamed, "no tool without required arguments is declared read-only (annotations.readOnlyHint), and none was named with --call")
	}
	for _, label := range []string{"call", "without arguments", "other case", "call after"} {
		if x := t.IfSent(label); x != nil && kit.HungUp(x) {
			t.NotObservedAt(kit.Limited, x, "the tool %q takes longer than the second that mcpcheck waits for a tool nobody named; name it with --call",
				calledTool(x))
		}
	}
}

// otherCase changes the case of one letter of a name so that no tool has it.
func otherCase(tools []kit.Tool, name string) (string, bool) {
	for i := range len(name) {
		letter := name[i] | 0x20
		if letter < 'a' || letter > 'z' {
			continue
		}
		other := name[:i] + string(name[i]^0x20) + name[i+1:]
		if !slices.ContainsFunc(tools, func(tool kit.Tool) bool { return tool.Name == other }) {
			return other, true
		}
	}
	return "", false
}
