package legacy

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func sse(s *kit.Section) {
	sseFields(s)
	sseStreams(s)

	several := s.Script("sse/several-streams", kit.Own, func(c *kit.C) {
		stream := c.Listen("get")
		for round := 1; round <= idRounds; round++ {
			c.Parallel(
				func() { c.List(inRound("first", round)) },
				func() { c.List(inRound("second", round)) },
				func() { c.Safe(inRound("third", round)) },
			)
			// Ids that are made from a clock come twice now and then only.
			if c.Facts.Trait(traitEventIDs) != kit.Yes {
				break
			}
		}
		c.Watch(stream, c.Safe("marker"))
		stream.Close()
	}, kit.Fresh())
	s.Check("sse.event-id-unique", several, func(t *kit.T) {
		t.Says("every event id once in a session")
		type origin struct {
			x       *wire.Exchange
			message bool
		}
		rounds := map[*wire.Exchange]bool{}
		for round := 1; round <= idRounds; round++ {
			for _, label := range []string{"first", "second", "third"} {
				if x := t.IfSent(inRound(label, round)); x != nil {
					rounds[x] = true
				}
			}
		}
		seen := map[string]origin{}
		streams := map[*wire.Exchange]bool{}
		var first *wire.Exchange
		// A collision of what is sent once, initialize and GET, was not tried in every round.
		got, again, tried := "", 0, false
		for _, x := range t.Transcript().Exchanges {
			if kit.RequestHeader(x, "Last-Event-ID") != "" {
				continue
			}
			for _, e := range x.Events() {
				if e.ID == "" {
					continue
				}
				streams[x] = true
				if other, taken := seen[e.ID]; taken {
					if again++; again > 1 {
						continue
					}
					first, tried = x, rounds[x] || rounds[other.x]
					got = fmt.Sprintf("event id %q on %q and again on %q", e.ID, other.x.Label, x.Label)
					if other.x == x {
						got = fmt.Sprintf("event id %q twice on %q", e.ID, x.Label)
					}
					if !e.Dispatched && !other.message {
						got += "; no message came with either"
					}
					continue
				}
				seen[e.ID] = origin{x, e.Dispatched}
			}
		}
		switch {
		case again == 1 && tried && t.IfSent(inRound("first", idRounds)) != nil:
			t.Note(first, "%s, once in %d rounds", got, idRounds)
		case again > 0:
			t.Breach(first, "every event id once in a session", got)
		case len(streams) < 2:
			t.NotObserved(kit.Unprovoked, "fewer than two streams carried event ids")
		}
		t.OK(nil, "%d ids on %d streams, each once", len(seen), len(streams))
	}, withEventIDs)

	s.Check("sse.get-no-response", several, func(t *kit.T) {
		t.Says("no response on a GET stream that resumes nothing")
		t.Control("marker")
		get := t.Answered("get")
		if !get.IsSSE() {
			t.NotObservedAt(kit.Inconclusive, get, "no stream was opened: %s", kit.Describe(get))
		}
		t.Watched("get")
		asked := askedIDs(t)
		for _, m := range get.Messages() {
			// Responses to nobody and messages of two kinds have entries of their own.
			if !m.HasMethod && (m.HasResult || m.HasError) && asked.Has(m.ID) {
				t.BreachAt(kit.Seen{Located: m, Exchange: get}, "no response on a GET stream", kit.DescribeMessage(m.Message)+" with id "+kit.JSON(m.ID))
			}
		}
		t.OK(get, "four requests were answered while the stream was watched, none of them on it")
	}, withGetStream)
}

// idRounds is how often streams are opened at the same time to see whether their events get ids of their own.
const idRounds = 5

// inRound is the label of a request in one of the rounds; the first does without its number.
func inRound(label string, round int) string {
	if round == 1 {
		return label
	}
	return fmt.Sprintf("%s of round %d", label, round)
}

// sseFields are the rules for the bytes of a stream, as the WHATWG's decoder reads them.
func sseFields(s *kit.Section) {
	s.Passive("sse.content-type", judges.StreamTypes)

	s.Passive("sse.utf8", judges.StreamEncoding)

	s.Passive("sse.line-format", judges.StreamLines)

	s.Passive("sse.event-terminated", judges.EventsTerminated)

	s.Passive("sse.multiline-data", judges.MultilineData)

	s.Passive("sse.id-field", judges.EventIDFields)

	s.Passive("sse.retry-field", judges.RetryFields)

	s.Passive("sse.comments", judges.StreamComments)

	s.Passive("sse.data-jsonrpc", judges.EventMessages)

	s.Passive("sse.event-type", judges.EventTypes)
}
