package modern

import (
	"fmt"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const cancelledMethod = "notifications/cancelled"

func cancellation(s *kit.Section) {
	s.Passive("modern.cancellation.no-other-cancelled", func(t *kit.T) {
		const expected = "no cancellation of anything but a subscription"
		t.Says(expected)
		t.Unseen(kit.NotOffered, "no request was answered on an event stream")
		for _, x := range answeringStreams(t) {
			if x.RequestMessage().Method != methodListen {
				t.OK(x, "nothing is cancelled on the streams of requests")
			}
		}
		onRequests(t, cancelledMethod, func(m kit.Seen, _ bool) { t.BreachAt(m, expected, cancelledMethod) })
	})
	s.Passive("modern.cancellation.cancelled-references-listen", func(t *kit.T) {
		const expected = "requestId, the id of an open subscription"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "the server cancelled nothing")
		onSubscriptions(t, func(x *wire.Exchange, m kit.Seen) {
			if m.Method != cancelledMethod {
				return
			}
			if id, _ := m.Pointer("/params/requestId"); !opened(m, id) {
				t.BreachAt(m, expected, "requestId "+kit.JSON(id))
				return
			}
			t.OK(x, "cancellations name a subscription")
		})
	})
	s.Passive("modern.cancellation.listen-teardown-cancelled", func(t *kit.T) {
		const expected = cancelledMethod + " with the id of the subscription, or a result"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "the server ended no subscription")
		for _, x := range listenStreams(t) {
			if x.EndedBy != wire.ByServer || x.Error != nil {
				continue
			}
			said := false
			for _, m := range x.Messages() {
				id, _ := m.Pointer("/params/requestId")
				said = said || m.HasResult || m.Method == cancelledMethod && wire.SameID(id, x.RequestMessage().ID)
			}
			if said {
				t.OK(x, "the server says that it ends a subscription")
				continue
			}
			t.Unseen(kit.Inconclusive, "a subscription ended without a word, which may be a connection that broke")
		}
	})
	races := s.Script("modern.cancellation/races", kit.Own, func(c *kit.C) {
		c.SafeControl("control")
		for i := range 3 {
			c.Safe(fmt.Sprintf("cut %d", i+1), client.GiveUp(time.Millisecond))
		}
		c.Safe("control after", client.WithCapabilities(map[string]any{"roots": struct{}{}}))
	})
	s.Check("modern.cancellation.race-safe", races, func(t *kit.T) {
		const expected = "a server that goes on"
		t.Says(expected)
		t.Control("control")
		x := t.Sent("control after")
		switch {
		case x.Served():
			t.OK(x, "the server goes on when clients hang up")
		case x.Response == nil:
			t.Breach(x, expected, kit.Describe(x))
		default:
			t.Breach(t.MustConclude(x, gatewayless...), expected, "the next request refused: "+kit.Describe(x))
		}
	})
	s.Check("modern.cancellation.invalid-ignored", notifyProbe, func(t *kit.T) {
		const expected = "HTTP 202 or 4xx, and a server that goes on"
		t.Says(expected)
		t.Control("control")
		x := t.Conclusive("cancelled", gatewayless...)
		switch after := t.Conclusive("control after"); {
		case x.Status() >= 500:
			t.Breach(x, expected, kit.Describe(x))
		case !after.Served():
			t.Breach(after, expected, "the next request refused: "+kit.Describe(after))
		default:
			t.OK(x, "%s", kit.Describe(x))
		}
	})
}

// opened tells whether an id is that of a subscription in the same conversation.
func opened(m kit.Seen, id []byte) bool {
	for _, x := range m.Transcript.Exchanges {
		if x.RequestMessage().Method == methodListen && wire.SameID(id, x.RequestMessage().ID) {
			return true
		}
	}
	return false
}
