package modern

import (
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
