package legacy

import (
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// transportGet are the rules for the stream that GET opens.
func transportGet(s *kit.Section, get *kit.Script) {
	s.Check("transport.endpoint.single-path", get, func(t *kit.T) {
		t.Control("control")
		x := t.Exchange("get")
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
	}, kit.GetStream)
	s.Check("transport.get.second-stream", second, func(t *kit.T) {
		if first := t.Exchange("first"); !first.IsSSE() {
			t.NotObservedAt(first, "no stream was opened: %s", kit.Describe(first))
		}
		t.Expect(t.Probe("second"), kit.AnyOf(eventStream, kit.HTTP(409, 405)))
	})

	s.Passive("transport.get.server-messages", func(t *kit.T) {
		t.Says("requests and notifications at any time, where the server wants to")
		came, streams := 0, 0
		for _, x := range t.Streams() {
			if x.Request.Method == "GET" {
				streams++
				came += len(x.Messages())
			}
		}
		if streams == 0 {
			t.NotObserved(noStream)
		}
		t.OK(nil, "%d messages came on %d GET streams", came, streams)
	}, kit.GetStream)
}

const (
	// beforeDrop is how long a call gets to send a first event before it is left alone.
	beforeDrop = 500 * time.Millisecond
	// afterResume is how long the response may take to come on the resumed stream.
	afterResume = 3 * time.Second
	// maxDrops is how many calls are tried.
	maxDrops = 4
)

// transportDrop starts calls until one sends a message ahead of its response (so that it is really running), drops that connection
// and comes back.
func transportDrop(s *kit.Section) {
	drop := s.Script(droppedCall.Name, kit.Own, func(c *kit.C) {
		for i, call := range c.ToolCalls() {
			if i == maxDrops {
				return
			}
			label := "call " + call.Name
			stream := c.StreamTool(label, call)
			first, early := stream.Next(beforeDrop, func(e client.Event) bool { return e.HasID && e.ID != "" && e.Data != "" })
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
			resumed := c.Get(resumedLabel(label), client.WithHeader("Last-Event-ID", first.ID))
			resumed.Next(afterResume, func(e client.Event) bool { return client.SameID(e.Message().ID, id) && !e.Message().HasMethod })
			resumed.Close()
			return
		}
	}, kit.GetStream, kit.EventIDs)
	s.Check("transport.post.disconnect-not-cancel", drop, func(t *kit.T) {
		call, resumed := dropped(t)
		const expected = "the response after a dropped connection was resumed"
		t.Says(expected)
		judgeRedelivery(t, call, resumed, expected)
	}, uniqueIDs)
}

// droppedCall stands for the script above in checks of other areas.
var droppedCall = &kit.Script{Name: "transport/dropped", Sharing: kit.Own, Needs: []kit.Need{kit.GetStream, kit.EventIDs}}

// dropped finds the call whose connection was dropped and the stream that resumed it.
func dropped(t *kit.T) (call, resumed *client.Exchange) {
	tr := t.Transcript()
	for _, x := range tr.Exchanges {
		if r := tr.Exchange(resumedLabel(x.Label)); r != nil {
			if !r.IsSSE() || r.Status()/100 != 2 {
				t.NotObservedAt(r, "the stream could not be resumed: %s", kit.Describe(r))
			}
			return x, r
		}
	}
	t.NotObserved("no tool that may be called sent an event ahead of its response; name one with --call")
	return nil, nil
}

// judgeRedelivery judges whether the response to a call came on the stream that resumed it. A stream that is still open may bring it
// later.
func judgeRedelivery(t *kit.T, call, resumed *client.Exchange, expected string) {
	switch {
	case carries(resumed, call.RequestMessage().ID):
		t.OK(resumed, "the response came on the resumed stream")
	case resumed.EndedBy == client.ByServer:
		t.Warn(resumed, expected, "the end of the resumed stream without it")
	default:
		t.NotObservedAt(resumed, "nothing came on the resumed stream for %v; the call may take longer", afterResume)
	}
}
