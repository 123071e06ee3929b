package clients

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// eachModern visits the requests of the client that name their revision, which a dual-era client's initialize does not.
func eachModern(t *kit.T, visit func(*wire.Exchange, wire.Message)) {
	t.Unseen(kit.Unprovoked, "the client sent no request of this revision")
	for _, x := range posts(t) {
		if m := x.RequestMessage(); isModern(m) && isRequest(m) {
			visit(x, m)
		}
	}
}

// servedModern is the first request of this revision that was served, nil without one.
func servedModern(tr *wire.Transcript) *wire.Exchange {
	for _, x := range tr.Exchanges {
		if isModern(x.RequestMessage()) && x.Served() {
			return x
		}
	}
	return nil
}

// discovered is the server/discover that a server of this revision answered, nil without one.
func discovered(tr *wire.Transcript) *wire.Exchange {
	for _, o := range tr.Exchanges {
		if o.RequestMessage().Method == "server/discover" && o.Served() {
			return o
		}
	}
	return nil
}
