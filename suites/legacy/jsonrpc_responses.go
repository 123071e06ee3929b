package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// jsonrpcResponses are the rules about which responses come: to every request one, and to nothing else.
func jsonrpcResponses(s *kit.Section) {
	s.Passive("jsonrpc.request.answered", func(t *kit.T) {
		const expected = "a response to every request"
		t.Says(expected)
		for _, tr := range t.Transcripts() {
			for _, x := range tr.Exchanges {
				judgeUnanswered(t, tr, x, expected)
			}
		}
	})

	s.Script("jsonrpc/beside-stream", kit.Deadly, func(c *kit.C) {
		stream := c.Get("get")
		c.Safe("beside")
		stream.Close()
		c.Safe("control")
	}, withGetStream, kit.Ordinary(), kit.Beside())

	s.Passive("jsonrpc.response.once", func(t *kit.T) {
		const expected = "one response to a request"
		t.Says(expected)
		asked := askedIDs(t)
		for _, x := range t.Exchanges() {
			sent := x.RequestMessage()
			if sent.Kind != wire.KindRequest || x.Broken != "" || t.OldTransport() && asked.Count(sent.ID) > 1 {
				continue
			}
			responses := 0
			for _, m := range x.Replies() {
				// What stands in the acknowledgement of HTTP+SSE nobody reads.
				if (m.HasResult || m.HasError) && wire.SameID(m.ID, sent.ID) && !(t.OldTransport() && m.Event < 0) {
					responses++
				}
			}
			switch {
			case responses > 1:
				t.Breach(x, expected, kit.JSON(sent.ID)+" was answered more than once on its own connection")
			case responses == 1:
				t.Saw()
			}
		}
	})

	s.Passive("jsonrpc.response.unsolicited", func(t *kit.T) {
		const expected = "responses to requests that were made"
		t.Says(expected)
		asked := askedIDs(t)
		for _, m := range t.Messages() {
			switch {
			case m.HasMethod || !m.HasResult && !m.HasError:
			case asked.Has(m.ID):
				t.Saw()
			case m.HasID && string(m.ID) != "null" && m.HasResult && !answersOwnBody(m) && !asked.Misspelt(m.ID):
				t.BreachAt(m, expected, "a result with the id "+kit.JSON(m.ID)+", which no request of ours had")
			}
		}
	})

	s.Add(notifications)
	s.Check("jsonrpc.notification.no-response", notifications, func(t *kit.T) {
		t.Control("control")
		const expected = "no response to a notification on any stream"
		t.Says(expected)
		for _, x := range t.Transcript().Exchanges {
			if !x.IsSSE() {
				continue
			}
			for _, m := range x.Messages() {
				// A result in the answer to the POST itself is for transport.post.notification-202.
				stray := (m.HasError || m.Kind == wire.KindResult && x.Request.Method == "GET") && (!m.HasID || string(m.ID) == "null")
				if stray && x.RequestMessage().Kind != wire.KindRequest {
					t.BreachAt(kit.Seen{Located: m, Exchange: x}, expected, kit.DescribeMessage(m.Message))
				}
			}
		}
		if t.Facts().Trait(traitGetStream) == kit.Yes {
			t.Watched("get")
		}
		t.OK(t.Answered("unknown"), "nothing answered the notifications")
	})
}

// judgeUnanswered judges silence: a request that got no response before the deadline. A refusal by HTTP counts as an answer, and a
// stream that closed early is judged by the rules for streams.
func judgeUnanswered(t *kit.T, tr *wire.Transcript, x *wire.Exchange, expected string) {
	sent := x.RequestMessage()
	if sent.Kind != wire.KindRequest || sent.Method == "initialize" || x.Origin.Automatic() {
		return
	}
	if string(sent.ID) == "null" || judges.Malformed(x) {
		// It is nobody's request: MCP knows no such id, or the requirements about malformed messages say what is due.
		return
	}
	_, answered := x.Answer()
	switch {
	case answered, x.Response != nil && x.Status()/100 != 2:
		t.Saw()
	case t.OldTransport():
		// http-sse.answers-on-stream reports it.
	case x.EndedBy == wire.ByTimeout:
		while := ""
		if besideStream(tr, x) {
			while = ", while a GET stream was open"
		}
		t.Breach(x, expected, "no response to "+sent.Method+" before the deadline"+while)
	}
	// An empty 2xx answer is transport.post.request-content-type's.
}

// answersOwnBody: a result in the JSON body of a POST answers that POST, with the wrong id; jsonrpc.response.id-echo reports it.
func answersOwnBody(m kit.Seen) bool {
	return m.Exchange.RequestMessage().Kind == wire.KindRequest && judges.OnlyResponse(m.Exchange)
}
