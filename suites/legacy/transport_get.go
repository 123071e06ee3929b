package legacy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

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
