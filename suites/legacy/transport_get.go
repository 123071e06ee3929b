package legacy

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// transportGet are the rules for the stream that GET opens.
func transportGet(s *kit.Section, get *kit.Script) {
	s.Check("transport.endpoint.single-path", get, func(t *kit.T) {
		t.Control("control")
		x := t.Answered("get")
		t.Says("POST and GET answered at one URL")
		if events := x.Events(); len(events) > 0 && events[0].Type == "endpoint" {
			t.NotApplicable("the stream starts with an endpoint event: this is the older HTTP+SSE transport")
		}
		if ok, _ := streamOr405.Match(x); !ok {
			t.Blocked("transport.get.sse-or-405", "GET was answered "+kit.Describe(x))
		}
		t.OK(x, "POST is served and GET answered at the same URL")
	})

	second := s.Script("transport/second-stream", kit.Own, func(c *kit.C) {
		first := c.Get("first")
		c.Get("second").Close()
		first.Close()
	}, withGetStream)
	s.Check("transport.get.second-stream", second, func(t *kit.T) {
		if first := t.Answered("first"); !first.IsSSE() {
			t.NotObservedAt(kit.Inconclusive, first, "no stream was opened: %s", kit.Describe(first))
		}
		t.Expect(t.Conclusive("second"), kit.AnyOf(eventStream, kit.HTTP(409, 405)))
	})

	s.Passive("transport.get.server-messages", func(t *kit.T) {
		t.Says("requests and notifications at any time, where the server wants to")
		var methods []string
		streams, ended := 0, 0
		for _, x := range t.Streams() {
			if x.Request.Method != "GET" {
				continue
			}
			streams++
			if x.EndedBy == wire.ByServer {
				ended++
			}
			methods = addMethods(methods, x)
		}
		if streams == 0 {
			t.NotObserved(kit.Unprovoked, noStream)
		}
		t.OK(nil, "on %d GET streams the server sent %s; it ended %d of them itself", streams, listOrNothing(methods), ended)
	}, withGetStream)
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

// cancellation matches errors that speak of one.
var cancellation = regexp.MustCompile(`(?i)\b(cancel|abort)`)

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
			if carries(x, id) || cut && lastEventID(x) == "" || !cut && silent {
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
}, withGetStream, withEventIDs)

// transportDrop is about a call whose connection was lost.
func transportDrop(s *kit.Section) {
	s.Add(droppedCall)
	s.Check("transport.post.disconnect-not-cancel", droppedCall, func(t *kit.T) {
		call, resumed := dropped(t)
		const expected = "the response after a dropped connection was resumed"
		t.Says(expected)
		for _, m := range resumed.Messages() {
			if m.HasError && wire.SameID(m.ID, call.RequestMessage().ID) {
				if !cancellation.Match(m.Error) {
					t.NotObservedAt(kit.Inconclusive, resumed, "the call failed: %s", kit.DescribeMessage(m.Message))
				}
				t.Warn(resumed, expected, kit.DescribeMessage(m.Message))
				return
			}
		}
		judgeRedelivery(t, call, resumed, expected)
	})
}

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
	case carries(resumed, call.RequestMessage().ID):
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

// addMethods adds the methods of the server's requests and notifications in an exchange that are not there yet.
func addMethods(methods []string, x *wire.Exchange) []string {
	for _, m := range x.Messages() {
		if m.Event >= 0 && m.Method != "" && !slices.Contains(methods, m.Method) {
			methods = append(methods, m.Method)
		}
	}
	return methods
}

// maxListed is how many methods a sentence names.
const maxListed = 5

func listOrNothing(methods []string) string {
	switch {
	case len(methods) == 0:
		return "no request or notification"
	case len(methods) > maxListed:
		return strings.Join(methods[:maxListed], ", ") + " and others"
	}
	return strings.Join(methods, ", ")
}
