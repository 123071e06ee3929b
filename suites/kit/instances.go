package kit

import (
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// sessionHeader is the header field that carries the session id.
const sessionHeader = "Mcp-Session-Id"

// turns is how often a session must have been refused, and served again after that, before it counts as refused and served in turn.
const turns = 2

// inTurn tells that a session which nobody ended was refused with 404 and served again, with the same request and more than once each:
// several instances without shared sessions answer like that, and what one of them says of a session is no answer of the server.
func (r *Recording) inTurn(session string) bool {
	if session == "" {
		return false
	}
	r.turning.Do(func() { r.turned = turned(r.Transcripts) })
	return r.turned
}

// use is one exchange of a session, on the clock of the run.
type use struct {
	x         *wire.Exchange
	sent, end time.Time
}

func turned(transcripts []*wire.Transcript) bool {
	var uses []use
	for _, t := range transcripts {
		for _, x := range t.Exchanges {
			if header(x.Request.Header, sessionHeader) != "" && x.Response != nil && x.Broken == "" {
				uses = append(uses, use{x, t.Started.Add(x.Sent), t.Started.Add(x.End)})
			}
		}
	}
	// Conversations run beside one another, and share sessions.
	slices.SortStableFunc(uses, func(a, b use) int { return a.sent.Compare(b.sent) })
	type state struct {
		refused      bool
		at           time.Time
		losses, back int
	}
	states, ended := map[string]*state{}, map[string]bool{}
	for _, u := range uses {
		id := header(u.x.Request.Header, sessionHeader)
		if u.x.Request.Method == "DELETE" {
			ended[id] = true
		}
		if ended[id] {
			continue
		}
		kind := id + " " + kindOf(u.x.RequestMessage())
		s := states[kind]
		if s == nil {
			s = &state{}
			states[kind] = s
		}
		switch {
		case u.x.Status() == 404 && !s.refused:
			s.refused, s.at = true, u.end
			s.losses++
		case u.x.Status()/100 == 2 && s.refused && u.sent.After(s.at):
			s.refused = false
			s.back++
		}
		if s.losses >= turns && s.back >= turns {
			return true
		}
	}
	return false
}
