package legacy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// jsonrpcMessages are the rules for the form of every message, judged over all traffic.
func jsonrpcMessages(s *kit.Section) {
	s.Passive("jsonrpc.message-object", func(t *kit.T) {
		const expected = "an object that is one request, notification, result or error"
		t.Says(expected)
		for _, m := range t.Messages() {
			inStream := m.Event >= 0
			switch {
			case m.Kind == wire.KindNotJSON:
				// transport.post.json-single-object and sse.data-jsonrpc judge what cannot be read.
			case m.Kind == wire.KindNotObject && !inStream:
				t.BreachAt(m, expected, "the JSON text "+kit.JSON(m.Raw))
			case m.HasMethod && (m.HasResult || m.HasError):
				t.BreachAt(m, expected, "an object with method beside result or error")
			case !m.HasMethod && !m.HasResult && !m.HasError && !m.HasID && !inStream:
				t.BreachAt(m, expected, "an object with neither method nor result nor error")
			case len(m.Duplicates) > 0:
				t.NoteAt(m, "member names occur twice: %s", strings.Join(m.Duplicates, ", "))
			case len(m.Extra) > 0:
				t.NoteAt(m, "members that JSON-RPC does not know: %s", strings.Join(m.Extra, ", "))
			default:
				t.Saw()
			}
		}
	})

	s.Passive("jsonrpc.response.result-xor-error", func(t *kit.T) {
		const expected = "either result or error"
		t.Says(expected)
		for _, m := range t.Messages() {
			switch {
			case m.HasMethod || m.Kind == wire.KindNotObject:
			case m.HasResult && m.HasError:
				t.BreachAt(m, expected, fmt.Sprintf("both: result %s and error %s", kit.JSON(m.Result), kit.JSON(m.Error)))
			case !m.HasResult && !m.HasError && m.HasID:
				t.BreachAt(m, expected, "an id with neither of them")
			case m.HasResult || m.HasError:
				t.Saw()
			}
		}
	})

	s.Passive("jsonrpc.response.result-object", func(t *kit.T) {
		const expected = "result as a JSON object"
		t.Says(expected)
		for _, m := range t.Messages() {
			switch {
			case !m.HasResult || m.HasMethod:
			case !strings.HasPrefix(strings.TrimSpace(string(m.Result)), "{"):
				t.BreachAt(m, expected, "result "+kit.JSON(m.Result))
			default:
				t.Saw()
			}
		}
	})

	s.Passive("jsonrpc.notification.no-id", func(t *kit.T) {
		const expected = "a notification without the member id"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "the server sent no notification")
		for _, m := range t.Messages() {
			switch {
			case !strings.HasPrefix(m.Method, "notifications/"):
			case m.HasID:
				t.BreachAt(m, expected, m.Method+" with id "+kit.JSON(m.ID))
			default:
				t.Saw()
			}
		}
	})

	s.Passive("jsonrpc.server-request.id", func(t *kit.T) {
		const expected = "a string or an integer as id"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noServerRequest)
		for _, m := range t.Messages() {
			switch {
			case !m.HasMethod || strings.HasPrefix(m.Method, "notifications/"):
			case !m.HasID && slices.Contains(serverRequests, m.Method):
				t.BreachAt(m, expected, "the request "+m.Method+" without id")
			case m.HasID && !judges.StringOrInteger(m.ID):
				t.BreachAt(m, expected, m.Method+" with id "+kit.JSON(m.ID))
			case m.HasID:
				t.Saw()
			}
		}
	})

	s.Passive("jsonrpc.server-request.id-unique", uniqueServerIDs)

	s.Passive("jsonrpc.params-object", func(t *kit.T) {
		const expected = "params as an object"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "the server sent no request or notification with params")
		for _, m := range t.Messages() {
			switch {
			case !m.HasMethod || !m.HasParams:
			case !strings.HasPrefix(strings.TrimSpace(string(m.Params)), "{"):
				t.BreachAt(m, expected, m.Method+" with params "+kit.JSON(m.Params))
			default:
				t.Saw()
			}
		}
	})
}

const noServerRequest = "the server sent no request of its own"

// serverRequests are the methods that a server asks of a client.
var serverRequests = []string{"ping", "roots/list", "sampling/createMessage", "elicitation/create"}

// uniqueServerIDs compares the ids of the server's requests within a session, and without session ids within one stream: a stateless
// server knows no more. Replays of an event are deliveries of the same request.
func uniqueServerIDs(t *kit.T) {
	const expected = "a request id once in a session"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, noServerRequest)
	seen := map[string]string{}
	for _, m := range t.Messages() {
		if !m.HasMethod || !m.HasID || string(m.ID) == "null" {
			continue
		}
		space := kit.SessionOf(m.Transcript, m.Exchange)
		if strings.HasPrefix(space, "conversation ") {
			space = m.Transcript.Script + " " + m.Exchange.Label
		}
		key := space + " " + string(m.ID)
		same := string(m.Raw)
		if m.Event >= 0 {
			same = m.Exchange.Events()[m.Event].ID + " " + same
		}
		switch before, taken := seen[key]; {
		case !taken:
			seen[key] = same
			t.Saw()
		case before == same && kit.RequestHeader(m.Exchange, "Last-Event-ID") != "":
		default:
			t.BreachAt(m, expected, "id "+kit.JSON(m.ID)+" on two requests")
		}
	}
}
