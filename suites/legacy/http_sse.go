package legacy

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// streamLabel is the label of the stream that every conversation over HTTP+SSE opens first.
const streamLabel = "stream"

// httpSSE are the rules of the transport of 2024-11-05: a stream that names an endpoint, and POSTs there.
func httpSSE(s *kit.Section) {
	s.Check("http-sse.two-endpoints", inventory, func(t *kit.T) {
		stream, x := t.In(inventory).Answered(streamLabel), t.Conclusive("initialize")
		t.Says("an endpoint that takes POSTs while the stream is open")
		switch status := x.Status(); {
		case status == 404 || status == 405:
			t.Breach(x, "HTTP 2xx to a POST to the announced endpoint", kit.Describe(x))
		case status/100 == 2:
			t.OK(x, "the stream is open, and %s takes POSTs", x.Request.URL)
		default:
			t.NotObservedAt(kit.Inconclusive, stream, "the POST was neither taken nor sent to nowhere: %s", kit.Describe(x))
		}
	})

	s.Passive("http-sse.endpoint-event", func(t *kit.T) {
		const expected = "an event of type endpoint with the URI for messages"
		t.Says(expected)
		eachOldStream(t, func(x *wire.Exchange) {
			i := endpointOf(x)
			switch {
			case len(x.Events()) == 0 && x.EndedBy == wire.ByServer:
				// It broke before it began.
			case i < 0:
				t.Breach(x, expected, "a stream without one")
			case strings.TrimSpace(x.Events()[i].Data) == "":
				t.BreachAt(eventAt(x, i), expected, "an endpoint event without data")
			default:
				t.OK(x, "an endpoint event with %s", kit.Quote([]byte(x.Events()[i].Data)))
			}
		})
	})

	s.Passive("http-sse.endpoint-first", func(t *kit.T) {
		const expected = "the endpoint event ahead of all others"
		t.Says(expected)
		eachOldStream(t, func(x *wire.Exchange) {
			for i, e := range x.Events() {
				switch {
				case strings.TrimSpace(e.Data) == "":
				case e.Type == "endpoint":
					t.OK(x, "the endpoint event comes first")
					return
				default:
					t.BreachAt(eventAt(x, i), expected, fmt.Sprintf("an event of type %q first", e.Type))
					return
				}
			}
		})
	})

	s.Passive("http-sse.endpoint-uri", func(t *kit.T) {
		const expected = "a URI reference as plain text, which gives an http or https URL"
		t.Says(expected)
		eachOldStream(t, func(x *wire.Exchange) {
			i := endpointOf(x)
			if i < 0 {
				return
			}
			data := strings.TrimSpace(x.Events()[i].Data)
			if _, err := resolve(x, data); err != nil || strings.ContainsAny(data, "\"{}<> \n") {
				t.BreachAt(eventAt(x, i), expected, kit.Quote([]byte(data)))
				return
			}
			t.OK(x, "%s", kit.Quote([]byte(data)))
		})
	})

	s.Passive("http-sse.endpoint-same-origin", func(t *kit.T) {
		t.Says("the origin of the stream")
		eachOldStream(t, func(x *wire.Exchange) {
			i := endpointOf(x)
			if i < 0 {
				return
			}
			// What is no URL http-sse.endpoint-uri reports.
			target, _ := resolve(x, x.Events()[i].Data)
			switch {
			case !judges.SameOrigin(x.Request.URL, target):
				t.NoteAt(eventAt(x, i), "messages are to be posted to another origin, %s; the TypeScript and Python clients refuse that", target)
			default:
				t.OK(x, "messages are posted to the origin of the stream")
			}
		})
	})

	s.Check("http-sse.post-accepted", inventory, func(t *kit.T) {
		x := t.Conclusive("initialize")
		t.Says("HTTP 202")
		switch {
		case len(x.Messages()) > 0:
			t.Note(x, "the acknowledgement of a POST has a message in its body; clients read the stream only")
		case x.Status() != 202:
			t.Note(x, "a POST is acknowledged with HTTP %d; 202 is usual", x.Status())
		default:
			t.OK(x, "HTTP 202, and the answer on the stream")
		}
	})

	s.Passive("http-sse.answers-on-stream", func(t *kit.T) {
		const expected = "the response on the stream that announced the endpoint"
		t.Says(expected)
		for _, tr := range t.Transcripts() {
			for _, x := range tr.Exchanges {
				judgeOnStream(t, tr, x, expected)
			}
		}
	})

	httpSSESessions(s)

	s.Passive("http-sse.compat-alongside", func(t *kit.T) {
		if !t.Facts().HTTPSSE {
			t.NotApplicable("the server offers no HTTP+SSE beside Streamable HTTP")
		}
		open := t.In(inventory).IfSent("initialize")
		if open == nil || !open.Served() {
			t.Blocked("lifecycle.initialize.answered", "no session could be opened")
		}
		t.Says("each transport by its own rules")
		t.OK(open, "both transports at one URL: POST is Streamable HTTP, a GET without a session starts HTTP+SSE")
	})
}

