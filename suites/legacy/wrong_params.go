package legacy

import (
	"cmp"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
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

// methodWithParams is the first method of a declared feature that requires a parameter.
func methodWithParams(f *kit.Facts) (string, bool) {
	for _, m := range []struct{ capability, method string }{
		{"tools", "tools/call"}, {"prompts", "prompts/get"}, {"resources", "resources/read"},
		{"completions", "completion/complete"}, {"logging", "logging/setLevel"},
	} {
		if f.Capability(m.capability) == kit.Yes {
			return m.method, true
		}
	}
	return "", false
}
