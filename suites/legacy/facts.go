package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// What only this era wants to know of a server.
const (
	// traitSessions: initialize assigned a session id.
	traitSessions kit.Trait = "session ids"
	// traitGetStream: GET opens an event stream.
	traitGetStream kit.Trait = "GET stream"
	// traitEventIDs: events carry ids.
	traitEventIDs kit.Trait = "event ids"
)

// The needs of conversations that only this era has.
var (
	withSessions = kit.Need{
		Otherwise: "the server assigns no session id",
		Unclear:   "no session could be opened",
		BlockedBy: kit.Root,
		Of:        func(f *kit.Facts) kit.Fact { return f.Trait(traitSessions) },
	}
	withGetStream = kit.Need{
		Otherwise: "GET opens no listening stream: it is answered 405, or starts HTTP+SSE",
		Unclear:   "GET gave neither a stream nor 405",
		BlockedBy: kit.Requirement("transport.get.sse-or-405"),
		GetStream: true,
		Of:        func(f *kit.Facts) kit.Fact { return f.Trait(traitGetStream) },
	}
	withEventIDs = kit.Need{
		Otherwise: "the server gives its events no ids",
		Unclear:   "no event was seen",
		BlockedBy: kit.Root,
		Streams:   true,
		Of:        func(f *kit.Facts) kit.Fact { return f.Trait(traitEventIDs) },
	}
)

// facts reads an inventory: what initialize was answered, and what was served in its session.
func facts(t *wire.Transcript, given kit.Given) *kit.Facts {
	f := kit.NewFacts(t.Revision, t.Transport, given)
	open := t.Exchange(opening)
	if open == nil || !open.Served() {
		return f
	}
	answer, _ := open.Answer()
	f.Opened = kit.Yes
	_ = answer.Decode("/result/protocolVersion", &f.Negotiated)
	f.Traits[traitSessions] = kit.FactOf(t.Session.ID != "")
	// A flag of another type declares nothing; lifecycle.initialize.capabilities says what is wrong with it.
	f.ReadCapabilities(answer,
		[]string{"tools", "prompts", "resources", "logging", "completions", "tasks", "tasks.requests.tools.call"},
		[]string{"tools.listChanged", "prompts.listChanged", "resources.listChanged", "resources.subscribe"})
	f.ReadServed(t, "ping")
	readStreams(f, t)
	f.ReadLists(t)
	f.ReadPages(t)
	return f
}

func readStreams(f *kit.Facts, t *wire.Transcript) {
	if t.Transport == kit.HTTPSSE {
		f.Traits[traitGetStream], f.SSEAnswers, f.Traits[traitEventIDs] = kit.No, kit.No, kit.No
		return
	}
	if x := t.Exchange("get"); x != nil {
		switch {
		case x.Status() == 405:
			f.Traits[traitGetStream] = kit.No
		case x.Status()/100 == 2 && x.IsSSE():
			f.Traits[traitGetStream] = kit.Yes
		}
	}
	for _, x := range t.Exchanges {
		if !x.Served() {
			continue
		}
		// One yes is enough.
		f.SSEAnswers = max(f.SSEAnswers, kit.FactOf(x.IsSSE()))
		f.Traits[traitEventIDs] = max(f.Trait(traitEventIDs), kit.FactOf(firstEventID(x) != ""))
	}
	if x := t.Exchange(kit.PreferStream); x != nil && x.Served() && x.IsSSE() {
		f.StreamFirst = true
	}
}
