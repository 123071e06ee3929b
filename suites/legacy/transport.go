package legacy

import (
	"bytes"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func transport(s *kit.Section) {
	s.Add(traffic)
	transportAnswers(s)
	transportRequests(s)
	transportDrop(s)

	transportAccepted(s)
	s.CheckAcross("transport.post.notification-202", []*kit.Script{notifications, inventory}, func(t *kit.T) {
		t.Says("HTTP 202 without a body")
		t.Control("control")
		judgeAccepted(t, t.In(inventory).Answered("initialized"))
		judgeAccepted(t, t.Answered("cancelled"))
		// A request without id is a notification. Refusing it is fine; executing and answering it is not.
		for _, method := range withoutID(t.Facts()) {
			if x := t.IfSent(method + " without id"); x != nil && x.Status()/100 == 2 && judges.HasResult(x) {
				t.Breach(x, "HTTP 202 with an empty body", kit.Describe(x)+", to "+method+" without an id")
				return
			}
		}
	})

	s.Check("transport.post.accept-enforced", requestForms, func(t *kit.T) {
		t.Control("control", "control after")
		allowed := kit.AnyOf(kit.Served(), kit.HTTP(406, 400))
		for _, v := range acceptVariants {
			t.Expect(conclusive(t, v.label), allowed)
		}
	})

	s.Add(getStream)
	s.Check("transport.get.sse-or-405", getStream, func(t *kit.T) {
		t.Control("control")
		x := t.Conclusive("get", 500, 501)
		if x.Status()/100 == 3 {
			t.NotObservedAt(kit.Inconclusive, x, "GET is redirected: %s", kit.Describe(x))
		}
		if events := x.Events(); len(events) > 0 && events[0].Type == "endpoint" {
			t.NotObservedAt(kit.Inconclusive, x, "the stream starts with an endpoint event: this is the older HTTP+SSE transport on the same URL")
		}
		t.Expect(x, streamOr405)
	})

	transportGet(s)

	s.Add(refusedGets)
	s.Check("transport.get.accept-enforced", refusedGets, func(t *kit.T) {
		t.Control("control", "control after")
		t.Expect(t.Conclusive("JSON only"), kit.AnyOf(kit.HTTP(406, 400, 405), eventStream))
	})
}

var (
	eventStream = kit.That("an event stream (2xx, text/event-stream)", func(x *wire.Exchange) bool {
		return x.Status()/100 == 2 && x.IsSSE()
	})
	streamOr405 = kit.AnyOf(eventStream, kit.HTTP(405))
)

// judgeAccepted judges the answer to a notification that the server has no reason to turn down.
func judgeAccepted(t *kit.T, x *wire.Exchange) {
	const expected = "HTTP 202 with an empty body"
	if x.Status()/100 != 2 {
		// A refusal is the business of lifecycle.initialized.accepted and transport.post.rejected-status.
		t.NotObservedAt(kit.Inconclusive, x, "the notification was not accepted: %s", kit.Describe(x))
	}
	body := bytes.TrimSpace(x.Response.Body.Bytes())
	t.Cause(causeAcknowledged(x))
	switch {
	case x.Status() != 202, len(x.Messages()) > 0:
		t.Breach(x, expected, kit.Describe(x))
	case len(body) > 0:
		t.Warn(x, expected, kit.Describe(x))
	default:
		t.OK(x, "HTTP 202 with an empty body")
	}
}