// eachOldStream ranges over the streams that were opened as HTTP+SSE.
func eachOldStream(t *kit.T, judge func(*wire.Exchange)) {
	t.Unseen(kit.Unprovoked, judges.NoStream)
	for _, x := range t.Streams() {
		if x.Label == streamLabel || x.Label == secondStream {
			judge(x)
		}
	}
}

// endpointOf is the index of the endpoint event of a stream, -1 without one.
func endpointOf(x *wire.Exchange) int {
	return slices.IndexFunc(x.Events(), func(e wire.Event) bool { return e.Dispatched && e.Type == "endpoint" })
}

func eventAt(x *wire.Exchange, i int) kit.Seen {
	return kit.Seen{Located: wire.Located{Event: i}, Exchange: x}
}

// resolve gives the URL that an endpoint event means.
func resolve(stream *wire.Exchange, data string) (string, error) {
	target, err := url.Parse(stream.Request.URL)
	if err == nil {
		target, err = target.Parse(strings.TrimSpace(data))
	}
	if err != nil {
		return "", err
	}
	if target.Scheme != "http" && target.Scheme != "https" || target.Host == "" {
		return "", fmt.Errorf("%q is no http URL", target)
	}
	return target.String(), nil
}

// judgeOnStream looks where the response to a well-formed request came.
func judgeOnStream(t *kit.T, tr *wire.Transcript, x *wire.Exchange, expected string) {
	sent := x.RequestMessage()
	if x.Broken != "" || sent.Kind != wire.KindRequest || x.Status()/100 != 2 {
		return
	}
	stream := tr.Exchange(x.Stream)
	switch {
	case stream == nil:
	case judges.Carries(stream, sent.ID):
		t.OK(x, "the responses come as message events on the stream")
	case stream.EndedBy == wire.ByServer, x.EndedBy == wire.ByClient:
		// The stream broke, or we did not wait.
	case len(x.Messages()) > 0:
		t.Breach(x, expected, "the response in the body of the acknowledgement only: "+kit.Describe(x))
	default:
		t.Breach(x, expected, fmt.Sprintf("no response to %s before the deadline", sent.Method))
	}
}

// secondStream is the label of the stream of a second client.
const secondStream = "second stream"

// ownAnswer is how long the response to a second client may take.
const ownAnswer = 3 * time.Second

