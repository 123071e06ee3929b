package suites

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// confirm records once more what accusations rest on, and judges again until every accusation is confirmed, taken back, or has had its
// second try. An accusation that several revisions share is confirmed in the newest of them; only where that one does not show it again
// are the others tried. The roots come first, then what is a MUST: what hangs on a lost initialize is settled by it.
func (r *recorder) confirm(ctx context.Context, record *Record) {
	for range 2 {
		chosen := r.accusing(ctx, record)
		if len(chosen) == 0 || ctx.Err() != nil {
			return
		}
		r.enter(phaseConfirming)
		within, cancel := context.WithTimeout(ctx, r.budget(chosen))
		r.again(within, chosen)
		cancel()
	}
}

// A repetition is what is to be recorded again in one track, the most telling first.
type repetition struct {
	stage *stage
	names []string
}

// accusing chooses the conversations that confirming needs: for each accusation that has had no second try, one that shows it.
func (r *recorder) accusing(ctx context.Context, record *Record) []repetition {
	type accusation struct {
		cell   *Cell
		result kit.Result
	}
	open := map[string][]accusation{}
	var ids []string
	for _, cell := range record.Cells(r.suite) {
		if ctx.Err() != nil {
			return nil // judging what is large takes its time
		}
		if !cell.open() {
			continue
		}
		id := cell.Entry.ID
		if open[id] == nil {
			ids = append(ids, id)
		}
		open[id] = append(open[id], accusation{cell, cell.first()})
	}
	rank := func(id string) int {
		a := open[id][len(open[id])-1]
		switch era := r.suite.era(a.cell.Revision); {
		case id == era.Root:
			return 0
		case id == era.Harmless:
			return 1
		case a.result.Verdict == kit.Fail:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	chosen := map[*Track][]string{}
	for _, id := range ids {
		// One revision stands for all that have the same breach; the others are open again where it does not.
		var tried []kit.Result
		for _, a := range slices.Backward(open[id]) {
			if slices.ContainsFunc(tried, func(t kit.Result) bool { return sameBreach(t, a.result) }) {
				continue
			}
			tried = append(tried, a.result)
			track := a.cell.track
			name := a.cell.showing(chosen[track])
			if r.suite.once(r.plan, name) {
				track = record.lender(track)
			}
			if name != "" && !slices.Contains(chosen[track], name) {
				chosen[track] = append(chosen[track], name)
			}
		}
	}
	return r.repetitions(record, chosen)
}

// repetitions orders what is to be recorded again as the record has its tracks.
func (r *recorder) repetitions(record *Record, chosen map[*Track][]string) []repetition {
	var all []repetition
	for _, track := range record.Tracks {
		names := chosen[track]
		if len(names) == 0 {
			continue
		}
		facts := kit.NewFacts(track.Revision, track.Transport, r.plan.given())
		if !r.plan.Challenged {
			facts = r.suite.era(track.Revision).Facts(track.First[0], r.plan.given())
		}
		all = append(all, repetition{stage: &stage{recorder: r, track: track, scripts: r.scripts(track), facts: facts}, names: names})
		r.grow(len(names))
	}
	return all
}

// budget is how long recording again may take: three time-outs, or what the first recordings took, at the latency that was seen.
func (r *recorder) budget(chosen []repetition) time.Duration {
	var longest, sum time.Duration
	for _, c := range chosen {
		var track time.Duration
		for _, t := range c.stage.track.First {
			if t == c.stage.track.First[0] || slices.Contains(c.names, t.Script) {
				track += t.Duration
			}
		}
		longest, sum = max(longest, track), sum+track
	}
	if r.plan.Serial {
		longest = sum
	}
	return max(r.least, 2*longest+r.client.Timeout())
}

// again records the chosen conversations again: alone means alone in its revision, and three repetitions at a time are no load.
func (r *recorder) again(ctx context.Context, chosen []repetition) {
	var stages []*stage
	names := map[*stage][]string{}
	for _, c := range chosen {
		stages, names[c.stage] = append(stages, c.stage), c.names
	}
	keep := func(s *stage) func(*wire.Transcript) {
		return func(t *wire.Transcript) {
			if usable(ctx, t) {
				s.track.Again[t.Script] = t
			}
		}
	}
	r.each(stages, func(s *stage) { s.repeat(ctx, names[s], keep(s)) })
	for _, s := range stages {
		s.inTurn(ctx, names[s], kit.Sharing.IsAlone, keep(s))
	}
}

// repeat records the named conversations of a track once more, except those that no other may run beside, one by one. Those that wait by the
// clock, or waited for something that never came, wait again meanwhile, all at once: they are no load.
func (s *stage) repeat(ctx context.Context, names []string, keep func(*wire.Transcript)) {
	// Lone repetitions of shared scripts need a session; it is the inventory's, opened anew.
	shared := func(k *kit.Script) bool { return k.Sharing == kit.Shared }
	if wanted := slices.Contains(names, s.era().Inventory.Name); wanted || slices.ContainsFunc(s.named(names), shared) {
		inventory, session := s.open(ctx, s.era().Inventory, 2)
		s.share(ctx, session)
		if wanted {
			keep(inventory)
			s.recorder.tick(phaseConfirming)
		}
	}
	var waiting, others []*kit.Script
	for _, k := range s.named(names) {
		switch {
		case k.Sharing.IsAlone():
		case !s.recorder.plan.Serial && (k.Waits || s.waited(k.Name)):
			waiting = append(waiting, k)
		default:
			others = append(others, k)
		}
	}
	var mu sync.Mutex
	again := func(k *kit.Script) {
		if t := s.script(ctx, k, 2); t != nil {
			mu.Lock()
			defer mu.Unlock()
			keep(t)
		}
	}
	var wg sync.WaitGroup
	for _, k := range waiting {
		wg.Go(func() { again(k) })
	}
	for _, k := range others {
		again(k)
	}
	wg.Wait()
}

// inTurn records the named conversations of some sharing again, one after another.
func (s *stage) inTurn(ctx context.Context, names []string, of func(kit.Sharing) bool, keep func(*wire.Transcript)) {
	for _, script := range s.named(names) {
		if !of(script.Sharing) {
			continue
		}
		if t := s.script(ctx, script, 2); t != nil {
			keep(t)
		}
	}
}

// named are the scripts of these names, in the order of the names.
func (s *stage) named(names []string) []*kit.Script {
	var all []*kit.Script
	for _, name := range names {
		if i := slices.IndexFunc(s.scripts, func(k *kit.Script) bool { return k.Name == name }); i >= 0 {
			all = append(all, s.scripts[i])
		}
	}
	return all
}

// waited tells that the first recording of a script waited for a time-out.
func (s *stage) waited(name string) bool {
	for _, t := range s.track.First {
		if t.Script == name {
			return slices.ContainsFunc(t.Exchanges, func(x *wire.Exchange) bool { return x.EndedBy == wire.ByTimeout })
		}
	}
	return false
}

// usable tells whether a repetition was recorded to its end: one that the budget cut off proves nothing.
func usable(ctx context.Context, t *wire.Transcript) bool {
	return ctx.Err() == nil && (t.Aborted == "" || t.Aborted == client.GaveUp)
}
