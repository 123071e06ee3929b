package legacy

import (
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// calledTool is the name of the tool that an exchange calls, "" where it calls none.
func calledTool(x *wire.Exchange) (name string) {
	if sent := x.RequestMessage(); sent.Method == "tools/call" {
		_ = sent.Decode("/params/name", &name)
	}
	return name
}

// sameCall finds the exchange that has a name and is as often repeated as another: a tool may be called twice in each round.
func sameCall(tr *wire.Transcript, name string, x *wire.Exchange) *wire.Exchange {
	for _, other := range tr.Exchanges {
		if other.Name() == name && other.Origin.Repeat == x.Origin.Repeat {
			return other
		}
	}
	return nil
}

// notePatience is how long an answer may take that has no reason to come at all: a request without id wants none.
const notePatience = 2 * time.Second

// streamableRules tells that a conversation is judged by the rules of Streamable HTTP: those of its revision, or those that the oldest is
// lent where the server answers no newer one.
func streamableRules(c *kit.C) bool {
	const first = "2025-03-26"
	newer := func(v string) bool { return revision.Since(v, first) }
	return !c.OldTransport() && (c.Since(first) || !slices.ContainsFunc(c.Facts.Echoed, newer))
}

// withoutID are the requests that are sent without an id, which makes notifications of them: ping, and a list.
func withoutID(f *kit.Facts) []string {
	if f.List == "" {
		return []string{"ping"}
	}
	return []string{"ping", f.List}
}
