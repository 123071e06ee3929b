package legacy

import (
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// sessionEnded is about sessions that have ended: by DELETE, or because the server ended them.
func sessionEnded(s *kit.Section) {
	s.Add(ended)
	s.CheckAcross("session.terminated-404", []*kit.Script{ended, getStream}, func(t *kit.T) {
		t.Control("control")
		deleted := t.Answered("delete")
		if deleted.Status() == 405 {
			t.NotApplicable("DELETE is answered 405: clients may not end sessions")
		}
		t.In(getStream).Control("control")
		x := lastOf(t, "after delete")
		switch {
		case deleted.Status() == 404 && x.Served():
			t.Note(deleted, "DELETE is answered 404 and the session lives on: there is no route for it, 405 would say so")
		case deleted.Status()/100 != 2 && x.Status() != 404:
			t.NotObservedAt(kit.TurnedAway, deleted, "the session could not be ended: DELETE was answered %s", kit.Describe(deleted))
		default:
			if x.Served() {
				t.Cause(causeAnySession)
			}
			t.Expect(t.MustConclude(x, 401, 403, 500, 501), kit.HTTP(404))
		}
	})

	// It rests on session.terminated-404, which has looked at the controls.
	s.Check("session.terminated-404-get", ended, func(t *kit.T) {
		if deleted := t.Answered("delete"); deleted.Status()/100 != 2 && lastOf(t, "after delete").Status() != 404 {
			t.NotApplicable("the session could not be ended: DELETE was answered %s", kit.Describe(deleted))
		}
		x := t.MustConclude(lastOf(t, "get after delete"), 401, 403, 500, 501)
		t.Expect(x, kit.HTTP(404))
	}, withGetStream)

	s.Passive("session.expired-404", func(t *kit.T) {
		t.Says("HTTP 404 to the id of a session that the server has ended")
		if turned := t.RefusedInTurn(); len(turned) > 0 {
			t.Kind("in turn")
			t.Proven()
			for _, x := range turned {
				t.Breach(x, "HTTP 404 to a session id from then on",
					kit.Describe(x)+", and a result again after it: it is refused and served in turn, as several instances without shared sessions would")
			}
			return
		}
		t.Late()
		dead := deadSessions(t)
		for _, d := range dead {
			first := d.refusals[0]
			if d.revived {
				t.Note(first.Exchange, "one session was refused and served again: %s; several instances that do not share sessions would explain it",
					kit.Describe(first.Exchange))
				continue
			}
			// That a new session is served meanwhile is what confirming shows: it opens one.
			for _, x := range d.refusals {
				if x.Status() == 404 {
					t.OK(x.Exchange, "the server ended a session by itself and answers 404 to its id")
					continue
				}
				t.Breach(x.Exchange, "HTTP 404 to the id of a session that the server has ended", kit.Describe(x.Exchange))
			}
		}
		if len(dead) == 0 {
			t.NotObserved(kit.Unprovoked, "no session ended by itself during the run")
		}
	}, withSessions)
}

// lastOf returns the second try of a request where there was one.
func lastOf(t *kit.T, label string) *wire.Exchange {
	if x := t.Transcript().From(wire.RepetitionOf(label)); x != nil {
		label = x.Label
	}
	return t.Answered(label)
}

// sessionDelete is about DELETE itself.
func sessionDelete(s *kit.Section) {
	s.Check("session.delete-answered", ended, func(t *kit.T) {
		t.Control("control")
		x := t.Conclusive("delete", 500, 501)
		t.Says("HTTP 2xx or 405")
		if x.Status()/100 == 2 || x.Status() == 405 {
			t.OK(x, "DELETE is answered %s", kit.Describe(x))
			return
		}
		t.Note(x, "DELETE of a session is answered %s; clients expect HTTP 2xx, or 405 where they may not end sessions", kit.Describe(x))
	})

	// Alone: while other conversations end, their DELETE might be the one that ends ours.
	pair := s.Script("session/pair", kit.Alone, func(c *kit.C) {
		second := c.Initialize("second", c.Revision)
		if !second.Served() || len(second.ResponseSession()) == 0 {
			return
		}
		id := client.WithSession(second.ResponseSession()[0])
		c.Parallel(func() { c.Notify("second initialized", "notifications/initialized", id) }, func() { c.Safe("in the first") })
		c.Safe("in the second", id)
		c.Delete("delete the second", id)
		c.Safe("in the first afterwards")
	}, withSessions, kit.Intricate())
	s.Check("session.isolated", pair, func(t *kit.T) {
		t.Control("second")
		if slices.Contains(t.Answered("second").ResponseSession(), t.Transcript().Session.ID) {
			t.NotObserved(kit.Inconclusive, "two clients were given the same session id")
		}
		t.Control("in the first", "in the second")
		deleted := t.Answered("delete the second")
		switch {
		case deleted.Status() == 405:
			t.NotApplicable("DELETE is answered 405: clients may not end sessions")
		case deleted.Status()/100 != 2:
			t.NotObservedAt(kit.TurnedAway, deleted, "the second session could not be ended: DELETE was answered %s", kit.Describe(deleted))
		}
		x := t.Conclusive("in the first afterwards")
		const expected = "a result in the session that was not ended"
		t.Says(expected)
		switch {
		case x.Served():
			t.OK(x, "one session goes on after another was ended")
		case x.Status()/100 == 4:
			t.Breach(x, expected, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "the session that was not ended is neither served nor refused: %s", kit.Describe(x))
		}
	})
}

// A deadSession worked and was then refused, without anybody having asked for its end.
type deadSession struct {
	refusals []timed
	revived  bool
}

// deadSessions finds them by the requests that the server serves in any live session (ping, lists), over all conversations.
func deadSessions(t *kit.T) []deadSession {
	var ids []string
	lives := map[string][]timed{}
	deleted := map[string]time.Time{}
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			// Other spellings of the header are a probe of session.header-case-insensitive.
			id, at := strings.Join(x.Request.Header["Mcp-Session-Id"], ""), tr.Started.Add(x.Sent)
			switch method := x.RequestMessage().Method; {
			case id == "":
			case x.Request.Method == "DELETE":
				if first, ok := deleted[id]; !ok || at.Before(first) {
					deleted[id] = at
				}
			case x.Broken == "" && method != "" && (method == t.Facts().Safe || method == t.Facts().List):
				if lives[id] == nil {
					ids = append(ids, id)
				}
				lives[id] = append(lives[id], timed{x, at, tr.Started.Add(x.End)})
			}
		}
	}
	var dead []deadSession
	for _, id := range ids {
		slices.SortStableFunc(lives[id], func(a, b timed) int { return a.at.Compare(b.at) })
		if d, ok := death(lives[id], deleted[id]); ok {
			dead = append(dead, d)
		}
	}
	return dead
}

// timed is an exchange with the wall clock of its beginning and end.
type timed struct {
	*wire.Exchange
	at, end time.Time
}

// death finds the refusals after the session had worked and before anybody deleted it, and whether it was served again.
func death(life []timed, deleted time.Time) (d deadSession, died bool) {
	worked := false
	for _, x := range life {
		if !deleted.IsZero() && !x.at.Before(deleted) {
			break
		}
		switch {
		case x.Served():
			// What was under way when the first refusal came proves nothing.
			d.revived = len(d.refusals) > 0 && x.at.After(d.refusals[0].end)
			worked = true
		case worked && refusesSession(x.Status()):
			d.refusals = append(d.refusals, x)
		}
	}
	return d, len(d.refusals) > 0
}
