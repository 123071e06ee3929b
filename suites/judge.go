package suites

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A Cell is one requirement in one revision over one transport, ready to be judged.
type Cell struct {
	Entry               catalogue.Entry
	Revision, Transport string
	track               *Track
	judges              *judges
	siblings            []*Cell // the same requirement in the other tracks
	denial              *denial // nil where the server took the credentials that we have, or wants none
}

// judges judge the cells of one track: by the first attempts, and by the later ones where there are any.
type judges struct {
	first, again *kit.Judge
	repeated     map[string]*wire.Transcript
}

// Judge gives the cell's result: a pure function of the record. An accusation counts only if a lone recording repeats it.
func (c *Cell) Judge() kit.Result {
	if c.denial != nil {
		return c.denial.judge(c)
	}
	return c.judge()
}

func (c *Cell) judge() kit.Result {
	first := c.first()
	second, tried := c.second()
	switch {
	case !first.Verdict.Accuses() && !(tried && second.Verdict.Accuses()):
		return first
	case first.Proven:
		first.Confirmed = true
		return first
	case tried && first.Verdict == second.Verdict && repeats(&first, second):
		first.Confirmed = true
		return first
	case tried && !c.untried(first, second):
		return unstable(first, second)
	case c.confirmedElsewhere(first):
		first.Confirmed = true
		return first
	}
	if tried {
		return unstable(first, kit.Result{Verdict: kit.Pass, Message: "what was recorded again does not show it"})
	}
	return unconfirmed(first)
}

// untried tells that an accusation was not seen again, and stands all the same in conversations that were not recorded again.
func (c *Cell) untried(first, second kit.Result) bool {
	return first.Verdict.Accuses() && first.Verdict == second.Verdict && len(second.Findings) == 0
}

// open tells that the cell accuses and has had no second try.
func (c *Cell) open() bool {
	first := c.first()
	if second, tried := c.second(); !first.Verdict.Accuses() || first.Proven || tried && !c.untried(first, second) {
		return false
	}
	return !c.confirmedElsewhere(first) && (c.denial == nil || c.denial.concerns(c))
}

// confirmedElsewhere tells that another revision has the same breach, and showed it again.
func (c *Cell) confirmedElsewhere(first kit.Result) bool {
	return slices.ContainsFunc(c.siblings, func(s *Cell) bool {
		other := s.first()
		again, tried := s.second()
		return tried && other.Verdict.Accuses() && other.Verdict == again.Verdict && repeats(&other, again) && sameBreach(first, other)
	})
}

// showing is a conversation that shows the cell's finding and was not recorded again: one that is chosen already, or else the quickest; ""
// where there is none.
func (c *Cell) showing(chosen []string) string {
	var best *wire.Transcript
	for _, f := range c.first().Findings {
		t := f.Place.Transcript
		if t == nil || c.judges.repeated[t.Script] != nil {
			continue
		}
		if slices.Contains(chosen, t.Script) {
			return ""
		}
		if best == nil || t.Duration < best.Duration {
			best = t
		}
	}
	if best == nil {
		return ""
	}
	return best.Script
}

// Recording is what the cell is judged by first, before anything was recorded anew to confirm it.
func (c *Cell) Recording() *kit.Recording { return c.track.recording }

func (c *Cell) first() kit.Result { return c.judges.first.Cell(c.Entry.ID) }

// second is the result by the later attempts; false where none of the conversations that show the finding had one. Its findings are those
// that the later attempts show: the first one's other conversations repeat nothing.
func (c *Cell) second() (kit.Result, bool) {
	if c.judges.again == nil {
		return kit.Result{}, false
	}
	if !slices.ContainsFunc(c.first().Scripts, func(name string) bool { return c.judges.repeated[name] != nil }) {
		return kit.Result{}, false
	}
	return c.judges.again.Cell(c.Entry.ID).Within(c.judges.again.Findings(c.Entry.ID), func(t *wire.Transcript) bool {
		return t == nil || c.judges.repeated[t.Script] == t
	}), true
}

// settle gives the cells that others block the class that the final verdicts of those decide: what accused at first may have been taken
// back.
func settle(results []kit.Result) {
	type key struct{ id, revision, transport string }
	final := map[key]*kit.Result{}
	for i := range results {
		r := &results[i]
		final[key{r.ID, r.Revision, r.Transport}] = r
		// What blocks here may have its cells in other revisions: those that are broken decide.
		if known := final[key{r.ID, "", r.Transport}]; known == nil || r.Verdict.Accuses() {
			final[key{r.ID, "", r.Transport}] = r
		}
	}
	for i := range results {
		// Blocking goes a few steps at most; one that goes in a circle ends all the same.
		r, by := &results[i], &results[i]
		for range len(results) {
			if by.Verdict != kit.NotObserved || by.Cause != kit.Blocked {
				break
			}
			next, planned := final[key{by.BlockedBy, by.Revision, by.Transport}]
			if !planned {
				next, planned = final[key{by.BlockedBy, "", by.Transport}]
			}
			if !planned {
				break
			}
			by = next
		}
		if by != r {
			if class, decided := kit.ClassBy(*by); decided {
				r.Class = class
			}
		}
	}
}

