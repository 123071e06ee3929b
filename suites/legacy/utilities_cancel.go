package legacy

import (
	"fmt"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const cancelMethod = "notifications/cancelled"

// causeCancellation is the cause of findings where a cancellation that finds nothing to cancel costs the session.
const causeCancellation = "a cancellation without a request ends the session"

func utilitiesCancel(s *kit.Section) {
	cancelPointless(s)
	cancelStops(s)
	cancelRace(s)
	cancelByServer(s)
}

// pointless are the cancellations that have nothing to cancel, by their labels.
var pointless = []string{"unknown", "finished", "malformed"}

// cancelPointless sends cancellations that have nothing to cancel. A server need not like them, but goes on.
func cancelPointless(s *kit.Section) {
	script := s.Script("utilities/pointless-cancellation", kit.Own, func(c *kit.C) {
		control := c.SafeControl("control")
		var steps []func()
		for _, kind := range pointless {
			steps = append(steps, func() { cancelNothing(c, kind, kind, control) })
		}
		c.Parallel(steps...)
		if !c.Safe("after").Served() {
			compareSession(c, 1+len(pointless))
			eachAlone(c)
		}
	})
	s.Check("utilities.cancel.invalid-ignored", script, func(t *kit.T) {
		t.Control("control")
		const expected = "HTTP 2xx, and a session that goes on"
		t.Says(expected)
		if got, gone := lostAfter(t, "after"); gone {
			t.Cause(causeCancellation)
			x, what := t.Sent("after"), "cancellations that have nothing to cancel"
			for _, kind := range pointless {
				if after := t.IfSent("after " + kind + alone); after != nil && !after.Served() {
					x, what = after, t.Sent(kind).Broken
					break
				}
			}
			t.Breach(x, expected, got+" to the next request after "+what)
			return
		}
		for _, kind := range pointless {
			x := t.Conclusive(kind)
			// A notification that the transport cannot accept may be refused, and the malformed one is such.
			if x.Status()/100 == 4 && kind != "malformed" {
				t.Breach(x, expected, kit.Describe(x)+" to "+x.Broken)
			}
			t.OK(x, "cancellations that have nothing to cancel are ignored")
		}
	})
}

// alone marks a cancellation in a session where no other was sent, and what belongs to it.
const alone = " alone"

// cancelNothing sends a cancellation that has nothing to cancel.
func cancelNothing(c *kit.C, label, kind string, answered *wire.Exchange, session ...client.Option) {
	with := func(broken string) []client.Option { return append([]client.Option{client.Broken(broken)}, session...) }
	switch kind {
	case "unknown":
		cancel(c, label, c.Client().NextID(), with("cancelling a request that never was")...)
	case "finished":
		cancel(c, label, answered.RequestMessage().ID, with("cancelling a request that was answered")...)
	case "malformed":
		c.Notify(label, cancelMethod, append(with("a cancellation without requestId"), client.WithParams(map[string]any{"reason": "mcpcheck"}))...)
	}
}

// eachAlone sends each of them in a session of its own, to see which one it was that cost a session.
func eachAlone(c *kit.C) {
	if c.OldTransport() || c.Facts.Trait(traitSessions) != kit.Yes {
		return
	}
	for _, kind := range pointless {
		session, ok := anotherSession(c, kind+alone)
		if !ok {
			return
		}
		answered := c.Safe("before "+kind+alone, session...)
		cancelNothing(c, kind+alone, kind, answered, session...)
		if !c.Safe("after "+kind+alone, session...).Served() {
			return
		}
	}
}

// cancelStops calls the slowest of the tools that the user named, sees how long it takes, calls it again and cancels that call. It
// comes last, since beside other slow calls the cancellation might have to queue until there is nothing left to cancel.
func cancelStops(s *kit.Section) {
	stops := s.Script("utilities/cancelled-call", kit.Last, func(c *kit.C) {
		usual, slowest := time.Duration(0), kit.ToolCall{}
		for i, x := range callNamed(c) {
			if took := x.End - x.Sent; x.Served() && took > usual {
				usual, slowest = took, c.Calls[i]
			}
		}
		if usual < noticeable {
			return
		}
		id, patience := c.Client().NextID(), usual/4+2*usual
		c.Parallel(func() {
			c.CallTool("call", slowest, client.WithID(id), client.GiveUp(patience), client.WithTimeout(2*patience),
				client.Broken("cancelled while it ran"))
		}, func() {
			c.Sleep(usual / 4)
			cancel(c, "cancel", id)
		})
		c.Safe("control after")
	}, kit.Tools, kit.Named, kit.Fresh(), kit.Spends())

	s.Check("utilities.cancel.stops", stops, func(t *kit.T) {
		const expected = "no response to a call that was cancelled"
		t.Says(expected)
		if tr := t.Transcript(); tr.Exchange("call") == nil && tr.Aborted == "" && tr.Exchange("initialize").Served() {
			t.NotObserved(kit.Unnamed, "no tool that was named with --call takes %v or longer, so that none can be cancelled while it runs", noticeable)
		}
		cancelled := t.Conclusive("cancel")
		x := t.In(stops).Sent("call")
		if cancelled.Status()/100 != 2 {
			t.NotObservedAt(kit.Inconclusive, cancelled, "the cancellation was not accepted: %s", kit.Describe(cancelled))
		}
		t.Control("control after")
		m, answered := judges.AnswerTo(t, t.Transcript(), x)
		late := m.At - cancelled.Head
		switch {
		case !answered && x.EndedBy == wire.ByServer && x.Status()/100 == 2:
			t.OK(x, "a cancelled call gets no response; its stream ends")
		case !answered && x.EndedBy == wire.ByClient:
			t.OK(x, "a cancelled call gets no response, after twice its usual time")
		case !answered:
			t.NotObservedAt(kit.Inconclusive, x, "the cancelled call broke off: %s", kit.Describe(x))
		case m.At < cancelled.Sent:
			t.NotObservedAt(kit.Raced, x, "the call was answered before it could be cancelled")
		case m.Kind == wire.KindError:
			t.NoteAt(m, "a cancelled call is answered after all, with %s: some clients report an unknown response", kit.DescribeMessage(m.Message))
		case late < noticeable/2:
			t.NotObservedAt(kit.Raced, x, "the response crossed the cancellation")
		default:
			t.WarnAt(m, expected, fmt.Sprintf("an ordinary response %v after the cancellation", late.Round(time.Millisecond)))
		}
	})
}

// racers is how many requests are in a race. One of six shows more than five of three, by a server that is known to lose now and then: the
// cancellations meet the answers in more ways. races is how often it is run where the first one is lost, to see whether that was chance.
const races, racers = 5, 6

func afterRace(round int) string { return fmt.Sprintf("after race %d", round) }

// cancelRace cancels requests that are answered at the same moment.
func cancelRace(s *kit.Section) {
	race := s.Script("utilities/cancellation-race", kit.Own, func(c *kit.C) {
		c.SafeControl("control")
		var session []client.Option
		compared, since := false, 0
		for round := 1; round <= races; round++ {
			var steps []func()
			for i := range racers {
				id, label := c.Client().NextID(), fmt.Sprintf("request %d.%d", round, i+1)
				steps = append(steps, func() {
					c.Safe(label, append([]client.Option{client.WithID(id), client.GiveUp(racePatience), client.Broken("cancelled at once")}, session...)...)
				}, func() {
					params := map[string]any{"requestId": id, "reason": fmt.Sprintf("mcpcheck, race %d", round)}
					c.Notify("cancel "+label, cancelMethod, append([]client.Option{
						client.WithParams(params), client.Broken("cancelling a request that was sent just now"),
					}, session...)...)
				})
			}
			c.Parallel(steps...)
			if c.Safe(afterRace(round), session...).Served() {
				if since == 0 {
					return
				}
				continue
			}
			if !compared {
				compareSession(c, (round-since)*(1+2*racers))
			}
			compared, since = true, round
			// A lost session is followed by another, so that the next race can be run. Without sessions the server is what is lost.
			next, ok := []client.Option(nil), false
			if c.Facts.Trait(traitSessions) == kit.Yes {
				next, ok = anotherSession(c, fmt.Sprintf("session %d", round+1))
			}
			if !ok {
				return
			}
			session = next
		}
	}, kit.Intricate())
	s.Check("utilities.cancel.race", race, func(t *kit.T) {
		t.Control("control")
		const expected = "a session that goes on"
		t.Says(expected)
		run, lost := 0, 0
		var first *wire.Exchange
		var got string
		for round := 1; round <= races; round++ {
			x := t.IfSent(afterRace(round))
			if x == nil {
				break
			}
			run++
			if how, gone := lostAfter(t, afterRace(round)); gone {
				if lost++; first == nil {
					first, got = x, how
				}
			}
		}
		switch {
		case run == 0:
			t.In(race).Sent(afterRace(1))
		// Where no other session follows, one loss ends the conversation.
		case lost > 1 || lost == run:
			t.Cause(causeCancellation)
			t.Breach(first, expected, fmt.Sprintf("%s after requests that were cancelled at once, in %d of %d races", got, lost, run))
		case lost == 1:
			t.Note(first, "a session was lost to requests that were cancelled at once, in 1 of %d races: %s", run, got)
		default:
			t.OK(t.Answered(afterRace(run)), "requests that are cancelled at once do the session no harm")
		}
	})
}

const (
	// noticeable is how long a call has to take so that it can be cancelled while it runs.
	noticeable = 200 * time.Millisecond
	// racePatience is how long a cancelled request may stay open: a server need not answer it, nor end its stream.
	racePatience = 500 * time.Millisecond
)

// cancel cancels a request.
func cancel(c *kit.C, label string, id any, options ...client.Option) *wire.Exchange {
	params := map[string]any{"requestId": id, "reason": "mcpcheck"}
	return c.Notify(label, cancelMethod, append([]client.Option{client.WithParams(params)}, options...)...)
}

// callNamed calls the tools that the user named, side by side.
func callNamed(c *kit.C) []*wire.Exchange {
	called := make([]*wire.Exchange, len(c.Calls))
	var steps []func()
	for i, call := range c.Calls {
		steps = append(steps, func() { called[i] = c.CallTool("usual "+call.Name, call) })
	}
	c.Parallel(steps...)
	return called
}

// compareSession opens another session and sends as many harmless requests there as went before in the one that was lost, and one
// more: some servers end their sessions after a few exchanges, whatever these are.
func compareSession(c *kit.C, exchanges int) {
	if c.OldTransport() && !c.OpenStream("second stream", c.Client().Timeout()) {
		return
	}
	session, ok := anotherSession(c, "second")
	if !ok {
		return
	}
	for i := range exchanges {
		c.Safe(fmt.Sprintf("compare %d", i+1), session...)
	}
	c.Safe("compare", session...)
}

// anotherSession opens one more session and returns what names it.
func anotherSession(c *kit.C, label string) (named []client.Option, ok bool) {
	x := c.Initialize(label+" initialize", c.Revision)
	if !x.Served() {
		return nil, false
	}
	if ids := x.ResponseSession(); len(ids) > 0 {
		named = append(named, client.WithSession(ids[0]))
	}
	c.Notify(label+" initialized", "notifications/initialized", named...)
	return named, true
}

// lostAfter tells that a harmless request was refused or cut off, which a moment before was served, and how. Refusals that speak of
// credentials or load say nothing, and time-outs are judged elsewhere.
func lostAfter(t *kit.T, label string) (got string, lost bool) {
	x := t.Sent(label)
	answer, answered := x.Answer()
	switch {
	case x.Served():
		return "", false
	case x.Response == nil && x.EndedBy == wire.ByTimeout, x.Status()/100 == 2 && !answered:
		t.Blocked("jsonrpc.request.answered", "a request after the cancellation was not answered: "+kit.Describe(x))
	case x.Response == nil && x.EndedBy == wire.ByError:
		t.MustReach(x)
		return kit.Describe(x), true
	case x.Response == nil:
		t.NotObservedAt(kit.Inconclusive, x, "a request after the cancellation was not answered: %s", kit.Describe(x))
	}
	t.MustConclude(x)
	if other := t.Transcript().Exchange("compare"); other != nil && !other.Served() {
		t.NotObservedAt(kit.Inconclusive, x, "the session is lost, and so is one in which nothing was cancelled: %s", kit.Describe(other))
	}
	if answer.Kind == wire.KindError || x.Status()/100 == 4 {
		return kit.Describe(x), true
	}
	t.NotObservedAt(kit.Inconclusive, x, "a request after the cancellation was neither served nor refused: %s", kit.Describe(x))
	return "", false
}
