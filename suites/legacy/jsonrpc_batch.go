package legacy

import (
	"bytes"
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const cancelUnknown = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"mcpcheck-none-%d"}}`

func jsonrpcBatch(s *kit.Section) {
	only, since := kit.Revisions(batchRevision), kit.Since("2025-06-18")

	batch := s.Script("jsonrpc/batch", kit.Own, func(c *kit.C) {
		c.Safe("control")
		if c.Post("batch", twoRequests(c)).Response == nil {
			c.Safe("control after")
		}
		notification := fmt.Sprintf(cancelUnknown, 1)
		if c.Post("cancelled", []byte(notification)).Status()/100 != 2 {
			// What is refused alone may be refused in company; this one was taken when the session opened.
			notification = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
		}
		c.Post("mixed", fmt.Appendf(nil, `[%s,{"jsonrpc":"2.0","id":%d,"method":%q}]`, notification, c.Client().NextID(), c.Facts.Safe))
		c.Post("notifications", fmt.Appendf(nil, `[%s,%s]`, fmt.Sprintf(cancelUnknown, 2), fmt.Sprintf(cancelUnknown, 3)))
		c.Post("responses", []byte(`[{"jsonrpc":"2.0","id":"mcpcheck-none-1","result":{}},{"jsonrpc":"2.0","id":"mcpcheck-none-2","result":{}}]`),
			client.Broken("answering requests that the server never sent"))
		c.Post("empty", []byte(`[]`), c.Client().GiveUpSoon(), client.Broken("with an empty batch"))
	}, only)
	s.Check("jsonrpc.batch.receive", batch, func(t *kit.T) {
		negotiatedBatches(t)
		t.Control("control")
		x := t.In(batch).Sent("batch")
		if x.Response != nil {
			t.Conclusive("batch", 402, 407, 500, 501)
			if x.Status() == 413 {
				t.NotObservedAt(kit.TurnedAway, x, "the batch was too large: %s", kit.Describe(x))
			}
		}
		if x.Response == nil && t.IfSent("control after") != nil {
			// A server that answers nothing at that time does not leave the batch alone unanswered.
			t.Control("control after")
		}
		t.Expect(x, answersAll)
	})

	// What was negotiated, and the control, jsonrpc.batch.receive has looked at: the others rest on it.
	s.Check("jsonrpc.batch.mixed", batch, func(t *kit.T) {
		x := t.Conclusive("mixed", 402, 407, 500, 501)
		if t.Expect(x, answersAll) && judges.Responses(x) > 1 {
			t.Breach(x, "a response to the request only", fmt.Sprintf("%d responses", judges.Responses(x)))
		}
	})
	s.Check("jsonrpc.batch.notifications-202", batch, func(t *kit.T) {
		const expected = "HTTP 202 with an empty body"
		t.Says(expected)
		for _, label := range []string{"notifications", "responses"} {
			x := t.Conclusive(label)
			t.Cause(causeAcknowledged(x))
			switch {
			case x.Status() == 202 && len(bytes.TrimSpace(x.Response.Body.Bytes())) == 0:
				t.OK(x, "HTTP 202 with an empty body")
			case x.Status() == 202 && len(x.Messages()) == 0:
				// As after a single notification: against the letter, and no client minds.
				t.Warn(x, expected, kit.Describe(x))
			case x.Status()/100 == 4 && label == "responses":
				t.OK(x, "responses to requests that were never sent are refused")
			case x.Status()/100 == 4:
				t.NotObservedAt(kit.Inconclusive, x, "the batch of notifications was not accepted: %s", kit.Describe(x))
			case x.Status()/100 == 2:
				t.Breach(x, expected, kit.Describe(x))
			default:
				t.NotObservedAt(kit.Inconclusive, x, "the batch of %s was neither accepted nor refused: %s", label, kit.Describe(x))
			}
		}
	})
	s.Check("jsonrpc.batch.empty", batch, func(t *kit.T) {
		x := t.In(batch).Sent("empty")
		t.Says("JSON-RPC error -32600 or HTTP 4xx")
		if x.Response == nil || x.Status() >= 500 {
			t.Note(x, "an empty batch was answered %s", kit.Describe(x))
			return
		}
		t.OK(x, "%s", kit.Describe(x))
	})

	s.Passive("jsonrpc.batch.server-batches", func(t *kit.T) {
		t.Says("nothing in particular: a server may batch its messages on streams")
		for _, x := range t.Streams() {
			t.Saw()
			for i, e := range x.Events() {
				if e.Dispatched && e.Message().Kind == wire.KindBatch && x.RequestMessage().Kind != wire.KindBatch {
					t.NoteAt(kit.Seen{Located: wire.Located{Event: i}, Exchange: x},
						"the server batches its messages; clients of later revisions cannot read that")
					return
				}
			}
		}
	})

	s.Passive("jsonrpc.batch.none-sent", func(t *kit.T) {
		const expected = "single messages, no JSON arrays"
		t.Says(expected)
		for _, x := range t.Exchanges() {
			if x.RequestMessage().Kind == wire.KindBatch || x.Broken != "" {
				continue
			}
			for i, e := range x.Events() {
				switch {
				case !e.Dispatched || e.Data == "":
				case e.Message().Kind == wire.KindBatch:
					t.BreachAt(kit.Seen{Located: wire.Located{Event: i}, Exchange: x}, expected, "an array in an event")
				default:
					t.Saw()
				}
			}
			if !x.IsSSE() && len(x.Replies()) > 0 && x.Replies()[0].Batch < 0 {
				t.Saw()
			}
		}
	})

	refused := s.Script("jsonrpc/batch-removed", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		c.Post("batch", twoRequests(c), client.Broken("as a batch, which this revision does not have"))
	}, since)
	s.Check("jsonrpc.batch.refused", refused, func(t *kit.T) {
		t.Control("control")
		x := t.In(refused).Sent("batch")
		t.Says("HTTP 400, another refusal, or a response to each request")
		answered, _ := answersAll.Match(x)
		switch {
		case x.Response == nil:
			t.Note(x, "a batch got no answer: %s", kit.Describe(x))
		case x.Status()/100 == 2 && !answered && !judges.HasError(x):
			t.Note(x, "a batch was taken and not answered in full: %s", kit.Describe(x))
		default:
			t.OK(x, "%s", kit.Describe(x))
		}
	})
}

func twoRequests(c *kit.C) []byte {
	return fmt.Appendf(nil, `[{"jsonrpc":"2.0","id":%d,"method":%q},{"jsonrpc":"2.0","id":%d,"method":%q}]`,
		c.Client().NextID(), c.Facts.Safe, c.Client().NextID(), c.Facts.Safe)
}

func negotiatedBatches(t *kit.T) {
	if negotiated := t.Transcript().Session.Negotiated; negotiated != batchRevision {
		t.NotApplicable("the server negotiated %q, not %s", negotiated, batchRevision)
	}
}

var answersAll = kit.That("a response to each request of the batch", func(x *wire.Exchange) bool {
	for _, w := range x.RequestMessage().Elements {
		if !w.HasID {
			continue
		}
		found := false
		for _, m := range x.Replies() {
			if (m.HasResult || m.HasError) && (wire.SameID(m.ID, w.ID) || wire.SameSpelling(m.ID, w.ID)) {
				found = true
			}
		}
		if !found {
			return false
		}
	}
	return x.Status()/100 == 2
})
