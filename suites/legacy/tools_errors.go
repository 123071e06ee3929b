package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const incompleteLabel = "incomplete call"

// toolsErrors are calls that no server can carry out.
func toolsErrors(s *kit.Section) {
	// The genuine call of a tool is not safe to send, so that the list is the control.
	wrong := s.Script("tools/wrong-calls", kit.Shared, func(c *kit.C) {
		steps := []func(){func() {
			unknown := map[string]any{"name": c.BogusName(), "arguments": struct{}{}}
			resume(c, c.Call("unknown tool", "tools/call", client.WithParams(unknown), client.Broken("a call of a tool that does not exist")))
		}}
		if call, argument, ok := c.IncompleteCall(); ok {
			steps = append(steps, func() {
				without := client.Broken("a call without the argument " + kit.Quote([]byte(argument)) + ", which its schema requires")
				resume(c, c.CallTool(incompleteLabel, call, without))
			})
		}
		c.Call("control", "tools/list")
		c.Unrelated(steps...)
		c.Call("control after", "tools/list")
		malformed := map[string]any{"name": c.BogusName(), "arguments": "x"}
		resume(c, c.Call("malformed call", "tools/call", client.WithParams(malformed), client.Broken("a call with arguments that are no object")))
		c.Call("control at last", "tools/list")
	}, kit.Tools)

	s.Check("tools.call.unknown-tool", wrong, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.UnknownTool(t, "unknown tool", mayStillCome)
	})

	s.Check("tools.call.malformed-request", wrong, func(t *kit.T) {
		t.Control("control", "control at last")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.MalformedCall(t, "malformed call")
	})

	s.Check("tools.call.invalid-arguments", wrong, func(t *kit.T) {
		o := judges.IncompleteCall(t, incompleteLabel, nil, "control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.IncompleteRefused(t, o, "tools.call.inputs-validated")
	})

	s.Check("tools.call.inputs-validated", wrong, func(t *kit.T) {
		o := judges.IncompleteCall(t, incompleteLabel, nil, "control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.InputsValidated(t, o)
	})
}

// mayStillCome tells that the answer may come later by the rules of the revision: on a stream that was cut off after an event id and
// that no resumption has followed to its end.
func mayStillCome(t *kit.T, x *wire.Exchange) bool {
	if lastEventID(x) == "" || t.Before("2025-11-25") {
		return false
	}
	resumed := resumptionsOf(t.Transcript(), x)
	if len(resumed) == 0 {
		return true
	}
	last := resumed[len(resumed)-1]
	return last.Status()/100 != 2 || last.EndedBy != wire.ByServer || lastEventID(last) != ""
}
