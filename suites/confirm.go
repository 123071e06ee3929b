package suites

import (
	"context"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// confirm records once more, one at a time, every conversation on which an accusation rests: the roots first, since what hangs on a lost
// initialize is settled by it. It stops when the budget is used up; what was not confirmed by then is not held against the server.
func (r *recorder) confirm(ctx context.Context, record *Record, suite *Suite, budget time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	var stages []*stage
	scripts := map[*stage][]string{}
	for _, track := range record.Tracks {
		names := r.accusing(record, suite, track)
		if len(names) == 0 {
			continue
		}
		s := &stage{recorder: r, track: track, scripts: r.scripts(track), facts: suite.era(track.Revision).Facts(track.First[0], r.plan.given())}
		stages, scripts[s] = append(stages, s), names
		r.total += len(names)
	}
	// Alone means alone in its revision: three repetitions at a time are no load, and waiting for each other would eat the budget.
	r.each(stages, func(s *stage) { s.repeat(ctx, scripts[s]) })
	for _, s := range stages {
		s.again(ctx, scripts[s], true)
	}
}

// accusing lists the scripts behind fails and warnings, the inventory first, then in plan order.
func (r *recorder) accusing(record *Record, suite *Suite, track *Track) []string {
	wanted := map[string]bool{}
	for _, cell := range record.cells(suite, track) {
		if r.plan.Challenged && !suite.outside(cell) {
			continue
		}
		if result := cell.first(); result.Verdict.Accuses() {
			for _, name := range result.Scripts {
				wanted[name] = true
			}
		}
	}
	var names []string
	for _, t := range track.First {
		if wanted[t.Script] && track.Again[t.Script] == nil {
			names = append(names, t.Script)
		}
	}
	return names
}

func (s *stage) repeat(ctx context.Context, names []string) {
	if !slices.ContainsFunc(s.scripts, func(k *kit.Script) bool { return !k.Sharing.IsAlone() }) {
		// What a server shows that wants credentials needs no session.
		return
	}
	// Lone repetitions of shared scripts need a session; it is the inventory's, opened anew.
	inventory, session := s.open(ctx, s.era().Inventory, 2)
	s.common = session
	if slices.Contains(names, inventory.Script) && usable(ctx, inventory) {
		s.track.Again[inventory.Script] = inventory
		s.recorder.tick("confirming")
	}
	s.again(ctx, names, false)
}

// again repeats the named scripts: those that must run without any other, or all the others.
func (s *stage) again(ctx context.Context, names []string, alone bool) {
	for _, script := range s.scripts {
		if !slices.Contains(names, script.Name) || script.Sharing.IsAlone() != alone {
			continue
		}
		if t := s.script(ctx, script, 2); t != nil && usable(ctx, t) {
			s.track.Again[script.Name] = t
		}
	}
}

// usable tells whether a repetition was recorded to its end: one that the budget cut off proves nothing.
func usable(ctx context.Context, t *wire.Transcript) bool {
	return ctx.Err() == nil && t.Aborted == ""
}
