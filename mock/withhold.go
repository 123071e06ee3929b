package mock

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/wire"
)

// costly are the requests that cost money or open dialogs where the client declared the capability behind them.
var costly = map[string]string{"sampling/createMessage": "sampling", "elicitation/create": "elicitation"}

// withheld tells that an event is such a request, and not for this client. Most personas ask only those that did not declare it; one that
// makes use of what was declared asks those that did.
func (r *recorder) withheld(p []byte) bool {
	for _, e := range wire.Decode(p) {
		m := e.Message()
		capability := costly[m.Method]
		if capability == "" {
			continue
		}
		r.mu.Lock()
		declared, there := wire.Lookup(r.declared, "/"+capability)
		r.mu.Unlock()
		switch {
		case len(r.asks) == 0:
			if there {
				return true
			}
		case !there || !slices.Contains(r.asks, capability) || !fits(m, declared):
			return true
		}
	}
	return false
}

// fits tells that a request of what was declared shows something: tools to those that know none are to be refused, and so are results of
// tools that nobody used, by those that know them. The others would cost more and show no more.
func fits(m wire.Message, declared json.RawMessage) bool {
	_, knowsTools := wire.Lookup(declared, "/tools")
	_, tools := m.Pointer("/params/tools")
	_, results := m.Pointer("/params/messages/0/content/toolUseId")
	return !(tools && knowsTools) && !(results && !knowsTools)
}

// met notes what the client declares.
func (r *recorder) met(m wire.Message) {
	if m.Method != "initialize" {
		return
	}
	declared, _ := m.Pointer("/params/capabilities")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.declared = declared
}
