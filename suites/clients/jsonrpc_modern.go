package clients

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func jsonrpcModern(s *kit.Section) {
	s.Passive("modern.client.jsonrpc.id-type", idType)
	s.Passive("modern.client.jsonrpc.id-not-null", idNotNull)
	s.Passive("modern.client.jsonrpc.id-unique-in-flight", idUniqueInFlight)
	s.Passive("modern.client.jsonrpc.version-field", judges.VersionFields)
	s.Passive("modern.client.jsonrpc.notifications-without-id", judges.NotificationsWithoutID)
	jsonrpcResultsModern(s)
}

// idUniqueInFlight: no id is used again while a request with it waits for its answer.
func idUniqueInFlight(t *kit.T) {
	const expected = "an id that no request under way has"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client sent no request of this revision")
	for _, tr := range t.Transcripts() {
		var seen []kit.Seen
		for _, m := range t.MessagesIn(tr) {
			if m.Kind != wire.KindRequest || !isModern(m.Message) {
				continue
			}
			i := slices.IndexFunc(seen, func(o kit.Seen) bool {
				return wire.SameID(o.ID, m.ID) && o.Exchange.End > m.Exchange.Sent && !cancelledBefore(tr, o, m.At)
			})
			if i >= 0 {
				t.BreachAt(m, expected, m.Method+" with id "+kit.JSON(m.ID)+" while "+seen[i].Method+" with it is under way")
			} else {
				t.Saw()
			}
			seen = append(seen, m)
		}
	}
}
