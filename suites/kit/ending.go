package kit

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A server may end a session whenever it likes, and says 404 from then on. Where one ended that nobody did anything to, a 404 says nothing about
// what it answers.

// endings are what a recording shows of that, found out when somebody asks.
type endings struct {
	once sync.Once
	seen bool
}

// sessionsEnd tells that a session was lost in which nothing was asked but what any client asks, and that nobody ended.
func (r *Recording) sessionsEnd() bool {
	r.endings.once.Do(func() { r.endings.seen = slices.ContainsFunc(r.livesOfSessions(), r.endsByItself) })
	return r.endings.seen
}

// livesOfSessions are the exchanges of each session that was issued, in the order in which they were sent.
func (r *Recording) livesOfSessions() [][]*wire.Exchange {
	type moment struct {
		x  *wire.Exchange
		at int64
	}
	lives := map[string][]moment{}
	for _, tr := range r.Transcripts {
		for _, x := range tr.Exchanges {
			id := RequestHeader(x, sessionHeader)
			if id == "" {
				id = strings.Join(x.ResponseSession(), "")
			}
			if id == "" && x.RequestMessage().Method != r.Era.Opening {
				id = tr.Session.ID // what names no session may have done something to the one that it was sent beside
			}
			if id != "" {
				lives[id] = append(lives[id], moment{x, tr.Started.Add(x.Sent).UnixNano()})
			}
		}
	}
	var all [][]*wire.Exchange
	for _, life := range lives {
		slices.SortStableFunc(life, func(a, b moment) int { return int(min(max(a.at-b.at, -1), 1)) })
		exchanges := make([]*wire.Exchange, len(life))
		for i, m := range life {
			exchanges[i] = m.x
		}
		all = append(all, exchanges)
	}
	return all
}

// endsByItself tells that a harmless request was refused with 404 in a session that had served one, that nothing else was asked in it before, and
// that it served none since.
func (r *Recording) endsByItself(life []*wire.Exchange) bool {
	served := false
	for i, x := range life {
		sent := x.RequestMessage()
		harmless := slices.Contains(r.Era.Unfailing, sent.Method)
		opens := sent.Method == r.Era.Opening && !served || sent.Method == "notifications/initialized"
		switch {
		case x.Broken != "" || x.Request.Method != http.MethodGet && !harmless && !opens:
			return false
		case harmless && x.Served():
			served = true
		case harmless && served && x.Status() == http.StatusNotFound:
			return !slices.ContainsFunc(life[i:], (*wire.Exchange).Served)
		}
	}
	return false
}

// unlessEnded ends the judgement where what is to be said rests on a 404 that the end of a session explains. What the rules for sessions look for is
// another matter.
func (t *T) unlessEnded(p Place) {
	x := p.Exchange
	if x.Status() != http.StatusNotFound || RequestHeader(x, sessionHeader) == "" || strings.HasPrefix(t.check.Entry.ID, "session.") || !t.recording.sessionsEnd() {
		return
	}
	t.notObservedAt(Ended, p, "sessions of this server end by themselves, which may be all that this says: %s", Describe(x))
}

// SessionsEnd tells that a session of the server was lost that nobody did anything to.
func (t *T) SessionsEnd() bool { return t.recording.sessionsEnd() }
