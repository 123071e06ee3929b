package legacy

import (
	"cmp"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// replayScript resumes a stream that had several events.
var replayScript = kit.NewScript("resumability/replay", kit.Own, func(c *kit.C) {
	whole := severalEvents(c)
	if firstEventID(whole) == "" {
		return
	}
	id := client.WithHeader("Last-Event-ID", resumedFrom(whole))
	c.List("second")
	c.Drain(c.Get("resumed", id))
	other := c.Initialize("another session", c.Revision)
	for _, session := range other.ResponseSession() {
		c.Drain(c.Get("from another session", id, client.WithSession(session), client.Broken("with an event id of another session")))
	}
}, withGetStream, withEventIDs, kit.Fresh(), kit.Waits())

// severalEvents sends requests until one is answered by a stream with three event ids, the first of them side by side, and returns the one
// with the most.
func severalEvents(c *kit.C) *wire.Exchange {
	send := []func() *wire.Exchange{func() *wire.Exchange { return c.List(severalLabel) }}
	for i, call := range c.ToolCalls() {
		if i == maxDrops {
			break
		}
		send = append(send, func() *wire.Exchange { return c.CallTool(severalLabel, call) })
	}
	tried := make([]*wire.Exchange, min(len(send), triedAtOnce))
	var steps []func()
	for i := range tried {
		steps = append(steps, func() { tried[i] = send[i]() })
	}
	c.Parallel(steps...)
	for _, next := range send[len(tried):] {
		if len(eventIDs(richest(tried))) >= 3 {
			break
		}
		tried = append(tried, next())
	}
	return richest(tried)
}

// triedAtOnce is how many requests are sent without waiting for one that has several events.
const triedAtOnce = 4

const severalLabel = "several events"

// richest is the exchange with the most event ids, the first of equals.
func richest(tried []*wire.Exchange) *wire.Exchange {
	best := tried[0]
	for _, x := range tried[1:] {
		if len(eventIDs(x)) > len(eventIDs(best)) {
			best = x
		}
	}
	return best
}

// resumedFrom is the id of the event that the replay is asked to follow: the first that brought a message and is not the last, since
// a priming event brings nothing that could come again.
func resumedFrom(whole *wire.Exchange) string {
	id := ""
	for _, e := range whole.Events() {
		switch {
		case e.ID == "":
		case id != "":
			return id
		case e.Dispatched:
			id = e.ID
		}
	}
	return firstEventID(whole)
}

const (
	// beforeDrop is how long a call gets to send a first event before it is left alone.
	beforeDrop = 500 * time.Millisecond
	// absence is how long the connection stays lost.
	absence = 50 * time.Millisecond
	// afterResume is how long the response may take to come on the resumed stream.
	afterResume = 3 * time.Second
	// Calls that the user named get longer.
	beforeNamedDrop, afterNamedResume = 3 * time.Second, 10 * time.Second
	// maxDrops is how many calls are tried.
	maxDrops = 4
	// maxResumes is how often the stream of the dropped call is resumed.
	maxResumes = 3
)

// droppedCall starts calls until one sends a message ahead of its response (so that it is really running), drops that connection and
// comes back.
var droppedCall = kit.NewScript("transport/dropped", kit.Own, func(c *kit.C) {
	for i, call := range c.ToolCalls() {
		if i == maxDrops {
			return
		}
		stream := c.StreamTool("call "+call.Name, call)
		// Who names a call has a slow one in mind: any event id will do. Of others a message shows that they run.
		named, before, after := i < len(c.Calls), beforeDrop, afterResume
		if named {
			before, after = beforeNamedDrop, afterNamedResume
		}
		first, early := stream.Next(before, func(e wire.Event) bool { return e.HasID && e.ID != "" && (named || e.Data != "") })
		answered := false
		for _, e := range stream.Events() {
			m := e.Message()
			answered = answered || m.HasResult || m.HasError
		}
		stream.Close()
		if !early || answered {
			continue
		}
		id := stream.Exchange().RequestMessage().ID
		// Who comes back before the server has noticed the loss shows nothing: the new connection just replaces the old one.
		c.Sleep(absence)
		// A server that cuts the resumed stream after an event id wants to be asked again. One that leaves it open and silent
		// may have kept the response all the same: asking again shows it.
		origin, last, silent := wire.ResumptionOf(stream.Exchange().Label), first.ID, false
		for range maxResumes {
			resumed := c.Get(origin.Label(), client.From(origin), client.WithHeader("Last-Event-ID", last))
			resumed.Next(after, func(e wire.Event) bool { return wire.SameID(e.Message().ID, id) && !e.Message().HasMethod })
			resumed.Close()
			x := resumed.Exchange()
			cut := x.EndedBy == wire.ByServer
			if judges.Carries(x, id) || cut && lastEventID(x) == "" || !cut && silent {
				return
			}
			if cut {
				c.Sleep(time.Second)
			} else {
				silent, after = true, time.Second
			}
			origin, last = wire.ResumptionOf(x.Label), cmp.Or(lastEventID(x), last)
		}
		return
	}
}, withGetStream, withEventIDs, kit.Fresh(), kit.Spends(), kit.Waits())

// dropped finds the call whose connection was dropped and the stream that resumed it.
func dropped(t *kit.T) (call, resumed *wire.Exchange) {
	tr := t.Transcript()
	for _, x := range tr.Exchanges {
		if r := tr.From(wire.ResumptionOf(x.Label)); r != nil {
			for again := r; again != nil; again = tr.From(wire.ResumptionOf(again.Label)) {
				r = again
			}
			if !r.IsSSE() || r.Status()/100 != 2 {
				t.NotObservedAt(kit.Inconclusive, r, "the stream could not be resumed: %s", kit.Describe(r))
			}
			demandUnique(t, tr, x)
			return x, r
		}
	}
	t.NotObserved(kit.Unnamed, "no tool that may be called sent an event ahead of its response; name one with --call")
	return nil, nil
}

// judgeRedelivery judges whether the response to a call came on the stream that resumed it. A stream that is still open, or that
// wants to be resumed again, may bring it later; one of a server that replays nothing cannot bring it.
func judgeRedelivery(t *kit.T, call, resumed *wire.Exchange, expected string) {
	replay := t.In(replayScript).IfSent("resumed")
	switch {
	case judges.Carries(resumed, call.RequestMessage().ID):
		t.OK(resumed, "the response came on the resumed stream")
	case resumed.EndedBy != wire.ByServer:
		t.NotObservedAt(kit.Limited, resumed, "no response came on the resumed stream; the call may take longer")
	case t.Since("2025-11-25") && lastEventID(resumed) != "":
		t.NotObservedAt(kit.Limited, resumed, "the server cuts the resumed stream after an event id each time; the call may take longer")
	case lastEventID(resumed) == "" && (replay == nil || lastEventID(replay) == ""):
		t.NotObservedAt(kit.Inconclusive, resumed, "the server was not seen to replay anything, so that the response cannot be seen")
	default:
		t.Warn(resumed, expected, "the end of the resumed stream without it")
	}
}
