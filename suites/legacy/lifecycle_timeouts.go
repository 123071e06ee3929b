package legacy

import (
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// lifecycleTimeouts is about a server whose request is never answered. Only one that sends a request while its stream is watched can
// be judged, and only then is there anything to wait for.
func lifecycleTimeouts(s *kit.Section) {
	deaf := s.Script("lifecycle/unanswered", kit.Own, func(c *kit.C) {
		c.IgnorePings(true)
		c.OnRequest(func(wire.Message) (any, bool) { return nil, true })
		stream := c.Get("get")
		defer stream.Close()
		c.Watch(stream, c.Safe("control"))
		asked, ok := stream.Next(0, isRequest)
		if !ok {
			return
		}
		id := asked.Message().ID
		stream.Next(c.Client().Timeout(), func(e wire.Event) bool { return cancels(e.Message(), id) })
		select {
		case <-stream.Done():
			// Did it close because nobody answered? A stream whose pings are answered tells.
			waited := stream.Exchange().End - asked.At
			c.IgnorePings(false)
			c.OnRequest(nil)
			second := c.Get("answered")
			second.Next(waited+time.Second, func(wire.Event) bool { return false })
			second.Close()
		default:
		}
	}, withGetStream, kit.Fresh(), kit.Waits())

	s.Check("lifecycle.timeouts.server", deaf, func(t *kit.T) {
		t.Says("a visible end of the wait for an answer that never comes")
		switch end := waitEnded(t); {
		case end.cancelled:
			t.OK(end.stream, "a request that is not answered is cancelled after %s", end.after.Round(time.Millisecond))
		default:
			t.OK(end.stream, "the stream on which a request was not answered is closed after %s", end.after.Round(time.Millisecond))
		}
	})
	s.Check("lifecycle.timeouts.server-cancels", deaf, func(t *kit.T) {
		const expected = "notifications/cancelled for a request that was not answered in time"
		t.Says(expected)
		end := waitEnded(t)
		if !end.cancelled {
			t.Breach(end.stream, expected, "the stream was closed after "+end.after.Round(time.Millisecond).String()+" without it")
			return
		}
		t.OK(end.stream, "a request that is not answered is cancelled after %s", end.after.Round(time.Millisecond))
	})
}

// A waitEnd is how the server ended the wait for an answer.
type waitEnd struct {
	stream    *wire.Exchange
	cancelled bool
	after     time.Duration
}

// waitEnded finds how the wait of lifecycle/unanswered ended. Where it did not, nothing can be said: the server's limit may be longer
// than ours.
func waitEnded(t *kit.T) waitEnd {
	t.Control("control")
	get := t.Answered("get")
	var asked *wire.Located
	for _, m := range get.Messages() {
		switch {
		case asked == nil && m.Kind == wire.KindRequest:
			asked = &m
		case asked != nil && cancels(m.Message, asked.ID):
			return waitEnd{get, true, m.At - asked.At}
		}
	}
	if asked == nil {
		t.NotObservedAt(kit.Inconclusive, get, "the server sent no request while its stream was watched")
	}
	if get.EndedBy != wire.ByServer {
		t.NotObservedAt(kit.Inconclusive, get, "the wait for the answer to %s did not end while we watched: the server's limit may be longer than ours",
			kit.DescribeMessage(asked.Message))
	}
	second := t.Answered("answered")
	if !second.IsSSE() || second.Status()/100 != 2 {
		t.NotObservedAt(kit.Inconclusive, second, "the stream was closed, and no other opens that could show whether the missing answer is the reason: %s",
			kit.Describe(second))
	}
	if second.EndedBy != wire.ByClient {
		t.NotObservedAt(kit.Inconclusive, second, "the server closes its stream also where its requests are answered, so that the missing answer cannot be the reason")
	}
	return waitEnd{get, false, get.End - asked.At}
}

func isRequest(e wire.Event) bool {
	return e.Dispatched && e.Message().Kind == wire.KindRequest
}
