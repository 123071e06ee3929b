package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// jsonrpcNotifications is the rule about what a message without id gets.
func jsonrpcNotifications(s *kit.Section) {
	s.Check("modern.jsonrpc.notification-no-response", notifyProbe, func(t *kit.T) {
		const expected = "no result"
		t.Says(expected)
		t.Control("control", "control after")
		for _, label := range []string{"cancelled", "unknown notification", "request without id", "list without id"} {
			x := t.Sent(label)
			if x.Response == nil {
				t.Unseen(kit.CauseOf(x, kit.Inconclusive), "a message without id was not answered: %s", kit.Describe(x))
				continue
			}
			if x.Status()/100 == 2 && judges.HasResult(x) {
				t.Breach(x, expected, kit.Describe(x))
				continue
			}
			t.OK(t.MustConclude(x, gatewayless...), "%s", kit.Describe(x))
		}
	})
}
