package suites

import (
	"context"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// What a run does when it could not look: it tries once more, alone, before that counts, and it goes on where the server lets it.

// maxRestarts is how often a server that we started is started again in one run.
const maxRestarts = 3

// recover goes on after something ended all conversations. It is false where nothing more can be seen.
func (r *recorder) recover(ctx context.Context) bool {
	trouble := r.client.Halted()
	if trouble == nil || ctx.Err() != nil {
		return ctx.Err() == nil
	}
	switch trouble.Kind {
	case client.Gone:
		if r.child == nil || r.restarts >= maxRestarts {
			return false
		}
		r.restarts++
		if r.child.Restart(ctx) != nil {
			return false
		}
	case client.StreamsBlock:
		r.client.Resume()
		return r.unblock(ctx)
	default:
		return false
	}
	r.client.Resume()
	return true
}

// goOn tells that accusations can be confirmed: a server that hangs does so again, one that is gone shows nothing.
func (r *recorder) goOn() bool {
	trouble := r.client.Halted()
	if trouble == nil {
		return true
	}
	if trouble.Kind == client.Gone {
		return false
	}
	r.client.Resume()
	r.client.Patient()
	return true
}

// rescue records again, alone, what could not be looked at: conversations that were not held or were cut short, and those of cells whose
// verdict hangs on something that was not answered. What comes of it takes the place of the first recording.
func (r *recorder) rescue(ctx context.Context, record *Record) {
	for range 1 + maxRestarts {
		lost := r.lost(ctx, record)
		if len(lost) == 0 {
			return
		}
		within, cancel := context.WithTimeout(ctx, r.budget(lost))
		r.retry(within, lost)
		cancel()
		if r.client.Halted() == nil || !r.recover(ctx) {
			return
		}
	}
}

func (r *recorder) retry(ctx context.Context, lost []repetition) {
	var stages []*stage
	names := map[*stage][]string{}
	for _, l := range lost {
		stages, names[l.stage] = append(stages, l.stage), l.names
	}
	r.each(stages, func(s *stage) {
		if s.facts.Opened != kit.Yes || s.track.First[0].Aborted != "" {
			// Nothing of this revision could be seen, or not what hangs on what, so all of it is looked at anew.
			before := s.track.First
			s.track.reset()
			s.inventory(ctx)
			s.track.agree(before[0])
			s.crowd(ctx)
			s.oneByOne(ctx, func(k kit.Sharing) bool { return k == kit.Last })
			r.client.EndIdle(ctx)
			s.track.restore(before)
			return
		}
		s.repeat(ctx, names[s], s.track.supersede)
	})
	for _, s := range stages {
		s.inTurn(ctx, names[s], kit.Sharing.IsAlone, s.track.supersede)
	}
}

// lost lists what could not be looked at and has not been tried again.
func (r *recorder) lost(ctx context.Context, record *Record) []repetition {
	chosen := map[*Track][]string{}
	for _, track := range record.Tracks {
		s := &stage{recorder: r, track: track, scripts: r.scripts(track)}
		r.giveUpStreams(s)
		if len(track.First) > 0 && !r.plan.Challenged {
			s.facts = r.suite.era(track.Revision).Facts(track.First[0], r.plan.given())
			for _, script := range s.planned() {
				if script.Sharing != kit.Deadly && track.first(script.Name) == nil {
					chosen[track] = append(chosen[track], script.Name)
				}
			}
		}
		for _, t := range track.First {
			if t.Aborted != "" && !slices.Contains(chosen[track], t.Script) {
				chosen[track] = append(chosen[track], t.Script)
			}
		}
	}
	// Judging is the dearest part of a run: it tells nothing new where all could look.
	record.refresh(r.suite)
	if len(r.client.Troubles()) > 0 || slices.ContainsFunc(record.Tracks, (*Track).disturbed) {
		r.unseen(ctx, record, chosen)
	}
	for track, names := range chosen {
		chosen[track] = slices.DeleteFunc(names, func(name string) bool {
			tried := slices.Contains(track.rescued, name)
			track.rescued = append(track.rescued, name)
			return tried
		})
	}
	return r.repetitions(record, chosen)
}

// unseen adds the conversations of cells that could not look.
func (r *recorder) unseen(ctx context.Context, record *Record, chosen map[*Track][]string) {
	cells := record.Cells(r.suite)
	results := make([]kit.Result, len(cells))
	for i, c := range cells {
		if ctx.Err() != nil {
			return
		}
		results[i] = c.first()
	}
	settle(results)
	for i, c := range cells {
		if results[i].Verdict != kit.NotObserved || results[i].Class != kit.CouldNotLook || results[i].Cause == kit.Blocked {
			continue
		}
		for _, name := range results[i].Scripts {
			if t := c.track.first(name); t != nil && (troubled(t) || shows(results[i], t)) && !slices.Contains(chosen[c.track], name) {
				chosen[c.track] = append(chosen[c.track], name)
			}
		}
	}
}

// disturbed tells that something may have kept a judgement of a track from looking: a request that was not answered or was turned away for
// load, the page of something in front of the server, or refusals that cannot be relied on.
func (t *Track) disturbed() bool {
	return t.recording.Unsteady() || slices.ContainsFunc(t.First, func(tr *wire.Transcript) bool {
		return troubled(tr) || slices.ContainsFunc(tr.Exchanges, func(x *wire.Exchange) bool { return x.Status() >= 400 && x.MediaType() == "text/html" })
	})
}

// troubled tells that something in a conversation was not answered, or was turned away for load.
func troubled(t *wire.Transcript) bool {
	return t.Aborted != "" || slices.ContainsFunc(t.Exchanges, func(x *wire.Exchange) bool {
		return !x.Origin.Automatic() && kit.CauseOf(x, kit.Unprovoked).Class() == kit.CouldNotLook
	})
}

// shows tells that a result rests on what came in a conversation.
func shows(r kit.Result, t *wire.Transcript) bool {
	return slices.ContainsFunc(r.Shown, func(p kit.Place) bool { return p.Transcript == t })
}

// first is the first recording of a script, nil where there is none.
func (t *Track) first(script string) *wire.Transcript {
	if i := slices.IndexFunc(t.First, func(o *wire.Transcript) bool { return o.Script == script }); i >= 0 {
		return t.First[i]
	}
	return nil
}

// supersede puts a recording in the place of an earlier one that could not look. One that was cut short itself is no better; one that was
// given up like the first has waited as long for the same, which is all that confirming it would do.
func (t *Track) supersede(better *wire.Transcript) {
	if before := t.first(better.Script); better.Aborted == client.GaveUp && before != nil && before.Aborted == client.GaveUp {
		t.Again[better.Script] = better
	}
	if better.Aborted != "" {
		return
	}
	i := slices.IndexFunc(t.First, func(o *wire.Transcript) bool { return o.Script == better.Script })
	if i < 0 {
		t.First = append(t.First, better)
	} else {
		t.Lost = append(t.Lost, t.First[i])
		t.First = slices.Clone(t.First)
		t.First[i] = better
	}
}

// leaveOut takes a recording out of what is judged, but keeps it in the file.
func (t *Track) leaveOut(script string) {
	t.First = slices.DeleteFunc(slices.Clone(t.First), func(o *wire.Transcript) bool {
		if o.Script != script {
			return false
		}
		t.Lost = append(t.Lost, o)
		return true
	})
}

// agree keeps an earlier inventory as the second attempt where both were given up: each has waited as long for the same, the newer one
// alone, which is all that confirming it would do.
func (t *Track) agree(before *wire.Transcript) {
	now := t.First[0]
	if now.Aborted == client.GaveUp && before.Aborted == client.GaveUp && t.Again[now.Script] == nil {
		t.Again[now.Script] = before
		t.Lost = slices.DeleteFunc(t.Lost, func(o *wire.Transcript) bool { return o == before })
	}
}

// restore takes back what was not recorded anew: it is as true as it was.
func (t *Track) restore(before []*wire.Transcript) {
	for _, old := range before {
		if old.Aborted == "" && t.first(old.Script) == nil {
			t.First = append(t.First, old)
			t.Lost = slices.DeleteFunc(t.Lost, func(o *wire.Transcript) bool { return o == old })
		}
	}
}

// reset forgets everything that was recorded, but keeps it in the file.
func (t *Track) reset() {
	t.Lost = append(t.Lost, t.First...)
	t.First, t.Again = nil, map[string]*wire.Transcript{}
}
