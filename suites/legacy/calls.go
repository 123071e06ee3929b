package legacy

import (
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
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
	i := slices.IndexFunc(tr.Exchanges, func(other *wire.Exchange) bool {
		return other.Name() == name && other.Origin.Repeat == x.Origin.Repeat
	})
	if i < 0 {
		return nil
	}
	return tr.Exchanges[i]
}

// notePatience is how long an answer may take that has no reason to come at all: a request without id wants none.
const notePatience = 2 * time.Second

// withoutID are the requests that are sent without an id, which makes notifications of them: ping, and a list.
func withoutID(f *kit.Facts) []string {
	if f.List == "" {
		return []string{"ping"}
	}
	return []string{"ping", f.List}
}
