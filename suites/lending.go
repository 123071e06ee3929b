package suites

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// Which conversations go on in the session of another, and how many sessions they need: see client/lending.go.

// places tells that a conversation takes one of the places for those with sessions of their own.
func (s *stage) places(script *kit.Script) bool {
	return s.era().Open != nil && script.Sharing != kit.Shared && !s.recorder.plan.Serial
}

// lends tells that a conversation goes on in the session of another one, or may leave its own to a third. What is recorded again has nothing
// to do with others.
func (s *stage) lends(script *kit.Script, attempt int) bool {
	return s.era().Open != nil && script.Sharing.Lends() && attempt == 1 && !s.alone()
}

// borrow says how many conversations of some sharing may go on in the session of another one.
func (s *stage) borrow(of func(kit.Sharing) bool) {
	n := map[client.Kind]int{}
	for _, k := range s.planned() {
		if s.lends(k, 1) && !k.Fresh && of(k.Sharing) {
			n[s.kind(k)]++
		}
	}
	for kind, n := range n {
		s.recorder.client.Borrowers(kind, n)
	}
}

// spared is how many sessions a conversation that would spend one leaves to those that come at the end: a handshake of theirs makes the
// whole run longer.
func (s *stage) spared(script *kit.Script) (n int) {
	if !script.Spends || script.Sharing != kit.Own || s.recorder.client.Concurrency() == 1 {
		return 0
	}
	deadly := 0
	for _, k := range s.planned() {
		switch mine := s.lends(k, 1) && s.kind(k) == s.kind(script); {
		case mine && k.Sharing == kit.Alone:
			n++ // all at once
		case mine && k.Sharing == kit.Deadly && s.leaves(k.Sharing):
			deadly = 1 // one after another
		}
	}
	return n + deadly
}

// leaves tells that sessions are left to the conversations of some sharing when all others have ended: those that may end a server go on in what
// the ones that were alone have left, where these leave any.
func (s *stage) leaves(of kit.Sharing) bool {
	return of != kit.Deadly || !slices.ContainsFunc(s.planned(), func(k *kit.Script) bool {
		return k.Sharing == kit.Alone && s.lends(k, 1) && !k.Spends
	})
}

// kind is what sessions have in common that a script may go on in.
func (s *stage) kind(script *kit.Script) client.Kind {
	return client.Kind{Revision: s.track.Revision, Transport: s.track.Transport, ForAll: s.forAll(script)}
}

// forAll tells that what a script shows counts for other revisions, too.
func (s *stage) forAll(script *kit.Script) bool {
	tracks := s.recorder.plan.tracks()
	return script.Everywhere() && slices.ContainsFunc(tracks, func(o *Track) bool {
		return lender(tracks, o).Revision == s.track.Revision && o.Transport == s.track.Transport && o.Revision != s.track.Revision
	})
}
