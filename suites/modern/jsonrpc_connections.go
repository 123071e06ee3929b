package modern

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// jsonrpcConnections are the rules about connections, which say nothing of what is asked over them.
func jsonrpcConnections(s *kit.Section) {
	probe := s.Script("modern.jsonrpc/connections", kit.Own, func(c *kit.C) {
		c.List("control")
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
			t.NotApplicable("no list has pages, and no resource is listed")
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

// jsonrpcCodes is the rule about the codes that the revision defines.
func jsonrpcCodes(s *kit.Section) {
	s.Passive("modern.jsonrpc.reserved-codes-meaning", func(t *kit.T) {
		const expected = "-32020, -32021 and -32022 for what they are defined for"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "none of -32020, -32021 and -32022 was seen where something else was wrong")
		for _, m := range t.Messages() {
			x := m.Exchange
			code, coded := m.ErrorCode()
			if !coded || m.Kind != wire.KindError || mayBeOlder(t, x) {
				continue
			}
			body := bodyAlone(x)
			switch {
			case body == "":
			case code == codeHeaderMismatch, code == codeUnsupportedVersion && judges.Carries(x, x.RequestMessage().ID):
				t.BreachAt(m, expected, kit.DescribeMessage(m.Message)+" to a request with "+body+", whose headers are right")
			default:
				t.OK(x, "what is wrong with a body has codes of its own")
			}
		}
	})
}

// bodyAlone says what is wrong in the body of a request whose headers are right; "" where that is nothing, or not only that. Headers that
// a tool asks for are not looked at: what is wrong with those is no matter of the body.
func bodyAlone(x *wire.Exchange) string {
	sent := x.RequestMessage()
	_, cursor := sent.Pointer("/params/cursor")
	_, level := member(sent, "/params/_meta", keyLogLevel)
	_, answers := sent.Pointer("/params/inputResponses")
	if x.Broken == "" || kit.RequestHeader(x, "Mcp-Method") != sent.Method || kit.RequestHeader(x, "Last-Event-ID")+kit.RequestHeader(x, "Mcp-Session-Id") != "" {
		return ""
	}
	switch {
	case cursor:
		return "a cursor that nobody gave"
	case level:
		return "a log level that there is not"
	case answers && sent.Method != "tools/call":
		return "answers that are none"
	}
	return ""
}
