package modern

import (
	"fmt"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func transport(s *kit.Section) {
	methods := s.Add(methodsProbe)
	s.Check("modern.transport.method-not-found-404", methods, func(t *kit.T) {
		t.Control("control", "control after")
		for _, label := range []string{"unknown method", "another unknown method"} {
			notFound(t, t.Conclusive(label, gatewayless...))
		}
	})
	s.Check("modern.transport.removed-methods-not-found", methods, func(t *kit.T) {
		t.Says(expectedNotFound)
		t.Control("control", "control after")
		for _, r := range removed {
			x := t.Conclusive(r.method)
			code := codeOf(x)
			switch {
			case processed(x), code == codeInvalidParams:
				t.Warn(x, expectedNotFound, kit.Describe(x))
			case code == codeMethodNotFound && x.Status() != 404 && misplaced(t):
				t.Blocked("modern.transport.method-not-found-404", "unknown methods have another status as well", x)
			default:
				notFound(t, x)
			}
		}
	})
	s.Check("modern.transport.undeclared-capability-method-not-found", methods, func(t *kit.T) {
		t.Says(expectedNotFound)
		t.Control("control", "control after")
		sent := false
		for _, u := range undeclared {
			if t.IfSent("undeclared "+u.method) == nil {
				continue
			}
			sent = true
			x := t.Conclusive("undeclared " + u.method)
			code := codeOf(x)
			switch {
			case processed(x):
				// modern.<area>.declared judges that.
			case code == codeInvalidParams && u.capability == "completions":
				t.Warn(x, expectedNotFound, kit.Describe(x))
			case code == codeMethodNotFound && x.Status() != 404 && misplaced(t):
				t.Blocked("modern.transport.method-not-found-404", "unknown methods have another status as well", x)
			default:
				notFound(t, x)
			}
		}
		if !sent {
			t.NotApplicable("every feature is declared, or what is declared is not known")
		}
		t.Unseen(kit.Inconclusive, "what is not declared is served all the same")
	})

	notify := s.Add(notifyProbe)
	s.Check("modern.transport.notification-accepted-202", notify, func(t *kit.T) {
		const expected = "HTTP 202 with an empty body, or an HTTP error"
		t.Says(expected)
		t.Control("control", "control after")
		x := t.Conclusive("cancelled", 500, 501, 502, 503, 504)
		switch size := x.Response.Body.Size(); {
		case x.Status() >= 400, x.Status() == 202 && size == 0:
			t.OK(x, "%s", kit.Describe(x))
		case judges.HasError(x) && !judges.HasResult(x):
			t.Blocked("modern.transport.notification-rejected-status", "there is an error in the answer", x)
		case judges.HasResult(x):
			t.Blocked("modern.jsonrpc.notification-no-response", "there is a result in the answer", x)
		case x.Status() == 202:
			t.Warn(x, expected, kit.Describe(x))
		default:
			t.Breach(x, expected, kit.Describe(x))
		}
	})
	s.Check("modern.transport.notification-rejected-status", notify, func(t *kit.T) {
		const expected = "HTTP 202, or an HTTP error"
		t.Says(expected)
		t.Control("control", "control after")
		for _, label := range []string{"cancelled", "unknown notification"} {
			x := t.Conclusive(label, 500, 501, 502, 503, 504)
			if x.Status()/100 == 2 && judges.HasError(x) {
				t.Breach(x, expected, kit.Describe(x))
				continue
			}
			t.OK(x, "%s", kit.Describe(x))
		}
	})
	s.Check("modern.transport.notification-error-without-id", notify, func(t *kit.T) {
		const expected = "no id, since there was none"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no notification was refused with a JSON-RPC error")
		for _, label := range []string{"cancelled", "unknown notification"} {
			x := t.Answered(label)
			for _, m := range x.Messages() {
				switch {
				case !m.HasError:
				case m.HasID && wire.TypeOf(m.ID) != "null":
					t.Warn(x, expected, "id "+judges.SpeltID(m.ID))
				default:
					t.OK(x, "%s", kit.Describe(x))
				}
			}
		}
	})

	s.Check("modern.transport.rejects-jsonrpc-responses", notify, func(t *kit.T) {
		const expected = "HTTP 4xx or 202"
		t.Says(expected)
		t.Control("control", "control after")
		switch x := t.Conclusive("a response"); {
		case judges.HasResult(x) && x.Status()/100 == 2:
			t.Warn(x, expected, kit.Describe(x))
		default:
			t.OK(x, "%s", kit.Describe(x))
		}
	})

	several := s.Script("modern.transport/concurrent", kit.Own, func(c *kit.C) {
		c.SafeControl("control") // which accuses nobody: what comes with it is in order too
		var steps []func()
		for i := range 3 {
			steps = append(steps, func() {
				c.Safe(fmt.Sprintf("at once %d", i+1), client.WithMeta(map[string]any{keyClientInfo: map[string]any{"name": fmt.Sprintf("mcpcheck-%d", i+1), "version": "1"}}), client.WithCapabilities(limits[i].can))
			})
		}
		c.Parallel(steps...)
	})
	mixed := func(t *kit.T) {
		const expected = "to each request its own response"
		t.Says(expected)
		t.Control("control")
		for i := range 3 {
			x := t.Conclusive(fmt.Sprintf("at once %d", i+1))
			if x.Served() && judges.OnlyResponse(x) {
				t.OK(x, "three requests at once were answered, each with its own id")
				continue
			}
			own := x.RequestMessage().ID
			for _, m := range x.Messages() {
				// An error without an id, or with null, is nobody else's: modern.jsonrpc.error-echoes-id reports it.
				if (m.HasResult || m.HasError) && m.HasID && wire.TypeOf(m.ID) != "null" && !wire.SameID(m.ID, own) {
					t.Breach(x, expected, "a response with id "+judges.SpeltID(m.ID)+" to the request "+judges.SpeltID(own))
				}
			}
		}
	}
	s.Check("modern.transport.concurrent-requests", several, mixed)

	transportBodies(s)
}

// transportBodies are the rules about every answer.
func transportBodies(s *kit.Section) {
	s.Check("modern.transport.single-post-endpoint", inventory, func(t *kit.T) {
		const expected = "every message taken at one URL"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "fewer than two methods were processed, so that nothing is said of different ones")
		var first *wire.Exchange
		for _, x := range t.Transcript().Exchanges {
			switch {
			case x.Status() == 405:
				t.Breach(x, expected, kit.Describe(x))
			case !judges.HasResult(x) && !judges.HasError(x):
			case first == nil:
				first = x
			case x.RequestMessage().Method != first.RequestMessage().Method:
				t.OK(x, "different methods are processed at the same URL")
			}
		}
	})
	s.Passive("modern.transport.response-content-type", func(t *kit.T) {
		const expected = "application/json or text/event-stream"
		t.Says(expected)
		for _, x := range t.Exchanges() {
			if x.RequestMessage().ID == nil || x.Broken != "" || mayBeOlder(t, x) {
				continue
			}
			status, spoke := x.Status(), judges.HasResult(x) || judges.HasError(x)
			if status/100 != 2 && !(status/100 == 4 && spoke && status != 401 && status != 403 && status != 413 && status != 429) {
				continue
			}
			if x.MediaType() == "application/json" || x.IsSSE() {
				t.OK(x, "%s", x.MediaType())
				continue
			}
			t.Breach(x, expected, kit.Describe(x)+fmt.Sprintf(" as %q", x.MediaType()))
		}
	})
	s.Passive("modern.transport.json-is-single-object", func(t *kit.T) {
		const expected = "one response, and nothing beside it"
		t.Says(expected)
		for _, x := range t.Exchanges() {
			if x.RequestMessage().ID == nil || x.MediaType() != "application/json" || x.Status()/100 != 2 || mayBeOlder(t, x) {
				continue
			}
			body := x.Response.Body.Bytes()
			// A coding that nobody asked for says nothing of what is in it. modern.transport.utf8 reports what cannot be read for that.
			if x.Response.Header.Get("Content-Encoding") != "" || !utf8.Valid(body) {
				continue
			}
			m := wire.ReadMessage(body)
			switch {
			case m.HasResult || m.HasError:
				t.OK(x, "answers in JSON are one response each")
			case x.Error != nil, x.EndedBy == wire.ByClient:
				// What broke off says nothing.
			default:
				t.Breach(x, expected, kit.DescribeMessage(m))
			}
		}
	})
	s.Passive("modern.transport.utf8", func(t *kit.T) {
		t.Says("UTF-8")
		for _, m := range t.Messages() {
			if !utf8.Valid(m.Raw()) {
				t.BreachAt(m, "UTF-8", fmt.Sprintf("a byte that is none at offset %d", judges.InvalidUTF8(m.Raw())))
				continue
			}
			t.Saw()
		}
	})
	s.Passive("modern.transport.success-is-200", func(t *kit.T) {
		t.Says("HTTP 200 with a result")
		for _, m := range t.Messages() {
			x := m.Exchange
			if !m.HasResult || m.HasMethod || x.RequestMessage().ID == nil || mayBeOlder(t, x) {
				continue
			}
			switch status := x.Status(); {
			case status == 200:
				t.Saw()
			case status/100 == 2:
				t.WarnAt(m, "HTTP 200 with a result", fmt.Sprintf("HTTP %d", status))
			default:
				t.BreachAt(m, "HTTP 200 with a result", fmt.Sprintf("HTTP %d", status))
			}
		}
	})
}

// notFound judges the answer to a method that there is not.
func notFound(t *kit.T, x *wire.Exchange) {
	t.Says(expectedNotFound)
	switch code := codeOf(x); {
	case code == codeMethodNotFound && x.Status() == 404:
		t.OK(x, "%s", kit.Describe(x))
	default:
		misanswered(t, x, expectedNotFound)
	}
}

// misplaced tells that an unknown method was answered with another status than it should.
func misplaced(t *kit.T) bool {
	x := t.IfSent("unknown method")
	return x != nil && x.Status() != 404
}
