package legacy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// getStream opens the stream of GET, asks for something meanwhile, and for another stream beside it where there are any.
var getStream = kit.NewScript("transport/get", kit.Own, func(c *kit.C) {
	stream := c.Get("get")
	another := func() {
		if c.Facts.Trait(traitGetStream) == kit.Yes {
			c.Get("second").Close()
		}
	}
	if c.Quiet {
		another()
		stream.Close()
	}
	c.Safe("control")
	if !c.Quiet {
		another()
	}
	stream.Close()
})

// refusedGets are what is to be turned away and leaves a session alone: GETs with something wrong, and a session id that is nobody's. The GETs
// go one after another. A server that gives one of them a stream may have room for one, and its refusal of the next would be no answer to what
// is wrong with that.
var refusedGets = kit.NewScript("transport/refused", kit.Own, func(c *kit.C) {
	get := func(label, broken string, options ...client.Option) *wire.Exchange {
		stream := c.Get(label, append(options, client.Broken(broken))...)
		stream.Close()
		return stream.Exchange()
	}
	gets := func() {
		get("JSON only", "accepting JSON only", client.WithAccept("application/json"))
		if c.Facts.Trait(traitGetStream) != kit.Yes {
			return
		}
		get("foreign origin", "with Origin: "+judges.ForeignOrigin, client.WithHeader("Origin", judges.ForeignOrigin))
		if c.Since("2025-06-18") {
			bad := badVersions[0]
			statelessHalf(c, get("unknown version", "with MCP-Protocol-Version: "+bad, client.WithVersion(bad)))
		}
		const never = "with a Last-Event-ID that was never issued"
		if get("unknown event", never, client.WithHeader("Last-Event-ID", "mcpcheck-none")).Status() >= 500 {
			get("unknown event again", never, client.WithHeader("Last-Event-ID", "mcpcheck-none"))
		}
	}
	steps := []func(){gets}
	if id := c.Session().ID(); id != "" {
		steps = append(steps, func() {
			c.Safe("unknown session", client.WithSession(altered(id)), client.Broken("with a session id the server never issued"))
		})
	}
	c.SafeControl("control")
	c.Unrelated(steps...)
	c.Safe("control after")
})

// transportGet are the rules for the stream that GET opens.
func transportGet(s *kit.Section) {
	s.Check("transport.endpoint.single-path", getStream, func(t *kit.T) {
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

	s.Check("transport.get.second-stream", getStream, func(t *kit.T) {
		if first := t.Answered("get"); !first.IsSSE() {
			t.NotObservedAt(kit.Inconclusive, first, "no stream was opened: %s", kit.Describe(first))
		}
		t.Expect(t.Conclusive("second"), kit.AnyOf(eventStream, kit.HTTP(409, 405)))
	}, withGetStream, kit.Intricate())

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
		t.OK(nil, "on %d GET streams the server sent %s; it ended %d of them itself", streams, listOrNothing(methods), ended)
	}, withGetStream)
}

// cancellation matches errors that speak of one.
var cancellation = regexp.MustCompile(`(?i)\b(cancel|abort)`)

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

// addMethods adds the methods of the server's requests and notifications in an exchange that are not there yet.
func addMethods(methods []string, x *wire.Exchange) []string {
	for _, m := range x.Messages() {
		if m.Method != "" && !slices.Contains(methods, m.Method) {
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
