package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func session(s *kit.Section) {
	sessionIDs(s)
	sessionMissing(s)
	sessionEnded(s)
	sessionUnknown(s)
	sessionDelete(s)

	opening := s.Script("session/initialize-with-id", kit.Shared, func(c *kit.C) {
		c.Initialize("initialize with id", c.Revision, client.WithSession(altered(c.Session().ID())),
			client.Broken("with a session id the server never issued"))
	}, withSessions, kit.Once())
	s.Check("session.initialize-with-id", opening, func(t *kit.T) {
		x := t.Conclusive("initialize with id")
		t.Says("HTTP 404, HTTP 400 or a fresh session")
		switch id := kit.RequestHeader(x, "Mcp-Session-Id"); {
		case x.Served() && len(x.ResponseSession()) > 0 && x.ResponseSession()[0] == id:
			t.Note(x, "initialize with an unknown session id opens a session under that id, which the client has chosen")
		case x.Served():
			t.OK(x, "initialize with an unknown session id opens a fresh session")
		case x.Status() == 400, x.Status() == 404:
			t.OK(x, "initialize with an unknown session id is refused: %s", kit.Describe(x))
		default:
			t.Note(x, "initialize with an unknown session id is neither served nor refused with 400 or 404: %s", kit.Describe(x))
		}
	})
}

// sessionMissing is about requests without the session id that the server demands.
func sessionMissing(s *kit.Section) {
	// Alone: a server that takes such a DELETE might end the sessions of other conversations.
	without := s.Script("session/without-id", kit.Alone, func(c *kit.C) {
		c.ListControl("control")
		if c.List("no id", client.WithoutSession(), client.Broken("without Mcp-Session-Id")).Served() {
			c.List("control after")
			return
		}
		steps := []func(){func() { c.List("control after") }}
		if c.Facts.Trait(traitGetStream) == kit.Yes {
			steps = append(steps, func() {
				c.Get("get without id", client.WithoutSession(), client.Broken("without Mcp-Session-Id")).Close()
			})
		}
		c.Unrelated(steps...)
		c.Delete("delete without id", client.WithoutSession(), client.Broken("without Mcp-Session-Id"))
		c.List("control at last")
		// The DELETE that ends the session, when all is over, tells whether clients may.
	}, withSessions, kit.Spends())
	s.Check("session.missing-400", without, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Conclusive("no id", 401, 403)
		if x.Served() {
			t.NotApplicable("the server serves requests without a session id: it does not require one")
		}
		t.Expect(x, kit.HTTP(400))
	})
	s.Check("session.missing-400-get", without, func(t *kit.T) {
		demandsID(t)
		x := t.Conclusive("get without id", 401, 403)
		switch {
		case x.Status()/100 == 2 && x.IsSSE():
			t.NotApplicable("GET opens a stream without a session id: the server does not require one there")
		case x.Status() == 405:
			t.NotApplicable("GET without a session id is answered 405: there is no stream outside a session")
		case x.Status()/100 == 3:
			t.NotObservedAt(kit.Inconclusive, x, "GET is redirected: %s", kit.Describe(x))
		}
		t.Expect(x, kit.HTTP(400))
	}, withGetStream)

	s.Check("session.missing-400-delete", without, func(t *kit.T) {
		demandsID(t)
		x := t.Conclusive("delete without id", 401, 403)
		if x.Status() == 405 || t.Answered(wire.Origin{Kind: wire.FromCleanUp}.Label()).Status() == 405 {
			t.NotApplicable("DELETE is answered 405: clients may not end sessions")
		}
		if x.Status()/100 != 2 {
			if after := t.Answered("control at last"); after.Status() == 404 && !t.SessionsEnd() {
				t.Note(x, "DELETE without a session id is answered %s, and a session of ours has ended all the same", kit.Describe(x))
				return
			}
			t.Control("control at last")
			t.Expect(x, kit.HTTP(400))
			return
		}
		got := kit.Describe(x) + ", although it names no session"
		if !t.Answered("control at last").Served() {
			got += "; a session of ours has ended"
		}
		t.Breach(x, "HTTP 400", got)
	})
}

// demandsID stops where the server serves requests without a session id: then the lack of it is no reason to refuse one.
func demandsID(t *kit.T) {
	t.Control("control")
	if t.Conclusive("no id", 401, 403).Served() {
		t.NotApplicable("the server serves requests without a session id: it does not require one")
	}
}

// causeAnySession is the cause of findings where a session id is not looked up.
const causeAnySession = "any session id is served"

// sessionUnknown is about session ids that the server never issued, and about ids that it should recognise.
func sessionUnknown(s *kit.Section) {
	s.Check("session.unknown-404", refusedGets, func(t *kit.T) {
		const expected = "HTTP 404"
		t.Says(expected)
		t.Control("control", "control after")
		x := t.Conclusive("unknown session")
		if x.Status() == 404 {
			t.OK(x, "%s", kit.Describe(x))
			return
		}
		if x.Served() {
			t.Cause(causeAnySession)
		}
		t.Warn(x, expected, kit.Describe(x))
	}, withSessions)

	s.Check("session.header-case-insensitive", requestForms, func(t *kit.T) {
		t.Says("a result, however the header is spelt")
		t.Control("control", "control after")
		for _, name := range sessionHeaders {
			x := conclusive(t, formLabel(t, name))
			if x.Response.Proto == "HTTP/2.0" {
				t.NotApplicable("HTTP/2 sends all header names in lower case")
			}
			if x.Served() {
				t.OK(x, "every spelling of Mcp-Session-Id is recognised")
				continue
			}
			t.Breach(x, "a result, with the session id in the header "+name, kit.Describe(x))
		}
	}, withSessions)
}
