package legacy

import (
	"cmp"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const incompleteLabel = "incomplete call"

// wrongParams are requests for what is not there, and without what is required: each is refused, and none ends a session. What a tool really
// does is not safe to ask for, so that the list is the control.
var wrongParams = kit.NewScript("jsonrpc/wrong-params", kit.Shared, func(c *kit.C) {
	control := cmp.Or(c.Facts.List, c.Facts.Safe)
	var steps []func()
	tools := c.Facts.Capability("tools") == kit.Yes
	if tools {
		control = "tools/list"
		steps = append(steps, func() {
			unknown := map[string]any{"name": c.BogusName(), "arguments": struct{}{}}
			resume(c, c.Call("unknown tool", "tools/call", client.WithParams(unknown), client.Broken("a call of a tool that does not exist")))
		})
		if call, argument, ok := c.IncompleteCall(); ok {
			steps = append(steps, func() {
				without := client.Broken("a call without the argument " + kit.Quote([]byte(argument)) + ", which its schema requires")
				resume(c, c.CallTool(incompleteLabel, call, without))
			})
		}
	}
	if method, ok := methodWithParams(c.Facts); ok {
		steps = append(steps, func() {
			c.Call("without params", method, client.WithParams(map[string]any{}), client.Broken("without a parameter that it requires"))
		})
	}
	if c.Facts.List != "" {
		steps = append(steps, func() {
			c.List("cursor 5", client.WithParams(map[string]any{"cursor": 5}), client.Broken("with a cursor that is a number"))
		})
	}
	c.Control("control", control)
	c.Unrelated(steps...)
	c.Call("control after", control)
	if tools {
		malformed := map[string]any{"name": c.BogusName(), "arguments": "x"}
		resume(c, c.Call("malformed call", "tools/call", client.WithParams(malformed), client.Broken("a call with arguments that are no object")))
		c.Call("control at last", control)
	}
})

// toolsErrors are calls that no server can carry out.
func toolsErrors(s *kit.Section) {
	s.Check("tools.call.unknown-tool", wrongParams, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.UnknownTool(t, "unknown tool", mayStillCome)
	}, kit.Tools)

	s.Check("tools.call.malformed-request", wrongParams, func(t *kit.T) {
		t.Control("control", "control at last")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.MalformedCall(t, "malformed call")
	}, kit.Tools)

	s.Check("tools.call.invalid-arguments", wrongParams, func(t *kit.T) {
		o := judges.IncompleteCall(t, incompleteLabel, nil, "control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.IncompleteRefused(t, o, "tools.call.inputs-validated")
	}, kit.Tools)

	s.Check("tools.call.inputs-validated", wrongParams, func(t *kit.T) {
		o := judges.IncompleteCall(t, incompleteLabel, nil, "control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.InputsValidated(t, o)
	}, kit.Tools)
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
