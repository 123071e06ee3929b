package kit

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/wire"
)

// What a server answers to requests that nothing is wrong with tells how far its other answers can be relied on.

// unreliable tells that requests which the server serves otherwise were answered with 5xx: it fails at random, and a 5xx in answer to
// a probe is no judgement on the probe.
func (r *Recording) unreliable() bool {
	r.reliability.Do(func() {
		r.failing = r.anyHarmless(func(x *wire.Exchange) bool {
			return x.Status() >= 500 && slices.Contains(r.Era.Unfailing, x.RequestMessage().Method)
		})
	})
	return r.failing
}

// failsSteadily tells that the answer to a harmless request is no accident: the server failed by itself whenever it was asked for this, and
// served something else in the same conversation afterwards, or in any where there are no sessions.
func (r *Recording) failsSteadily(x *wire.Exchange) bool {
	m := x.RequestMessage()
	if x.Broken != "" || !OwnError(x.Status()) || !slices.Contains(r.Era.Unfailing, m.Method) || r.served(m) {
		return false
	}
	return slices.ContainsFunc(r.Transcripts, func(tr *wire.Transcript) bool {
		failed := slices.IndexFunc(tr.Exchanges, func(o *wire.Exchange) bool {
			return o.Broken == "" && OwnError(o.Status()) && kindOf(o.RequestMessage()) == kindOf(m)
		})
		if failed < 0 {
			return false
		}
		failure := tr.Exchanges[failed]
		return slices.ContainsFunc(r.Transcripts, func(other *wire.Transcript) bool {
			if other != tr && r.Era.Open != nil {
				return false
			}
			since := tr.Started.Add(failure.End).Sub(other.Started)
			return slices.ContainsFunc(other.Exchanges, func(o *wire.Exchange) bool {
				return o.Broken == "" && o.Served() && o.Sent >= since && (r.Era.Open == nil || o.RequestMessage().Method != r.Era.Opening)
			})
		})
	})
}

// anyHarmless tells whether something holds for one of the requests that nothing is wrong with.
func (r *Recording) anyHarmless(is func(*wire.Exchange) bool) bool {
	for _, t := range r.Transcripts {
		ended := map[string]bool{}
		// What is asked before anything was opened may be refused.
		open := t.Shared || r.Era.Open == nil
		for _, x := range t.Exchanges {
			open = open || x.RequestMessage().Method == r.Era.Opening
			session := header(x.Request.Header, sessionHeader)
			if x.Request.Method == "DELETE" {
				ended[session] = true
			}
			// What a session answers that was ended says nothing of the others.
			if open && !ended[session] && x.Broken == "" && is(x) {
				return true
			}
		}
	}
	return false
}
