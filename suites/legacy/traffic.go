package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// traffic is a conversation like a client's, so that passive rules have something to look at: a listening stream, tools that may be
// called, lists, and requests that the server cannot serve.
func traffic(s *kit.Section) {
	s.Script("transport/traffic", kit.Own, func(c *kit.C) {
		stream := c.Get("get")
		var steps []func()
		for _, call := range c.ToolCalls() {
			steps = append(steps, func() { resume(c, c.CallTool("call "+call.Name, call)) })
		}
		for _, l := range kit.ListMethods {
			if c.Facts.Capability(l.Capability) == kit.Yes {
				steps = append(steps, func() { resume(c, c.Call(l.Method, l.Method)) })
			}
		}
		if c.Facts.Capability("resources") == kit.Yes {
			steps = append(steps, func() { resume(c, c.Call("resources/templates/list", "resources/templates/list")) })
		}
		steps = append(steps, func() {
			c.Call("unknown method", "mcpcheck/no-such-method")
		})
		c.Parallel(steps...)
		c.Watch(stream, c.Safe("marker"))
		stream.Close()
	})
}

// resume comes back for the response where the server cut the stream after an event id, as a client does.
func resume(c *kit.C, x *client.Exchange) {
	id := lastEventID(x)
	if _, answered := x.Answer(); answered || x.EndedBy != client.ByServer || id == "" {
		return
	}
	c.Drain(c.Get(resumedLabel(x.Label), client.WithHeader("Last-Event-ID", id)))
}

func lastEventID(x *client.Exchange) string {
	id := ""
	for _, e := range x.Events() {
		if e.HasID && e.ID != "" {
			id = e.ID
		}
	}
	return id
}
