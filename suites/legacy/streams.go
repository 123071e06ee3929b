package legacy

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func eventIDs(x *wire.Exchange) map[string]bool {
	ids := map[string]bool{}
	for _, e := range x.Events() {
		if e.ID != "" {
			ids[e.ID] = true
		}
	}
	return ids
}

func firstEventID(x *wire.Exchange) string {
	for _, e := range x.Events() {
		if e.ID != "" {
			return e.ID
		}
	}
	return ""
}

func lastEventID(x *wire.Exchange) string {
	id := ""
	for _, e := range x.Events() {
		if e.ID != "" {
			id = e.ID
		}
	}
	return id
}

// resumptionsOf are the GETs that resumed the stream of an exchange, in the order in which they were sent.
func resumptionsOf(tr *wire.Transcript, x *wire.Exchange) []*wire.Exchange {
	var all []*wire.Exchange
	for _, r := range tr.Exchanges {
		if r.Origin.Kind == wire.FromResumption && r.Origin.Of == x.Label {
			all = append(all, r)
		}
	}
	return all
}

// demandUnique stops a judgement on the resumption of a stream whose ids name other streams of the session as well: it may bring
// back any of them.
func demandUnique(t *kit.T, tr *wire.Transcript, x *wire.Exchange) {
	if sharesIDs(tr, x) {
		t.Blocked("sse.event-id-unique", "the ids of the stream name other streams as well, so that its resumption may bring back any of them")
	}
}

func sharesIDs(tr *wire.Transcript, x *wire.Exchange) bool {
	ids := eventIDs(x)
	for _, other := range tr.Exchanges {
		if other == x || kit.RequestHeader(other, "Last-Event-ID") != "" || kit.SessionOf(tr, other) != kit.SessionOf(tr, x) {
			continue
		}
		for id := range eventIDs(other) {
			if ids[id] {
				return true
			}
		}
	}
	return false
}

// besideStream tells that a GET stream of the conversation was open when an exchange began.
func besideStream(tr *wire.Transcript, x *wire.Exchange) bool {
	return slices.ContainsFunc(tr.Exchanges, func(o *wire.Exchange) bool {
		return o.Request.Method == "GET" && o.IsSSE() && o.Status()/100 == 2 && o.Head <= x.Sent && x.Sent < o.End
	})
}
