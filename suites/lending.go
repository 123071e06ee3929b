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

// borrowers counts the conversations that may go on in the session of another one.
func (s *stage) borrowers() map[client.Kind]int {
	n := map[client.Kind]int{}
	for _, k := range s.planned() {
		if s.lends(k, 1) && !k.Fresh {
			n[s.kind(k)]++
		}
	}
	return n
}

// spared is how many sessions a conversation that would spend one leaves to those that come at the end: a handshake of theirs makes the
// whole run longer.
func (s *stage) spared(script *kit.Script) (n int) {
	if !script.Spends || script.Sharing != kit.Own || s.recorder.client.Concurrency() == 1 {
		return 0
	}
	left, deadly := false, false
	for _, k := range s.planned() {
		switch mine := s.lends(k, 1) && s.kind(k) == s.kind(script); {
		case mine && k.Sharing == kit.Alone:
			n++ // all at once
			left = left || !k.Spends
		case mine && k.Sharing == kit.Deadly:
			deadly = true // one after another, in what those that were alone have left
		}
	}
	if deadly && !left {
		n++
	}
	return n
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
