package legacy

import (
	"bytes"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// transportRequests are the rules for what a POST has to look like, and for several at a time.
func transportRequests(s *kit.Section) {
	forms := s.Add(requestForms)
	s.Check("transport.post.accept-served", forms, func(t *kit.T) {
		t.Control("control", "control after")
		for _, f := range acceptForms {
			t.Expect(conclusive(t, formLabel(t, f.label)), kit.Served())
		}
		if x := t.Conclusive("two lines"); !x.Served() && !swapped(x, askedIDs(t)) {
			t.Note(x, "the two types on two Accept lines are refused: %s", kit.Describe(x))
		}
	})
	s.Check("transport.post.content-type-enforced", forms, func(t *kit.T) {
		t.Control("control", "control after")
		t.Says("text/plain refused or served, application/json with a charset served")
		if x := t.Conclusive(formLabel(t, "charset")); !x.Served() && !swapped(x, askedIDs(t)) {
			t.Note(x, "the parameter charset=utf-8 alone gets a request refused: %s", kit.Describe(x))
		}
		x := conclusive(t, "text/plain")
		switch {
		case x.Served() && t.Environment().Loopback:
			t.Note(x, "a request as text/plain is served: any web page can send such requests to this machine without a preflight")
		case x.Served():
			t.OK(x, "a request as text/plain is served")
		case x.Status() == 415 || x.Status() == 400:
			t.OK(x, "a request as text/plain is refused: %s", kit.Describe(x))
		default:
			t.Note(x, "a request as text/plain is answered %s; HTTP 415 would say why", kit.Describe(x))
		}
	})

	concurrent := s.Script("transport/concurrent", kit.Own, func(c *kit.C) {
		c.SafeControl("control")
		var served [3]bool
		var steps []func()
		for i, label := range []string{"first", "second", "third"} {
			steps = append(steps, func() { served[i] = c.Safe(label).Served() })
		}
		c.Parallel(steps...)
		if slices.Contains(served[:], false) {
			c.Safe("control after")
		}
	})
	s.Check("transport.post.concurrent", concurrent, func(t *kit.T) {
		const expected = "on each connection the response to its own request"
		t.Says(expected)
		asked := askedIDs(t)
		// The control may itself be a victim: other conversations run beside it.
		for _, label := range []string{"control", "first", "second", "third"} {
			x := t.In(concurrent).Sent(label)
			switch {
			case swapped(x, asked):
				t.Breach(x, expected, "the response to another request")
			case label == "control":
				t.Control("control")
			case x.Status() == 409:
				t.Note(x, "requests at the same time are refused with 409")
			case judges.Carries(x, x.RequestMessage().ID):
				t.OK(x, "three requests at a time, each answered on its own connection")
			case x.Response == nil && x.EndedBy != wire.ByTimeout:
				t.NotObservedAt(kit.Inconclusive, x, "the request broke off: %s", kit.Describe(x))
			default:
				t.MustConclude(x)
				t.Control("control after")
				t.Breach(x, expected, kit.Describe(x))
			}
		}
	})

	s.Check("transport.method.unsupported-405", forms, func(t *kit.T) {
		if !t.Environment().Loopback {
			t.NotObserved(kit.Limited, "PUT is only sent to servers on this machine")
		}
		t.Control("control")
		x := t.Conclusive("put", 501)
		t.Says("HTTP 405, 404 or 501")
		switch allow := x.Response.Header.Get("Allow"); {
		case x.Status()/100 == 2:
			t.Note(x, "PUT, which MCP does not use, is answered %s, as though something had been stored", kit.Describe(x))
		case x.Status() == 405 && allow != "":
			t.OK(x, "PUT is answered 405, with Allow: %s", allow)
		case x.Status() == 405 || x.Status() == 404 || x.Status() == 501:
			t.OK(x, "PUT is answered HTTP %d", x.Status())
		default:
			t.Note(x, "PUT, which MCP does not use, is answered %s; HTTP 405 with Allow would say what there is", kit.Describe(x))
		}
	})
}

// transportAccepted are the rules for POSTs that carry no request.
func transportAccepted(s *kit.Section) {
	s.Check("transport.post.response-202", notifications, func(t *kit.T) {
		t.Control("control", "control after")
		const expected = "HTTP 202 with an empty body, or a refusal"
		t.Says(expected)
		judgeTaken(t, t.Answered(strayResponse), expected)
		for _, tr := range t.Transcripts() {
			for _, x := range tr.Exchanges {
				switch {
				case x.Origin.Kind != wire.FromAnswer || !answersToOne(tr, x):
				case refusesSession(x.Status()) && x.Status() != 404:
					t.Warn(x, "HTTP 202", "a refusal of the answer to the server's own request: "+kit.Describe(x))
				case x.Status()/100 == 2:
					judgeTaken(t, x, expected)
				}
			}
		}
	})
	s.Check("transport.post.rejected-status", notifications, func(t *kit.T) {
		t.Control("control", "control after")
		const expected = "HTTP 202, or an HTTP error status"
		t.Says(expected)
		if x := t.Answered("cancelled"); x.Status()/100 == 2 && judges.HasError(x) {
			t.Blocked("transport.post.notification-202", "a harmless notification is answered the same way: "+kit.Describe(x))
		}
		for _, label := range []string{"unknown", "cancelled without id"} {
			x := t.Answered(label)
			if x.Status()/100 == 2 && judges.HasError(x) {
				t.Breach(x, expected, kit.Describe(x))
				continue
			}
			t.OK(x, "%s", kit.Describe(x))
		}
	})
	s.Passive("transport.post.rejected-body", func(t *kit.T) {
		t.Says("an error without id, or no JSON-RPC at all")
		t.Unseen(kit.Unprovoked, "no notification or response was refused")
		for _, x := range t.Exchanges() {
			sent := x.RequestMessage()
			carriesNoRequest := sent.Kind == wire.KindNotification || sent.Kind == wire.KindResult || sent.Kind == wire.KindError
			if x.Status() < 400 || !carriesNoRequest {
				continue
			}
			invented := ""
			for _, m := range x.Messages() {
				if m.HasError && m.HasID && kit.JSONType(m.ID) != "null" && !wire.SameID(m.ID, sent.ID) {
					invented = kit.JSON(m.ID)
				}
			}
			if invented != "" {
				t.Note(x, "the refusal of a message that asks for no answer carries the made-up id %s", invented)
				continue
			}
			t.OK(x, "refused without a made-up id: %s", kit.Describe(x))
		}
	})
}

// judgeTaken judges the answer to a response.
func judgeTaken(t *kit.T, x *wire.Exchange, expected string) {
	t.Cause(causeAcknowledged(x))
	switch body := bytes.TrimSpace(x.Response.Body.Bytes()); {
	case x.Status()/100 == 3:
		t.NotObservedAt(kit.Inconclusive, x, "the POST is redirected: %s", kit.Describe(x))
	case x.Status() >= 400:
		t.OK(x, "refused: %s", kit.Describe(x))
	case x.Status() != 202, len(x.Messages()) > 0:
		t.Breach(x, expected, kit.Describe(x))
	case len(body) > 0:
		t.Warn(x, expected, kit.Describe(x))
	default:
		t.OK(x, "HTTP 202 with an empty body")
	}
}

// answersToOne tells that an answer went to where its request came from: in one conversation a server may speak on streams of
// several sessions, before the session is known, or under an id that it uses twice or that is none.
func answersToOne(tr *wire.Transcript, answer *wire.Exchange) bool {
	asked := 0
	for _, x := range tr.Exchanges {
		for _, m := range x.Messages() {
			if !m.HasMethod || !wire.SameID(m.ID, answer.RequestMessage().ID) {
				continue
			}
			asked++
			if x.Broken != "" || kit.RequestHeader(x, "Mcp-Session-Id") != kit.RequestHeader(answer, "Mcp-Session-Id") ||
				x.RequestMessage().Method == "initialize" {
				return false
			}
		}
	}
	return asked == 1 && judges.StringOrInteger(answer.RequestMessage().ID)
}
