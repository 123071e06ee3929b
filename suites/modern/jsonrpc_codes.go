package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

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
			case code == codeHeaderMismatch, code == codeUnsupportedVersion:
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
