package legacy

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// jsonrpcMessages are the rules for the form of every message, judged over all traffic.
func jsonrpcMessages(s *kit.Section) {
	s.Passive("jsonrpc.message-object", judges.MessageObjects)

	s.Passive("jsonrpc.response.result-xor-error", judges.ResultOrError)

	s.Passive("jsonrpc.response.result-object", judges.ResultObjects)

	s.Passive("jsonrpc.notification.no-id", judges.NotificationsWithoutID)

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

	s.Passive("jsonrpc.params-object", judges.ParamsObjects)
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
		same := m.Digest()
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
