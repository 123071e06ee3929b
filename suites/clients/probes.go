package clients

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// The codes by which a server shows that it is of this era.
const (
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

// modernCode is the code of an error that only servers of this era send, 0 for none.
func modernCode(x *wire.Exchange) int64 {
	m, ok := x.Answer()
	code, has := m.ErrorCode()
	if ok && has && slices.Contains([]int64{codeHeaderMismatch, codeMissingCapability, codeUnsupportedVersion}, code) {
		return code
	}
	return 0
}

// A probe is the first request of this revision in a conversation, and what follows it.
type probe struct {
	tr *wire.Transcript
	x  *wire.Exchange
	// initialized is the first initialize behind it, nil without one; more counts the requests of this revision ahead of that.
	initialized *wire.Exchange
	more        int
}

// probes are those of all conversations, in whatever revision they ended.
func probes(t *kit.T) []probe {
	t.Unseen(kit.Unprovoked, "no server refused a request of this revision as that of the other era would")
	var all []probe
	for _, tr := range t.Everywhere() {
		i := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool { return isModern(x.RequestMessage()) })
		if i < 0 {
			continue
		}
		p := probe{tr: tr, x: tr.Exchanges[i]}
		for _, x := range tr.Exchanges[i+1:] {
			m := x.RequestMessage()
			if p.initialized == nil && m.Method == methodInitialize {
				p.initialized = x
			}
			if p.initialized == nil && isModern(m) && isRequest(m) {
				p.more++
			}
		}
		all = append(all, p)
	}
	return all
}
