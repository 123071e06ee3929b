package modern

import (
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func sse(s *kit.Section) {
	s.Passive("modern.sse.no-server-requests", func(t *kit.T) {
		const expected = "no request of the server"
		t.Says(expected)
		for _, m := range t.Messages() {
			switch {
			case mayBeOlder(t, m.Exchange), !m.HasMethod && !m.HasResult && !m.HasError:
			case m.HasMethod && m.HasID && !strings.HasPrefix(m.Method, "notifications/"):
				t.BreachAt(m, expected, "a request "+m.Method)
			default:
				t.Saw()
			}
		}
	})
	s.Passive("modern.sse.response-arrives", func(t *kit.T) {
		const expected = "one response, the last message of the stream"
		t.Says(expected)
		t.Unseen(kit.NotOffered, "no request was answered on an event stream")
		for _, x := range answeringStreams(t) {
			if x.RequestMessage().Method == methodListen {
				continue // it ends with the subscription, if ever
			}
			own, responses, after := x.RequestMessage().ID, 0, false
			for _, m := range x.Messages() {
				switch {
				case m.HasMethod:
					// Progress and log messages there are modern.progress.stops-at-completion's and modern.logging.own-stream-only's.
					after = after || responses > 0 && m.Method != progressMethod && m.Method != judges.LogMethod
				// Of an error with null modern.jsonrpc.error-echoes-id says that it has not the id of its request.
				case (m.HasResult || m.HasError) && m.HasID && !wire.SameID(m.ID, own) && (m.HasResult || wire.TypeOf(m.ID) != "null"):
					t.Breach(x, expected, "a response with id "+judges.SpeltID(m.ID))
				case m.HasResult || m.HasError:
					responses++
				}
			}
			switch {
			case responses > 1:
				t.Breach(x, expected, "more than one response")
			case responses == 0 && x.EndedBy == wire.ByServer && x.Error == nil:
				t.Breach(x, expected, "a stream that ended without a response")
			case after:
				t.Warn(x, expected, "a message after the response")
			case responses == 1:
				t.OK(x, "streams bring one response each, and end with it")
			}
		}
	})
	s.Passive("modern.sse.x-accel-buffering", func(t *kit.T) {
		const expected = "X-Accel-Buffering: no"
		t.Says(expected)
		t.Unseen(kit.NotOffered, "no request was answered on an event stream")
		for _, x := range answeringStreams(t) {
			switch value := first(x, "X-Accel-Buffering"); {
			case strings.EqualFold(strings.TrimSpace(value), "no"):
				t.OK(x, expected)
			case t.Environment().Loopback || value != "":
				t.Breach(x, expected, "X-Accel-Buffering: "+orNothing(value))
			default:
				t.Note(x, "no X-Accel-Buffering; a proxy in between may have taken it out")
			}
		}
	})
	s.Passive("modern.sse.well-formed", judges.EventMessages)
	ends := s.Script("modern.sse/left-open", kit.Shared, func(c *kit.C) {
		c.Parallel(
			func() { c.Safe("first", client.Linger(judges.PatientLinger)) },
			func() { c.Safe("second", client.Linger(judges.PatientLinger)) },
		)
	}, kit.SSEAnswers)
	s.Check("modern.sse.response-ends-stream", ends, func(t *kit.T) { judges.StreamsEnd(t, "first", "second") })
	s.Passive("modern.sse.request-scoped-notifications", func(t *kit.T) {
		const expected = "no notifications that belong on a subscription"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no notification came on the stream of a request")
		for _, x := range answeringStreams(t) {
			if x.RequestMessage().Method == methodListen {
				continue
			}
			for _, m := range x.Messages() {
				switch m.Method {
				case "":
				case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed",
					methodUpdated, methodAck:
					t.Breach(x, expected, m.Method)
				default:
					t.OK(x, "%s", m.Method)
				}
			}
		}
	})
}

// first is the first value of a field of the answer.
func first(x *wire.Exchange, name string) string {
	for k, v := range x.Response.Header {
		if strings.EqualFold(k, name) && len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

func orNothing(s string) string {
	if s == "" {
		return "(absent)"
	}
	return s
}
