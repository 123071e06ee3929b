package kit

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// Several instances behind one URL that do not share their sessions refuse and serve a session in turn. What one of them says of a session
// is no answer of the server, and nothing that rests on it can be judged.

// sessionHeader is the header field that carries the session id.
const sessionHeader = "Mcp-Session-Id"

// turns is how often a session must have been refused, and served again after that, before it counts as refused and served in turn.
const turns = 2

// instances is what a recording shows of sessions that are refused and served in turn.
type instances struct {
	once sync.Once
	// issued are the ids that the server gave out.
	issued map[string]bool
	// refusals are those of the sessions that are refused and served in turn; unknown are those of sessions that are refused with 404.
	refusals, unknown []*wire.Exchange
}

func (r *Recording) turning() *instances {
	i := &r.instances
	i.once.Do(func() {
		i.issued = map[string]bool{}
		for _, t := range r.Transcripts {
			if t.Shared && t.Session.ID != "" {
				// What issued it may have been recorded anew since.
				i.issued[t.Session.ID] = true
			}
			for _, x := range t.Exchanges {
				for _, id := range x.ResponseSession() {
					i.issued[id] = true
				}
			}
		}
		i.refusals = refusedInTurn(r.Transcripts, r.Era.Unfailing, http.StatusNotFound, http.StatusBadRequest)
		i.unknown = refusedInTurn(r.Transcripts, r.Era.Unfailing, http.StatusNotFound)
	})
	return i
}

// Unsteady tells that requests which nothing is wrong with were refused here and served there, so that a refusal may be no answer to rely on.
func (r *Recording) Unsteady() bool {
	return r.Instances || r.Capped || r.unreliable() || len(r.turning().refusals) > 0 || r.anyHarmless(func(x *wire.Exchange) bool {
		m := x.RequestMessage()
		answer, _ := x.Answer()
		code, _ := answer.ErrorCode()
		refused := x.Response != nil && x.EndedBy != wire.ByClient && !x.Served() && (r.Era.Incapable == 0 || code != r.Era.Incapable)
		return refused && m.Kind == wire.KindRequest && r.served(m)
	})
}

// inTurn tells that an exchange is the word of one of several instances about a session that the server gave out.
func (r *Recording) inTurn(x *wire.Exchange) bool {
	if x == nil || x.Status() != http.StatusNotFound && x.Status() != http.StatusBadRequest {
		// 404 is what the specification wants for a session that is not known, 400 what many servers answer.
		return false
	}
	i := r.turning()
	return i.issued[RequestHeader(x, sessionHeader)] && (r.Instances || len(i.refusals) > 0)
}

// torn tells that a conversation was answered by several instances, so that its exchanges do not fit together.
func (r *Recording) torn(tr *wire.Transcript) bool {
	if tr == nil {
		return false
	}
	ended := map[string]bool{}
	return slices.ContainsFunc(tr.Exchanges, func(x *wire.Exchange) bool {
		id := RequestHeader(x, sessionHeader)
		refused := x.Broken == "" && !ended[id] && r.inTurn(x)
		ended[id] = ended[id] || x.Request.Method == http.MethodDelete
		return refused
	})
}

// unlessTurning ends the judgement where what is to be said of an exchange is one instance's word about a session, or where a conversation
// that has to fit together was answered by several.
func (t *T) unlessTurning(p Place) {
	own := t.check.Entry.ID == t.recording.Era.Turning
	if own || !t.recording.inTurn(p.Exchange) && (t.check.Passive() || !t.recording.torn(p.Transcript)) {
		return
	}
	const says = "requests of a session are refused and served in turn, as several instances without shared sessions would"
	if t.tellsTurning && len(t.RefusedInTurn()) > 0 {
		panic(stop{verdict: NotObserved, cause: Blocked, reason: says + ": " + Describe(p.Exchange), blockedBy: t.recording.Era.Turning, unknown: true, shown: []Place{p}})
	}
	t.notObservedAt(Unstable, p, says+": %s", Describe(p.Exchange))
}

// RefusedInTurn are the refusals by 404 of sessions that were refused and served in turn: more than once each way, by the same harmless
// request, and nobody had ended them.
func (t *T) RefusedInTurn() []*wire.Exchange {
	return t.recording.turning().unknown
}

// use is one exchange of a session, on the clock of the run.
type use struct {
	x         *wire.Exchange
	sent, end time.Time
}

// refusedInTurn returns the refusals with these statuses of sessions that were refused and served in turn, by their harmless requests.
func refusedInTurn(transcripts []*wire.Transcript, harmless []string, statuses ...int) []*wire.Exchange {
	type life struct {
		refused  bool
		at       time.Time
		back     int // how often it was served again
		refusals []*wire.Exchange
	}
	lives, ended := map[string]*life{}, map[string]bool{}
	var kinds []string
	for _, u := range usesOf(transcripts) {
		id := strings.Join(u.x.Request.Header[sessionHeader], "")
		if u.x.Request.Method == http.MethodDelete {
			ended[id] = true
		}
		method := u.x.RequestMessage().Method
		if ended[id] || !slices.Contains(harmless, method) {
			continue
		}
		// What carries another version is another request.
		kind := id + " " + method + " " + RequestHeader(u.x, "MCP-Protocol-Version")
		l := lives[kind]
		if l == nil {
			l = &life{}
			lives[kind], kinds = l, append(kinds, kind)
		}
		switch {
		case slices.Contains(statuses, u.x.Status()) && !isPage(u.x):
			l.refusals = append(l.refusals, u.x)
			if !l.refused {
				l.refused, l.at = true, u.end
			}
		case u.x.Status()/100 == 2 && l.refused && u.sent.After(l.at):
			// What was sent before the refusal may have been under way.
			l.refused = false
			l.back++
		}
	}
	var all []*wire.Exchange
	for _, kind := range kinds {
		if l := lives[kind]; l.back >= turns {
			all = append(all, l.refusals...)
		}
	}
	return all
}

// usesOf are the unbroken requests that carry a session id, spelt as usual, in the order of sending: conversations run beside one another,
// and share sessions.
func usesOf(transcripts []*wire.Transcript) []use {
	var uses []use
	for _, t := range transcripts {
		for _, x := range t.Exchanges {
			if len(x.Request.Header[sessionHeader]) > 0 && x.Broken == "" {
				uses = append(uses, use{x, t.Started.Add(x.Sent), t.Started.Add(x.End)})
			}
		}
	}
	slices.SortStableFunc(uses, func(a, b use) int { return cmp.Or(a.sent.Compare(b.sent), a.end.Compare(b.end)) })
	return uses
}

// isPage tells that the answer is a page, which something in front of a server sends.
func isPage(x *wire.Exchange) bool {
	return strings.HasPrefix(x.Response.Header.Get("Content-Type"), "text/html")
}
