package suites

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"

	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// accessDenied is why everything but authorization is not observed where the server wants credentials.
const accessDenied = "blocked: the server wants credentials"

// access records what a server shows to somebody whose credentials it does not take: one conversation for each revision that it may
// speak. All with an authorization page are possible, until it names or serves the metadata that came with 2025-06-18.
func (r *recorder) access(ctx context.Context, record *Record, ask []string, chosen []*kit.Check) {
	looked := slices.ContainsFunc(chosen, r.suite.aboutAccess)
	if !looked {
		return
	}
	possible := slices.DeleteFunc(slices.Clone(ask), func(v string) bool { return !slices.Contains(r.suite.era(v).Access.Revisions, v) })
	slices.Sort(possible)
	if len(possible) > 0 {
		// A server that turns everybody away shows no era. What its pages ask for is much the same in all, so that the oldest stands for the
		// others, where more than one is asked for.
		oldest := r.suite.era(possible[0])
		possible = slices.DeleteFunc(possible, func(v string) bool { return r.suite.era(v) != oldest })
	}
	slices.Reverse(possible)
	record.Plan.Challenged = true
	var tracks []*Track
	for _, v := range possible {
		if slices.ContainsFunc(tracks, func(t *Track) bool { return revision.Before(v, r.suite.era(t.Revision).Access.Dates(t.First[0])) }) {
			continue
		}
		track := newTrack(v, kit.StreamableHTTP)
		r.total++
		s := r.accessStage(record, track)
		s.oneByOne(ctx, kit.Sharing.IsAlone)
		if len(track.First) > 0 {
			tracks = append(tracks, track)
		}
	}
	slices.Reverse(tracks)
	for _, track := range tracks {
		record.Plan.Revisions = append(record.Plan.Revisions, track.Revision)
	}
	record.Tracks, r.plan = tracks, record.Plan
}

// accessStage is a stage that holds no conversation but the one about authorization, and knows no facts.
func (r *recorder) accessStage(record *Record, track *Track) *stage {
	outside := slices.DeleteFunc(r.scripts(track), func(k *kit.Script) bool { return !k.Outside })
	return &stage{recorder: r, track: track, scripts: outside, facts: kit.NewFacts(track.Revision, track.Transport, record.Plan.given())}
}

// aboutAccess tells whether a check is one of those that can be judged where the server wants credentials.
func (s *Suite) aboutAccess(c *kit.Check) bool {
	return slices.ContainsFunc(s.eras, func(e *kit.Era) bool { return c.Entry.Era == e.Name && c.Entry.Area == e.Access.Area })
}

// outside tells whether a cell can be judged where the server wants credentials.
func (s *Suite) outside(c *Cell) bool { return c.Entry.Area == s.era(c.Revision).Access.Area }

// A denial says how cells are judged that were recorded without credentials: nobody knows which revision applies, so an accusation
// counts as the mildest of those that are possible would have it, and where one of them does not know the requirement it is a note.
type denial struct {
	concerns  func(*Cell) bool
	revisions []string
	cells     map[string][]*Cell
}

func (d *denial) judge(c *Cell) kit.Result {
	if !d.concerns(c) {
		return kit.Result{
			ID: c.Entry.ID, Revision: c.Revision, Transport: c.Transport, Level: c.Entry.Levels[c.Revision],
			Verdict: kit.NotObserved, Cause: kit.Denied, Class: kit.NothingToSee, Message: accessDenied,
		}
	}
	r := c.judge()
	if !r.Verdict.Accuses() {
		return r
	}
	mildest, by := r.Verdict, r.Revision
	for _, possible := range d.revisions {
		if _, known := c.Entry.Levels[possible]; !known {
			mildest, by = kit.Note, possible
		}
	}
	for _, other := range d.cells[c.Entry.ID] {
		switch v := other.judge().Verdict; {
		case v == kit.NotObserved, v == kit.Error:
		case v == kit.Warn && mildest == kit.Fail:
			mildest, by = kit.Warn, other.Revision
		case v != kit.Fail && v != kit.Warn:
			mildest, by = kit.Note, other.Revision
		}
	}
	if mildest != r.Verdict {
		r.Message = fmt.Sprintf("%s; no more than a %s, since the server may speak %s, which is milder", r.Message, mildest, by)
		r.Verdict = mildest
		r.Findings = slices.Clone(r.Findings)
		for i := range r.Findings {
			r.Findings[i].Verdict = mildest
		}
	}
	return r
}

// deny makes the cells of a record without credentials judge each other.
func deny(suite *Suite, p Plan, cells []*Cell) {
	d := &denial{concerns: suite.outside, revisions: p.Revisions, cells: map[string][]*Cell{}}
	for _, c := range cells {
		d.cells[c.Entry.ID] = append(d.cells[c.Entry.ID], c)
		c.denial = d
	}
}
