package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// jsonrpcConnections are the rules about connections, which say nothing of what is asked over them.
func jsonrpcConnections(s *kit.Section) {
	s.Add(alteredLists)
	s.Check("modern.jsonrpc.no-connection-state", alteredLists, func(t *kit.T) {
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
	s.Check("modern.jsonrpc.any-connection", alteredLists, func(t *kit.T) {
		const expected = "the same as over the usual connection"
		t.Says(expected)
		t.Control("control")
		if t.IfSent("another connection") == nil {
			t.Unlisted(judges.ListAll, "no list has pages, and no resource is listed")
		}
		x := t.Conclusive("another connection", gatewayless...)
		if processed(x) {
			t.OK(x, "what was begun over one connection goes on over another")
			return
		}
		if usual := t.Answered("the usual connection"); !processed(usual) {
			t.NotObservedAt(kit.TurnedAway, usual, "it is not served over the usual connection either: %s", kit.Describe(usual))
		}
		t.Breach(x, expected, kit.Describe(x))
	})
}
