package client

import (
	"net/http"
	"strings"
	"time"
)

// A turn counts how often a session was refused as unknown and served again after that.
type turn struct {
	refused      bool // last
	at           time.Time
	back, losses int
}

// maxTurns bounds how many sessions are remembered.
const maxTurns = 10_000

// turn notices a session that is unknown now and then.
func (w *watch) turn(f *flight, sent time.Time) {
	x := f.x
	// Another spelling of the field may be what is refused.
	id := strings.Join(x.Request.Header["Mcp-Session-Id"], "")
	if id == "" || x.Response == nil || x.Broken != "" || w.client.ledger.isDeleted(id) || !harmless(f.out.method) {
		return
	}
	// Of one kind of request: what is always refused shows nothing.
	id += " " + f.out.method + " " + x.Request.Header.Get("MCP-Protocol-Version")
	t := w.sessions[id]
	if t == nil {
		if len(w.sessions) >= maxTurns {
			return
		}
		if w.sessions == nil {
			w.sessions = map[string]*turn{}
		}
		t = &turn{}
		w.sessions[id] = t
	}
	switch {
	case (x.Status() == http.StatusNotFound || x.Status() == http.StatusBadRequest) && !t.refused:
		t.refused, t.at = true, time.Now()
		t.losses++
	case x.Status()/100 == 2 && t.refused && sent.After(t.at):
		// What was sent before the refusal may have been under way.
		t.refused = false
		t.back++
	}
	if t.losses >= turns && t.back >= turns {
		w.note(Trouble{Kind: Instances})
	}
}
