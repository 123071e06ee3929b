package legacy

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func resumability(s *kit.Section) {
	resumabilityReplay(s)

	replay := s.Script("resumability/same-stream", kit.Own, func(c *kit.C) {
		first := c.List("first")
		c.List("second")
		if id := firstEventID(first); id != "" {
			c.Drain(c.Get("resumed", client.WithHeader("Last-Event-ID", id)))
		}
	}, kit.GetStream)
	s.Check("resumability.same-stream-only", replay, func(t *kit.T) {
		t.Control("first", "second")
		first, second := t.Exchange("first"), t.Exchange("second")
		resumed := t.Exchange("resumed")
		if !resumed.IsSSE() {
			t.NotObservedAt(resumed, "the server did not replay: %s", kit.Describe(resumed))
		}
		const expected = "nothing of another stream"
		t.Says(expected)
		// Ids that both streams used are no evidence; that they did is sse.event-id-unique's business.
		others := eventIDs(second)
		for id := range eventIDs(first) {
			delete(others, id)
		}
		for i, e := range resumed.Events() {
			at := kit.Seen{Located: client.Located{Event: i}, Exchange: resumed}
			m := e.Message()
			switch {
			case e.Dispatched && (m.HasResult || m.HasError) && client.SameID(m.ID, second.RequestMessage().ID):
				t.BreachAt(at, expected, "the response to the second request on the resumed stream of the first")
			case e.HasID && others[e.ID]:
				t.BreachAt(at, expected, fmt.Sprintf("event %q, which belongs to another stream", e.ID))
			}
		}
		if !replays(first, resumed) {
			t.NotObservedAt(resumed, "the server did not replay: nothing of the first stream came again")
		}
		t.OK(resumed, "the replay of the first stream holds nothing of the second")
	}, kit.EventIDs)
}

// replays tells that a resumed stream brought events of the stream that it resumes: a comment, or a fresh stream with ids of its
// own, is no replay.
func replays(whole, resumed *client.Exchange) bool {
	ids := eventIDs(whole)
	for id := range eventIDs(resumed) {
		if ids[id] {
			return true
		}
	}
	return carries(resumed, whole.RequestMessage().ID)
}

func firstEventID(x *client.Exchange) string {
	for _, e := range x.Events() {
		if e.HasID && e.ID != "" {
			return e.ID
		}
	}
	return ""
}

func eventIDs(x *client.Exchange) map[string]bool {
	ids := map[string]bool{}
	for _, e := range x.Events() {
		if e.HasID && e.ID != "" {
			ids[e.ID] = true
		}
	}
	return ids
}
