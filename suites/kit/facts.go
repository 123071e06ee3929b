package kit

import (
	"encoding/json"
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

// FactOf is Yes or No.
func FactOf(b bool) Fact {
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
	// Opened: the first exchange of a conversation was served.
	Opened Fact
	// Traits are what else the era wants to know of a server.
	Traits map[Trait]Fact
	// Capabilities holds the declared ones by name.
	Capabilities map[string]Fact
	// SSEAnswers: requests are answered on event streams.
	SSEAnswers Fact
	// StreamFirst: they are only where the client names the event stream ahead of JSON in Accept.
	StreamFirst bool
	// Safe is a request without params that the server serves: ping, else the first list; "" where nothing is served.
	Safe string
	// List is the first list method of a declared feature that was served, "" without one.
	List string
	// Unserved are the list methods of declared features that were asked for and not served.
	Unserved []string
	// Tools are the listed tools, as far as they concern us.
	Tools []Tool
	// Resources are the listed resources, Templates the listed URI templates.
	Resources []Resource
	Templates []string
	// Prompts are the listed prompts.
	Prompts []Prompt
	// unlisted is why no list was served.
	unlisted Cause
	// unread is why a list could not be looked at, "" where all could.
	unread Cause
	// Paged are the lists that name a next page on their first.
	Paged []List
	Given
}

// Given is what a run knew before the inventory.
type Given struct {
	// Echoed are the legacy revisions that the server answered initialize with in the survey.
	Echoed []string
	// DualEra: the server speaks revisions of the other era as well; unknown where its answer to their first request tells nothing.
	DualEra Fact
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

// A Trait names a fact that only one era knows of.
type Trait string

// Trait returns what is known of a trait.
func (f *Facts) Trait(t Trait) Fact { return f.Traits[t] }

// NewFacts returns the facts about a server of which nothing is known yet.
func NewFacts(revision, transport string, given Given) *Facts {
	return &Facts{Revision: revision, Transport: transport, Given: given, Capabilities: map[string]Fact{}, Traits: map[Trait]Fact{}, unlisted: Unrecorded}
}

// Capability returns whether a capability was declared. Its parts are named with a dot: "resources.subscribe".
func (f *Facts) Capability(name string) Fact { return f.Capabilities[name] }

// ReadCapabilities reads which capabilities a result declares: those in declared by being there, those in flags by being true.
func (f *Facts) ReadCapabilities(answer wire.Message, declared, flags []string) {
	var capabilities map[string]json.RawMessage
	if answer.Decode("/result/capabilities", &capabilities) != nil {
		return
	}
	pointer := func(name string) string { return "/result/capabilities/" + strings.ReplaceAll(name, ".", "/") }
	for _, name := range declared {
		_, there := answer.Pointer(pointer(name))
		f.Capabilities[name] = FactOf(there)
	}
	for _, name := range flags {
		var on bool
		_ = answer.Decode(pointer(name), &on)
		f.Capabilities[name] = FactOf(on)
	}
}

// ReadServed reads which harmless requests were served; the first of the given methods that was is Safe.
func (f *Facts) ReadServed(t *wire.Transcript, safe ...string) {
	for _, method := range safe {
		if x := t.Exchange(method); x != nil && x.Served() && f.Safe == "" {
			f.Safe = method
		}
	}
	for _, l := range Lists {
		if x := t.Exchange(l.Method); x != nil && !x.Served() {
			f.Unserved = append(f.Unserved, l.Method)
		}
	}
	for _, l := range ListMethods {
		x := t.Exchange(l.Method)
		if x != nil {
			f.unlisted = CauseOf(x, TurnedAway)
		}
		if x != nil && x.Served() {
			if f.List == "" {
				f.List = l.Method
			}
			if f.Safe == "" {
				f.Safe = l.Method
			}
		}
	}
}