// Cells returns every planned cell in catalogue order, within a requirement by revision.
func (r *Record) Cells(suite *Suite) []*Cell {
	byID := map[string][]*Cell{}
	r.refresh(suite)
	for _, track := range r.Tracks {
		for _, cell := range r.cells(suite, track) {
			byID[cell.Entry.ID] = append(byID[cell.Entry.ID], cell)
		}
	}
	var all []*Cell
	for _, check := range suite.Checks() {
		all = append(all, byID[check.Entry.ID]...)
	}
	for _, same := range byID {
		for _, c := range same {
			c.siblings = slices.DeleteFunc(slices.Clone(same), func(o *Cell) bool { return o == c })
		}
	}
	if r.Plan.Challenged {
		deny(suite, r.Plan, all)
	}
	return all
}

// refresh prepares the judges of all tracks. What was judged is kept as long as nothing changes that it rests on: judging takes most of a
// run's processor time. What one track shows may decide in another.
func (r *Record) refresh(suite *Suite) {
	fresh := make([]*kit.Recording, len(r.Tracks))
	kept := true
	for i, track := range r.Tracks {
		transcripts, _ := r.borrowed(suite, track)
		fresh[i] = &kit.Recording{
			Era: suite.era(track.Revision), Revision: track.Revision, Transport: track.Transport, Environment: r.Plan.Environment,
			Given: r.Plan.given(), Transcripts: slices.Clone(transcripts), Damaged: r.damaged(track),
			Capped: r.capped(), Crowded: r.crowded(), Instances: r.instances(), Elsewhere: r.elsewhere(suite, track),
		}
		kept = kept && track.judge != nil && fresh[i].Equal(track.recording)
	}
	if kept {
		return
	}
	for i, track := range r.Tracks {
		track.recording = fresh[i]
		track.judge = kit.NewJudge(fresh[i], r.Plan.checks(suite, track))
	}
}

// cells returns the cells of one track.
func (r *Record) cells(suite *Suite, track *Track) []*Cell {
	var planned []*kit.Check
	every := r.Plan.checks(suite, track)
	for _, check := range every {
		if check.Applies(track.Revision, track.Transport) && r.planned(check.Entry.ID) {
			planned = append(planned, check)
		}
	}
	// What a check hangs on is judged with it, even where the user did not select it.
	_, repeated := r.borrowed(suite, track)
	j := &judges{first: track.judge, repeated: repeated}
	if len(repeated) > 0 {
		j.again = kit.NewJudge(track.recording.With(repeated), every)
	}
	cells := make([]*Cell, len(planned))
	for i, check := range planned {
		cells[i] = &Cell{Entry: check.Entry, Revision: track.Revision, Transport: track.Transport, track: track, judges: j}
	}
	return cells
}

// elsewhere tells whether a requirement is broken in another revision of the era of a track, over the same transport; nil without others.
func (r *Record) elsewhere(suite *Suite, track *Track) func(id string) bool {
	others := slices.DeleteFunc(slices.Clone(r.Tracks), func(o *Track) bool {
		return o == track || o.Transport != track.Transport || suite.era(o.Revision) != suite.era(track.Revision)
	})
	if len(others) == 0 {
		return nil
	}
	return func(id string) bool {
		check, known := suite.Check(id)
		return known && slices.ContainsFunc(others, func(o *Track) bool {
			return o.judge != nil && check.Applies(o.Revision, o.Transport) && o.judge.Cell(id).Verdict.Accuses()
		})
	}
}

// damaged tells that conversations of a track are missing or were cut short.
func (r *Record) damaged(track *Track) bool {
	return r.Interrupted || slices.ContainsFunc(r.Troubles, func(t client.Trouble) bool { return t.Ends() }) ||
		slices.ContainsFunc(track.First, func(t *wire.Transcript) bool { return t.Aborted != "" })
}

// capped tells that the server refused sessions while others were open.
func (r *Record) capped() bool {
	return slices.ContainsFunc(r.Troubles, func(t client.Trouble) bool {
		return t.Kind == client.SessionCap || t.Kind == client.SessionsRefused
	})
}

// crowded are the initializes that a capped server refused and that were sent again.
func (r *Record) crowded() []*wire.Exchange {
	if !r.capped() {
		return nil
	}
	var all []*wire.Exchange
	for _, track := range r.Tracks {
		for _, t := range track.First {
			for _, x := range t.Exchanges {
				if x.Origin.Kind == wire.FromBusy && x.Response != nil && x.RequestMessage().Method == "initialize" {
					all = append(all, x)
				}
			}
		}
	}
	return all
}

// instances tells that sessions were seen to be refused and served in turn.
func (r *Record) instances() bool {
	return slices.ContainsFunc(r.Troubles, func(t client.Trouble) bool { return t.Kind == client.Instances })
}

// JudgeAll judges every planned cell directly, without Ginkgo.
func (r *Record) JudgeAll(suite *Suite) []kit.Result {
	cells := r.Cells(suite)
	results := make([]kit.Result, len(cells))
	for i, c := range cells {
		results[i] = c.Judge()
	}
	settle(results)
	return results
}

// UnlistedCalls are the tools that the user named and that the server listed in no revision, and the names that it did list: a typing
// error must not look like a tool that was checked. Both are empty where the tools could not be listed.
func (r *Record) UnlistedCalls(suite *Suite) (missing, listed []string) {
	for _, track := range r.Tracks {
		for _, tool := range suite.era(track.Revision).Facts(track.First[0], r.Plan.given()).Tools {
			if !slices.Contains(listed, tool.Name) {
				listed = append(listed, tool.Name)
			}
		}
	}
	if len(listed) == 0 {
		return nil, nil
	}
	for _, call := range r.Plan.Calls {
		if !slices.Contains(listed, call.Name) {
			missing = append(missing, call.Name)
		}
	}
	return missing, listed
}