// httpSSESessions is about how clients are kept apart: by their streams.
func httpSSESessions(s *kit.Section) {
	two := s.Script("http-sse/two-clients", kit.Own, func(c *kit.C) {
		second := c.Get(secondStream)
		defer second.Close()
		e, ok := second.Next(c.Client().Timeout(), func(e wire.Event) bool { return e.Dispatched && e.Type == "endpoint" })
		if !ok {
			return
		}
		to, err := resolve(second.Exchange(), e.Data)
		if err != nil || !judges.SameOrigin(second.Exchange().Request.URL, to) || to == c.Endpoint() {
			return
		}
		open := c.Initialize("second initialize", c.Revision, client.WithURL(to))
		id := open.RequestMessage().ID
		second.Next(ownAnswer, func(e wire.Event) bool { return wire.SameID(e.Message().ID, id) })
		c.Notify("second initialized", "notifications/initialized", client.WithURL(to))
		c.Safe("first request")
		request := c.Safe("second request", client.WithURL(to))
		id = request.RequestMessage().ID
		second.Next(ownAnswer, func(e wire.Event) bool { return wire.SameID(e.Message().ID, id) })
		c.Watch(c.Inbox(), c.Safe("marker"))
	}, overHTTPSSE)
	s.Check("http-sse.stream-isolation", two, func(t *kit.T) {
		first, second := t.Answered(streamLabel), t.Answered(secondStream)
		const expected = "each response on the stream of its own client only"
		t.Says(expected)
		if a, b := endpointOf(first), endpointOf(second); a < 0 || b < 0 {
			t.NotObservedAt(kit.Inconclusive, second, "a second stream did not name its endpoint")
		} else if first.Events()[a].Data == second.Events()[b].Data {
			t.Note(second, "two clients are given the same URI, %s: nothing tells them apart", kit.Quote([]byte(first.Events()[a].Data)))
			return
		}
		mine, other := t.Answered("first request").RequestMessage().ID, t.Answered("second request").RequestMessage().ID
		switch {
		case judges.Carries(second, mine):
			t.Breach(second, expected, "the response to the first client on the stream of the second")
		case judges.Carries(first, other):
			t.Breach(first, expected, "the response to the second client on the stream of the first")
		case !t.Answered("first request").Served():
			t.Control("first request")
		case !judges.Carries(second, other):
			t.NotObservedAt(kit.Inconclusive, second, "the second client got no response")
		default:
			t.OK(second, "two clients, each with its own endpoint and its own responses")
		}
	})

	unknown := s.Script("http-sse/unknown-session", kit.Own, func(c *kit.C) {
		c.Safe("control")
		if to, ok := otherSession(c.Endpoint()); ok {
			c.Safe("unknown session", client.WithURL(to), client.GiveUp(ownAnswer), client.Broken("to the endpoint of a session that does not exist"))
		}
		c.Safe("control after")
	}, overHTTPSSE)
	s.Check("http-sse.unknown-session", unknown, func(t *kit.T) {
		t.Control("control", "control after")
		if t.IfSent("unknown session") == nil {
			t.NotApplicable("the URI for messages names no session")
		}
		x := t.Conclusive("unknown session", 500, 501, 502, 503, 504)
		t.Says("HTTP 404 or 400")
		if status := x.Status(); status/100 == 2 || status >= 500 {
			t.Note(x, "a message for a session that does not exist is answered %s; its sender takes it for delivered, or for a failure that will pass",
				kit.Describe(x))
			return
		}
		t.OK(x, "%s", kit.Describe(x))
	})

	closed := s.Script("http-sse/closed-stream", kit.Own, func(c *kit.C) {
		c.Safe("control")
		to := client.WithURL(c.Endpoint())
		c.Inbox().Close()
		late := func(label string) *wire.Exchange {
			return c.Notify(label, "notifications/cancelled", to, client.GiveUp(ownAnswer),
				client.WithParams(map[string]any{"requestId": "mcpcheck-none"}), client.Broken("after its stream was closed"))
		}
		c.Sleep(afterClose)
		if late("after close").Status()/100 == 2 {
			// A busy server may not have noticed yet.
			c.Sleep(longAfterClose)
			late("long after close")
		}
	}, overHTTPSSE)
	s.Check("http-sse.closed-stream", closed, func(t *kit.T) {
		t.Control("control")
		x := t.Conclusive("after close", 500, 501, 502, 503, 504)
		if t.IfSent("long after close") != nil {
			x = t.Conclusive("long after close", 500, 501, 502, 503, 504)
		}
		t.Says("HTTP 404, 400 or 410")
		if !slices.Contains([]int{404, 400, 410}, x.Status()) {
			t.Note(x, "a message after the stream was closed is answered %s; the end of the stream is the end of the session", kit.Describe(x))
			return
		}
		t.OK(x, "%s", kit.Describe(x))
	})
}

// A server gets this much time to notice that a stream was closed.
const (
	afterClose     = 300 * time.Millisecond
	longAfterClose = 2 * time.Second
)

// overHTTPSSE is the need of scripts that make sense over HTTP+SSE only.
var overHTTPSSE = kit.Need{
	Otherwise: "the conversation goes over Streamable HTTP",
	Of: func(f *kit.Facts) kit.Fact {
		if f.Transport == kit.HTTPSSE {
			return kit.Yes
		}
		return kit.No
	},
}

// otherSession changes the part of a message URI that names the session: the values of its query, or else its last step. It is false
// where nothing in it looks like a name.
func otherSession(endpoint string) (string, bool) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", false
	}
	query, changed := u.Query(), false
	for name, values := range query {
		for i, v := range values {
			if len(v) >= minName {
				query[name][i], changed = scrambled(v), true
			}
		}
	}
	if changed {
		u.RawQuery = query.Encode()
		return u.String(), true
	}
	cut := strings.LastIndex(u.Path, "/") + 1
	if last := u.Path[cut:]; len(last) >= minName && strings.ContainsAny(last, "0123456789") {
		u.Path = u.Path[:cut] + scrambled(last)
		return u.String(), true
	}
	return "", false
}

// minName is the length from which a part of a URI may be the name of a session.
const minName = 8

// scrambled keeps the form of a name, so that a UUID stays one: each of the last eight letters and digits is replaced by its mirror.
func scrambled(s string) string {
	b := []byte(s)
	for i, n := len(b)-1, 0; i >= 0 && n < minName; i-- {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			b[i], n = '0'+('9'-c), n+1
		case c >= 'a' && c <= 'f':
			b[i], n = 'a'+('f'-c), n+1
		case c >= 'A' && c <= 'F':
			b[i], n = 'A'+('F'-c), n+1
		}
	}
	return string(b)
}
