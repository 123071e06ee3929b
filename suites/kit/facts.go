package kit

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A Fact is what is known about a server: yes, no, or not known.
type Fact int

// The values of a Fact; the zero value is Unknown.
const (
	Unknown Fact = iota
	No
	Yes
)

func (f Fact) String() string { return [...]string{"unknown", "no", "yes"}[f] }

func factOf(b bool) Fact {
	if b {
		return Yes
	}
	return No
}

// Facts are what the inventory script of a revision showed. They are computed from its transcript alone, so that a saved
// transcript gives the same facts.
type Facts struct {
	// Revision is the one asked for, Negotiated the one answered.
	Revision, Negotiated string
	// Transport is the one that was used.
	Transport string
	// Opened: initialize was answered with a result and a session could be used.
	Opened Fact
	// Sessions: initialize assigned a session id.
	Sessions Fact
	// GetStream: GET opens an event stream.
	GetStream Fact
	// Capabilities holds the declared ones by name.
	Capabilities map[string]Fact
	// SSEAnswers: requests are answered on event streams. EventIDs: events carry ids.
	SSEAnswers, EventIDs Fact
	// StreamFirst: they are only where the client names the event stream ahead of JSON in Accept.
	StreamFirst bool
	// Safe is a request without params that the server serves: ping, else the first list; "" where nothing is served.
	Safe string
	// List is the first list method of a declared feature that was served, "" without one.
	List string
	// Tools are the listed tools, as far as they concern us.
	Tools []Tool
	// Resources are the listed resources, Templates the listed URI templates.
	Resources []Resource
	Templates []string
	// Prompts are the listed prompts.
	Prompts []Prompt
	// Paged are the lists that name a next page on their first.
	Paged []List
	Given
}

// Given is what a run knew before the inventory.
type Given struct {
	// Echoed are the legacy revisions that the server answered initialize with in the survey.
	Echoed []string
	// HTTPSSE: the older transport was found as well, or only.
	HTTPSSE bool
	// Named are the tools that the user allowed with --call.
	Named []string
	// Credentials are the names of the header fields that the user gave and that may be credentials.
	Credentials []string
	// Challenged: the survey was answered 401, so that nothing but authorization can be looked at.
	Challenged bool
}

// ListMethods are the list requests of the features, with the capability that declares each, in the order in which SAFE and the
// "first declared list" of the catalogue look for one.
var ListMethods = []struct{ Capability, Method, Member string }{
	{"tools", "tools/list", "tools"},
	{"prompts", "prompts/list", "prompts"},
	{"resources", "resources/list", "resources"},
}

// PreferStream is the label of the inventory's request that would rather have an event stream; it is sent where others are answered
// with JSON.
const PreferStream = "stream first"

// StreamFirst is an Accept header that names the event stream ahead of JSON: some servers choose by the order.
const StreamFirst = "text/event-stream, application/json"

// InventoryScript is the name of the script that gathers the facts.
const InventoryScript = "inventory"

// FactsFrom reads the facts off an inventory transcript.
func FactsFrom(t *wire.Transcript, given Given) *Facts {
	f := &Facts{Revision: t.Revision, Transport: t.Transport, Given: given, Capabilities: map[string]Fact{}}
	open := t.Exchange("initialize")
	if open == nil || !open.Served() {
		return f
	}
	answer, _ := open.Answer()
	f.Opened = Yes
	_ = answer.Decode("/result/protocolVersion", &f.Negotiated)
	f.Sessions = factOf(t.Session.ID != "")
	f.readCapabilities(answer)
	f.readServed(t)
	f.readStreams(t)
	f.readLists(t)
	f.readPages(t)
	return f
}

// Capability returns whether a capability was declared. Its parts are named with a dot: "resources.subscribe".
func (f *Facts) Capability(name string) Fact { return f.Capabilities[name] }

func (f *Facts) readCapabilities(answer wire.Message) {
	var capabilities map[string]json.RawMessage
	if answer.Decode("/result/capabilities", &capabilities) != nil {
		return
	}
	for _, name := range []string{"tools", "prompts", "resources", "logging", "completions", "tasks"} {
		_, declared := capabilities[name]
		f.Capabilities[name] = factOf(declared)
	}
	for _, name := range []string{"tools.listChanged", "prompts.listChanged", "resources.listChanged", "resources.subscribe"} {
		var on bool
		// A flag of another type declares nothing; lifecycle.initialize.shape says what is wrong with it.
		_ = answer.Decode("/result/capabilities/"+strings.ReplaceAll(name, ".", "/"), &on)
		f.Capabilities[name] = factOf(on)
	}
	_, declared := answer.Pointer("/result/capabilities/tasks/requests/tools/call")
	f.Capabilities["tasks.requests.tools.call"] = factOf(declared)
}

func (f *Facts) readServed(t *wire.Transcript) {
	if x := t.Exchange("ping"); x != nil && x.Served() {
		f.Safe = "ping"
	}
	for _, l := range ListMethods {
		if x := t.Exchange(l.Method); x != nil && x.Served() {
			if f.List == "" {
				f.List = l.Method
			}
			if f.Safe == "" {
				f.Safe = l.Method
			}
		}
	}
}

func (f *Facts) readStreams(t *wire.Transcript) {
	if t.Transport == HTTPSSE {
		f.GetStream, f.SSEAnswers, f.EventIDs = No, No, No
		return
	}
	if x := t.Exchange("get"); x != nil {
		switch {
		case x.Status() == 405:
			f.GetStream = No
		case x.Status()/100 == 2 && x.IsSSE():
			f.GetStream = Yes
		}
	}
	for _, x := range t.Exchanges {
		if x.Request.Method != "POST" || !x.Served() {
			continue
		}
		if f.SSEAnswers != Yes {
			f.SSEAnswers = factOf(x.IsSSE())
		}
		if x.IsSSE() && f.EventIDs != Yes {
			f.EventIDs = factOf(slices.ContainsFunc(x.Events(), func(e wire.Event) bool { return e.HasID && e.ID != "" }))
		}
	}
	if f.SSEAnswers == No {
		f.EventIDs = No
	}
	if x := t.Exchange(PreferStream); x != nil && x.Served() && x.IsSSE() {
		f.StreamFirst = true
	}
}
