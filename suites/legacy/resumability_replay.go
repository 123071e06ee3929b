package legacy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// resumabilityReplay are the rules for what comes when a stream is resumed.
func resumabilityReplay(s *kit.Section) {
	replay := s.Add(replayScript)
	s.CheckAcross("resumability.replay", []*kit.Script{replay, droppedCall}, func(t *kit.T) {
		whole := wholeStream(t)
		x := t.Answered("resumed")
		t.Says("a replay, an empty stream, 405 or 400")
		if x.Status()/100 == 2 && replays(whole, x) {
			t.OK(x, "%d of the %d events came again", len(eventIDs(x)), len(eventIDs(whole)))
			return
		}
		// Some keep the events of a stream only until its response was delivered.
		for _, call := range t.In(droppedCall).Transcript().Exchanges {
			for _, resumed := range resumptionsOf(t.In(droppedCall).Transcript(), call) {
				if replays(call, resumed) {
					t.OK(resumed, "a stream that broke goes on where it was resumed; one that was over brings nothing again")
					return
				}
			}
		}
		t.Note(x, "events have ids, but a GET with Last-Event-ID brings nothing of a finished stream again: %s", kit.Describe(x))
	})

	s.Check("resumability.after-last-id", replay, func(t *kit.T) {
		whole := wholeStream(t)
		x := replayed(t)
		const expected = "the events after the one that was named"
		t.Says(expected)
		named, came := resumedFrom(whole), eventIDs(x)
		// Priming events have no data: one under the old id brings nothing again.
		if again := eventWith(x, named); again != nil && again.Dispatched {
			t.Breach(x, expected, fmt.Sprintf("the named event %q again", named))
			return
		}
		// Only what lies between two events can be missed: the tail may still be on its way.
		missing, owed := "", false
		for _, e := range whole.Events() {
			switch {
			case e.ID == "" || !owed:
				owed = owed || e.ID == named
			case !came[e.ID]:
				missing = cmp.Or(missing, e.ID)
			case missing != "":
				t.Warn(x, expected, fmt.Sprintf("a replay without the event %q", missing))
				return
			}
		}
		t.OK(x, "the replay starts with the event after the one that was named")
	})

	s.Check("resumability.same-stream-only", replay, func(t *kit.T) {
		first := severalTried(t)
		demandUnique(t, t.Transcript(), first)
		second, resumed := t.Answered("second"), t.Answered("resumed")
		const expected = "nothing of another stream"
		t.Says(expected)
		others := eventIDs(second)
		for i, e := range resumed.Events() {
			at := kit.Seen{Located: wire.Located{Event: i}, Exchange: resumed}
			m := e.Message()
			switch {
			case e.Dispatched && (m.HasResult || m.HasError) && wire.SameID(m.ID, second.RequestMessage().ID):
				t.BreachAt(at, expected, "the response to the second request on the resumed stream of the first")
			case others[e.ID]:
				t.BreachAt(at, expected, fmt.Sprintf("event %q, which belongs to another stream", e.ID))
			}
		}
		if !replays(first, resumed) {
			t.NotObservedAt(kit.Inconclusive, resumed, "the server did not replay: %s", kit.Describe(resumed))
		}
		t.OK(resumed, "the replay of the first stream holds nothing of the second")
	})

	s.Check("resumability.response-redelivered", droppedCall, func(t *kit.T) {
		call, resumed := dropped(t)
		const expected = "the outstanding response on the resumed stream"
		t.Says(expected)
		judgeRedelivery(t, call, resumed, expected)
	})

	s.Check("resumability.foreign-session", replay, func(t *kit.T) {
		whole := wholeStream(t)
		replayed(t)
		x := t.Answered("from another session")
		const expected = "nothing of the other session"
		t.Says(expected)
		if !x.IsSSE() || x.Status()/100 != 2 {
			t.OK(x, "%s", kit.Describe(x))
			return
		}
		// Ids are unique in a session only: an equal id under other data is another event.
		data := map[string]string{}
		for _, e := range whole.Events() {
			data[e.ID] = e.Data
		}
		for i, e := range x.Events() {
			at := kit.Seen{Located: wire.Located{Event: i}, Exchange: x}
			if e.ID != "" && e.Data != "" && data[e.ID] == e.Data || e.Message().HasResult && wire.SameID(e.Message().ID, whole.RequestMessage().ID) {
				t.BreachAt(at, expected, "messages of the session that the event id belongs to")
			}
		}
		t.OK(x, "the event id of one session gives nothing away in another")
	}, withSessions)

	s.Check("resumability.unknown-id", refusedGets, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Answered("unknown event")
		t.Says("HTTP 400, 405, or a stream")
		if x.Status() >= 500 && t.Answered("unknown event again").Status() < 500 {
			t.NotObservedAt(kit.Inconclusive, x, "it was answered 5xx once, and not again: %s", kit.Describe(x))
		}
		if x.Status() == 404 || x.Status() >= 500 {
			t.Note(x, "an unknown Last-Event-ID is answered %s; clients take 404 for the end of their session", kit.Describe(x))
			return
		}
		t.OK(x, "%s", kit.Describe(x))
	}, withGetStream)
}

// wholeStream is the stream with several events that the script resumes.
func wholeStream(t *kit.T) *wire.Exchange {
	whole := severalTried(t)
	if len(eventIDs(whole)) < 2 {
		t.NotObserved(kit.Unprovoked, "no stream had more than one event with an id")
	}
	demandUnique(t, t.Transcript(), whole)
	return whole
}

// severalTried is the richest of the streams that the script tried, the one that it resumed where several are.
func severalTried(t *kit.T) *wire.Exchange {
	var tried []*wire.Exchange
	for _, x := range t.Transcript().Exchanges {
		if x.Name() == severalLabel {
			tried = append(tried, x)
		}
	}
	if len(tried) == 0 || firstEventID(richest(tried)) == "" {
		t.NotObserved(kit.Unprovoked, "no stream had an event with an id")
	}
	best := richest(tried)
	if resumed := t.IfSent("resumed"); resumed != nil {
		// They were sent side by side: which of several that are as rich was taken is told by the id alone.
		last := kit.RequestHeader(resumed, "Last-Event-ID")
		if i := slices.IndexFunc(tried, func(x *wire.Exchange) bool {
			return len(eventIDs(x)) == len(eventIDs(best)) && resumedFrom(x) == last
		}); i >= 0 {
			return tried[i]
		}
	}
	return best
}

func eventWith(x *wire.Exchange, id string) *wire.Event {
	for _, e := range x.Events() {
		if e.ID == id {
			return &e
		}
	}
	return nil
}

// replayed is the resumed stream of a server that replays.
func replayed(t *kit.T) *wire.Exchange {
	x := t.Answered("resumed")
	if !replays(wholeStream(t), x) {
		t.NotObservedAt(kit.Inconclusive, x, "the server did not replay: %s", kit.Describe(x))
	}
	return x
}
