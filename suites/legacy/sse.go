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
		labels := atOnce
		if c.Facts.Trait(traitEventIDs) != kit.Yes {
			labels = atOnce[:withoutIDs]
		}
		for round := 1; round <= idRounds; round++ {
			opened := make([]*wire.Exchange, len(labels))
			var steps []func()
			for i, label := range labels {
				ask := c.List
				if i%withoutIDs == withoutIDs-1 {
					ask = c.Safe
				}
				steps = append(steps, func() { opened[i] = ask(inRound(label, round)) })
			}
			c.Parallel(steps...)
			// Ids that are made from a clock come twice now and then only: whether one that did was chance, more rounds show.
			if round == 1 && repeatedIDs(opened) != 1 {
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
			for _, label := range atOnce {
				if x := t.IfSent(inRound(label, round)); x != nil {
					rounds[x] = true
				}
			}
		}
		seen := map[string]origin{}
		streams := map[*wire.Exchange]bool{}
		var first *wire.Exchange
		// A collision of what is sent once, initialize and GET, was not tried in every round; with one of these no round shows another.
		got, again, tried, once := "", 0, false, false
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
					first, tried, once = x, rounds[x] || rounds[other.x], !rounds[x] || !rounds[other.x]
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
		case again == 1 && tried && (once || t.IfSent(inRound("first", idRounds)) != nil):
			t.Note(first, "%s, the only id of %d that came twice", got, len(seen))
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
		t.OK(get, "no request that was answered while the stream was watched was answered on it")
	}, withGetStream)
}

// atOnce are the requests whose streams are open at the same time, to see whether their events get ids of their own: six make as many pairs
// as five rounds of three. Without ids three are enough.
var atOnce = []string{"first", "second", "third", "fourth", "fifth", "sixth"}

const (
	withoutIDs = 3
	// idRounds is how often that is done where one id came twice.
	idRounds = 5
)

// repeatedIDs is how often an event id of streams came again.
func repeatedIDs(streams []*wire.Exchange) int {
	seen, again := map[string]bool{}, 0
	for _, x := range streams {
		for _, e := range x.Events() {
			if e.ID != "" && seen[e.ID] {
				again++
			}
			seen[e.ID] = true
		}
	}
	return again
}

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
