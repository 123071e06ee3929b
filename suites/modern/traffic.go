package modern

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// traffic is a conversation like a client's, so that passive rules have something to look at: tools that may be called, with progress
// tokens of both types, resources and prompts. No request asks for log messages.
var traffic = kit.NewScript("modern.transport/traffic", kit.Own, func(c *kit.C) {
	var steps []func()
	for i, call := range c.ToolCalls() {
		var token client.Option
		if i%2 == 1 {
			token = client.WithMeta(map[string]any{"progressToken": c.Client().NextID()})
		}
		steps = append(steps, func() { c.CallTool("call "+call.Name, call, token) })
	}
	for _, r := range c.Facts.Read() {
		steps = append(steps, func() { c.Call("read "+r.URI, "resources/read", client.WithParams(map[string]any{"uri": r.URI})) })
	}
	for _, p := range c.Facts.Prompts {
		if len(p.Required) == 0 {
			steps = append(steps, func() { c.Call("get "+p.Name, "prompts/get", client.WithParams(map[string]any{"name": p.Name})) })
			break
		}
	}
	c.Parallel(steps...)
	c.Safe("marker")
}, kit.Ordinary())
