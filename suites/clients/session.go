package clients

import (
	"net/http"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func session(s *kit.Section) {
	s.Passive("session.client.sends-id", sendsID)
	s.Passive("session.client.restart-on-404", restartOn404)
	s.Passive("session.client.delete", deletesSession)
	s.Passive("session.client.no-invented-id", noInventedID)
}

// sendsID: what belongs to a session that was given an id carries it. Which session a request without one belongs to is only certain where
// there is one.
func sendsID(t *kit.T) {
	const expected = "the Mcp-Session-Id that came with the answer to initialize"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no session with an id went on after initialize")
	for _, c := range conversations(t) {
		if !c.assigned() {
			continue
		}
		for _, s := range c.sessions {
			if s.id != "" {
				for range s.requests {
					t.Saw()
				}
			}
		}
		for _, x := range c.loose {
			if c.openings > 1 {
				t.Note(x, "%s without Mcp-Session-Id, which may be the start of another connection", what(x))
				continue
			}
			t.Breach(x, expected, what(x)+" without it")
		}
		for _, x := range c.strange {
			t.Breach(x, expected, what(x)+" with an id that was never assigned")
		}
	}
}

// onItsWay is how long behind an answer a request may arrive that was sent before the client had read it.
const onItsWay = 50 * time.Millisecond

// oneByOne tells that the client asks for one thing after the other: no two of its requests in any conversation overlap, and some follow an
// answer at once. Such a client has nothing under way when an answer comes.
func oneByOne(t *kit.T) bool {
	at := 0
	for _, tr := range t.Everywhere() {
		var before *wire.Exchange
		for _, x := range tr.Exchanges {
			if x.Request.Method != http.MethodPost || !isRequest(x.RequestMessage()) {
				continue
			}
			switch {
			case before == nil:
			case x.Sent <= before.Head || x.Sent < before.AnsweredAt()-onItsWay:
				return false
			case x.Sent < before.AnsweredAt()+onItsWay:
				at++
			}
			before = x
		}
	}
	return at > 1
}

// mayRace tells that a request may have been on its way when another was answered. Whoever sends it over the same connection of HTTP/1.1 has
// read the answer before.
func mayRace(x, answered *wire.Exchange) bool {
	return x.Sent < answered.AnsweredAt()+onItsWay && (x.Conn == 0 || x.Conn != answered.Conn)
}

// restartOn404: a session that is gone is begun anew.
func restartOn404(t *kit.T) {
	const expected = "initialize without Mcp-Session-Id"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no request of a session was answered 404 before the client had something else to send: have it do one more thing")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			lost := slices.IndexFunc(s.requests, func(x *wire.Exchange) bool {
				return s.id != "" && x.Request.Method == "POST" && x.Status() == 404
			})
			// A session that the client ended itself is not lost.
			if lost < 0 || slices.ContainsFunc(s.requests, func(x *wire.Exchange) bool {
				return x.Request.Method == "DELETE" && (x.Sent < s.requests[lost].End || !c.after(x, s.requests[lost]))
			}) {
				continue
			}
			var racing *wire.Exchange
			inTurn := oneByOne(t)
			for _, x := range c.tr.Exchanges {
				m := x.RequestMessage()
				if !c.after(x, s.requests[lost]) || x.Request.Method != "POST" || isModern(m) {
					continue
				}
				id := kit.RequestHeader(x, headerSession)
				switch {
				case id != s.id && m.Method == methodInitialize:
					t.OK(x, "a new session after 404")
				case id != s.id:
					continue
				case m.Method == methodInitialize:
					t.Breach(x, expected, "initialize with the id of the session that is gone")
				case !inTurn && mayRace(x, s.requests[lost]) && (racing == nil || !c.after(x, racing)):
					racing = x
					continue
				default:
					t.Breach(x, expected, what(x)+" with the id of the session that is gone")
				}
				break
			}
		}
	}
}

// deletesSession: a client that is done says so.
func deletesSession(t *kit.T) {
	const expected = "DELETE with the session id when the client is done"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no session with an id went on after initialize and came to its end")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			switch {
			case s.id == "" || !s.agreed() || len(s.requests) == 0:
			case slices.ContainsFunc(s.requests, func(x *wire.Exchange) bool { return x.Request.Method == "DELETE" }):
				t.Saw()
			case slices.ContainsFunc(s.requests, func(x *wire.Exchange) bool { return x.Request.Method != "GET" && wentWrong(x) || x.Status() == 404 }):
				// It is over already, or the client gave up.
			case leftHanging(c.tr):
				// Whoever gives up on a call may give up altogether.
			case c.tr.Aborted != "":
				t.Unseen(kit.Ended, "the client did not come to its end: %s", c.tr.Aborted)
			default:
				t.Warn(s.opening, expected, "the client ended without it")
			}
		}
	}
}

func noInventedID(t *kit.T) {
	const expected = "no Mcp-Session-Id, since none was assigned"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "every session was given an id")
	for _, c := range conversations(t) {
		if len(c.sessions) == 0 || c.assigned() {
			continue
		}
		for _, x := range c.strange {
			t.Warn(x, expected, what(x)+" with Mcp-Session-Id")
		}
		for _, s := range c.sessions {
			for range s.requests {
				t.Saw()
			}
		}
	}
}
