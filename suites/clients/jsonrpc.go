package clients

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func jsonrpc(s *kit.Section) {
	s.Passive("jsonrpc.client.version-field", judges.VersionFields)
	s.Passive("jsonrpc.client.id-type", idType)
	s.Passive("jsonrpc.client.id-not-null", idNotNull)
	s.Passive("jsonrpc.client.id-unique", idUnique)
	s.Passive("jsonrpc.client.response-id", responseID)
	s.Passive("jsonrpc.client.result-xor-error", resultXorError)
	s.Passive("jsonrpc.client.error-shape", errorShape)
	s.Passive("jsonrpc.client.notification-no-id", judges.NotificationsWithoutID)
	s.Passive("jsonrpc.client.no-response-to-notification", noResponseToNotification)
	s.Passive("jsonrpc.client.unknown-method", unknownMethod)
	s.Passive("jsonrpc.client.unknown-notification", func(t *kit.T) {
		goesOn(t, "the client goes on behind a notification that it does not know", unknownFirst)
	})
	s.Passive("jsonrpc.client.batch-receive", batchReceive)
	s.Passive("jsonrpc.client.meta-keys", judges.MetaKeys)
}

// idType: both eras have the rule. Null is idNotNull's.
func idType(t *kit.T) {
	const expected = "a string or an integer as id"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client sent no request")
	for _, m := range t.Messages() {
		if !m.HasMethod || isNotificationName(m.Method) {
			continue
		}
		switch kind := kit.JSONType(m.ID); {
		case !m.HasID:
			t.BreachAt(m, expected, m.Method+" without id")
		case kind == "null":
			// jsonrpc.client.id-not-null has it.
		case kind == "string", kind == "number" && integral(m.ID):
			t.Saw()
		default:
			t.BreachAt(m, expected, m.Method+" with id "+kit.JSON(m.ID))
		}
	}
}

func idNotNull(t *kit.T) {
	const expected = "an id that is not null"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client sent no request")
	for _, m := range t.Messages() {
		switch {
		case !m.HasMethod || !m.HasID || isNotificationName(m.Method):
		case kit.JSONType(m.ID) == "null":
			t.BreachAt(m, expected, m.Method+" with id null")
		default:
			t.Saw()
		}
	}
}

// idUnique: within a session no request id comes twice. The same bytes again after a connection broke are a retry, and after a refusal for
// want of a token or for load they are the same request, which nobody had looked at.
func idUnique(t *kit.T) {
	const expected = "a request id that is new in the session"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no session sent more than one request")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			seen := []*wire.Exchange{s.opening}
			for _, x := range s.requests {
				for _, id := range wire.RequestIDs(x.RequestMessage()) {
					i := slices.IndexFunc(seen, func(o *wire.Exchange) bool {
						return slices.ContainsFunc(wire.RequestIDs(o.RequestMessage()), func(other json.RawMessage) bool { return wire.SameID(id, other) })
					})
					switch {
					case i < 0:
						t.Saw()
					case turnedAway(seen[i]) && string(seen[i].Request.Body.Bytes()) == string(x.Request.Body.Bytes()):
						t.Saw()
					case seen[i].EndedBy != wire.ByServer && string(seen[i].Request.Body.Bytes()) == string(x.Request.Body.Bytes()):
						t.Note(x, "%s was sent again with the same id after its connection had broken", what(x))
					default:
						t.Breach(x, expected, what(x)+" with id "+kit.JSON(id)+", which "+seen[i].RequestMessage().Method+" had before")
					}
				}
				seen = append(seen, x)
			}
		}
	}
}

// turnedAway tells that a request was refused before it was looked at: for want of a token or of rights, or for load.
func turnedAway(x *wire.Exchange) bool {
	_, answered := x.Answer()
	return !answered && slices.Contains([]int{401, 403, 408, 429, 502, 503, 504}, x.Status())
}

// resultXorError: a response has one of the two.
func resultXorError(t *kit.T) {
	t.Unseen(kit.Unprovoked, "the client was asked nothing, or answered nothing")
	judges.ResultOrError(t)
}

// errorShape: an error has an integer code and a message.
func errorShape(t *kit.T) {
	judges.ErrorShapes(t)
	judges.ErrorCodes(t)
}

func isNotificationName(method string) bool {
	return strings.HasPrefix(method, "notifications/")
}
