package modern

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// jsonrpcConnections are the rules about connections, which say nothing of what is asked over them.
func jsonrpcConnections(s *kit.Section) {
	probe := s.Script("modern.jsonrpc/connections", kit.Own, func(c *kit.C) {
		c.ListControl("control")
		c.List("first of its connection", client.Fresh())
		c.List("control after")
		first := c.Call("one connection", c.Facts.List, client.Fresh())
		for _, l := range kit.Lists {
			cursor := kit.ReadPage(first, l).Next()
			if l.Method == c.Facts.List && cursor != "" {
				next := client.WithParams(map[string]any{"cursor": cursor})
				c.Call("another connection", l.Method, next, client.Fresh())
				c.Call("the usual connection", l.Method, next)
				return
			}
		}
		for _, r := range c.Facts.Read()[:min(1, len(c.Facts.Read()))] {
			c.Call("another connection", "resources/read", client.WithParams(map[string]any{"uri": r.URI}), client.Fresh())
			c.Call("the usual connection", "resources/read", client.WithParams(map[string]any{"uri": r.URI}))
		}
	}, kit.AnyList)
	s.Check("modern.jsonrpc.no-connection-state", probe, func(t *kit.T) {
		const expected = "the same as over any other connection"
		t.Says(expected)
		t.Control("control", "control after")
		x := t.Conclusive("first of its connection", gatewayless...)
		if !processed(x) {
			t.Breach(x, expected, kit.Describe(x))
			return
		}
		t.OK(x, "a list is served as the first request of a connection")
	})
	s.Check("modern.jsonrpc.any-connection", probe, func(t *kit.T) {
		const expected = "the same as over the usual connection"
		t.Says(expected)
		t.Control("control")
		if t.IfSent("another connection") == nil {
			t.Unlisted(judges.ListAll, "no list has pages, and no resource is listed")
		}
		usual, x := t.Answered("the usual connection"), t.Conclusive("another connection", gatewayless...)
		switch {
		case processed(x):
			t.OK(x, "what was begun over one connection goes on over another")
		case !processed(usual):
			t.NotObservedAt(kit.TurnedAway, usual, "it is not served over the usual connection either: %s", kit.Describe(usual))
		default:
			t.Breach(x, expected, kit.Describe(x))
		}
	})
}
