package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// askedIDs are the ids of every request we sent in the revision.
func askedIDs(t *kit.T) judges.IDSet {
	var ids judges.IDSet
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			sent := x.RequestMessage()
			for _, m := range append([]wire.Message{sent}, sent.Elements...) {
				if m.HasID {
					ids.Add(m.ID)
				}
			}
		}
	}
	return ids
}

// swapped tells that a connection brought the response to another request of ours, and not its own.
func swapped(x *wire.Exchange, asked judges.IDSet) bool {
	for _, m := range x.Messages() {
		// An error without an id has null for one, which was asked with, too.
		if (m.HasResult || m.HasError && string(m.ID) != "null") && asked.Has(m.ID) {
			return !judges.Carries(x, x.RequestMessage().ID)
		}
	}
	return false
}

// conclusive is Conclusive for a probe that went beside others: what a server mixes up there is for transport.post.concurrent, and a note is not
// looked at again.
func conclusive(t *kit.T, label string) *wire.Exchange {
	x := t.Conclusive(label)
	if swapped(x, askedIDs(t)) {
		t.NotObservedAt(kit.Raced, x, "it got the response to another request, which was sent at the same time")
	}
	return x
}

// cancels tells whether a message cancels the request with that id.
func cancels(m wire.Message, id []byte) bool {
	raw, _ := m.Pointer("/params/requestId")
	return m.Kind == wire.KindNotification && m.Method == "notifications/cancelled" && wire.SameID(raw, id)
}
