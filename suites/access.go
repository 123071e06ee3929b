package suites

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/legacy"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// accessDenied is why everything but authorization is not observed where the server wants credentials.
const accessDenied = "blocked: the server wants credentials"

// access records what a server shows to somebody whose credentials it does not take: one conversation for each revision that it may
// speak. All with an authorization page are possible, until it names or serves the metadata that came with 2025-06-18.
func (r *recorder) access(ctx context.Context, record *Record, ask []string, chosen []*kit.Check) {
	looked := slices.ContainsFunc(chosen, func(c *kit.Check) bool { return c.Entry.Area == legacy.AuthArea })
	if !looked {
		return
	}
	possible := slices.DeleteFunc(slices.Clone(ask), func(v string) bool { return !slices.Contains(legacy.AccessRevisions(), v) })
	slices.Sort(possible)
	slices.Reverse(possible)
	record.Plan.Challenged = true
	var tracks []*Track
	for _, possibly := range possible {
		if revision.Before(possibly, "2025-06-18") && slices.ContainsFunc(tracks, tellsRevision) {
			continue
		}
		track := newTrack(possibly, kit.StreamableHTTP)
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

func tellsRevision(t *Track) bool { return legacy.TellsResourceMetadata(t.First[0]) }

// accessStage is a stage that holds no conversation but the one about authorization, and knows no facts.
func (r *recorder) accessStage(record *Record, track *Track) *stage {
	script := slices.DeleteFunc(r.scripts(track), func(k *kit.Script) bool { return k.Name != legacy.AccessScript })
	return &stage{recorder: r, track: track, scripts: script, facts: &kit.Facts{
		Revision: track.Revision, Transport: track.Transport, Given: record.Plan.given(), Capabilities: map[string]kit.Fact{},
	}}
}

// A denial says how cells are judged that were recorded without credentials: nobody knows which revision applies, so an accusation
// counts as the mildest of those that are possible would have it, and where one of them does not know the requirement it is a note.
type denial struct {
	revisions []string
	cells     map[string][]*Cell
}

func (d *denial) judge(c *Cell) kit.Result {
	if c.Entry.Area != legacy.AuthArea {
		return kit.Result{
			ID: c.Entry.ID, Revision: c.Revision, Transport: c.Transport, Level: c.Entry.Levels[c.Revision],
			Verdict: kit.NotObserved, Message: accessDenied,
		}
	}
	r := c.judge()
	if !r.Verdict.Accuses() {
		return r
	}
	mildest, by := r.Verdict, r.Revision
	for _, revision := range d.revisions {
		if _, known := c.Entry.Levels[revision]; !known {
			mildest, by = kit.Note, revision
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
func deny(p Plan, cells []*Cell) {
	d := &denial{revisions: p.Revisions, cells: map[string][]*Cell{}}
	for _, c := range cells {
		d.cells[c.Entry.ID] = append(d.cells[c.Entry.ID], c)
		c.denial = d
	}
}
