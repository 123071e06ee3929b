package suites

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A Cell is one requirement in one revision over one transport, ready to be judged.
type Cell struct {
	Entry               catalogue.Entry
	Revision, Transport string
	judges              *judges
	denial              *denial // nil where the server took the credentials that we have, or wants none
}

// judges judge the cells of one track: by the first attempts, and by the later ones where there are any.
type judges struct {
	first, again *kit.Judge
	repeated     map[string]*wire.Transcript
}

// Judge gives the cell's result: a pure function of the record. An accusation counts only if a second, lone recording repeats it.
func (c *Cell) Judge() kit.Result {
	if c.denial != nil {
		return c.denial.judge(c)
	}
	return c.judge()
}

func (c *Cell) judge() kit.Result {
	first := c.first()
	if c.judges.again == nil {
		return unconfirmed(first)
	}
	repeated := false
	for _, name := range first.Scripts {
		repeated = repeated || c.judges.repeated[name] != nil
	}
	if !repeated {
		return unconfirmed(first)
	}
	second := c.judges.again.Cell(c.Entry.ID)
	if !first.Verdict.Accuses() && !second.Verdict.Accuses() {
		return first
	}
	if first.Verdict == second.Verdict && repeats(&first, second) {
		first.Confirmed = true
		return first
	}
	unstable := first
	if second.Verdict.Accuses() {
		unstable = second
	}
	unstable.Verdict, unstable.Cause, unstable.Class = kit.NotObserved, kit.Unstable, kit.CouldNotLook
	unstable.Message = fmt.Sprintf("unstable: %s at first (%s), %s on a second, lone try (%s)",
		first.Verdict, first.Message, second.Verdict, second.Message)
	return unstable
}

// repeats keeps the findings that the second attempt found in the same place: two different accidents confirm nothing.
func repeats(first *kit.Result, second kit.Result) bool {
	if first.More > 0 || second.More > 0 {
		// So many that not all places were kept: no accident.
		return true
	}
	again := map[string]bool{}
	for _, f := range second.Findings {
		again[where(f)] = true
	}
	kept := slices.DeleteFunc(slices.Clone(first.Findings), func(f kit.Finding) bool { return !again[where(f)] })
	if len(kept) == 0 {
		return false
	}
	if len(kept) < len(first.Findings) {
		first.Findings = kept
		first.Expected, first.Got = kept[0].Expected, kept[0].Got
		first.Message = kit.Sentence(kept[0])
	}
	return true
}

// where names the place of a finding: the conversation and the name of the exchange.
func where(f kit.Finding) string {
	script := ""
	if f.Place.Transcript != nil {
		script = f.Place.Transcript.Script
	}
	return script + " " + f.Place.Exchange.Name()
}

func (c *Cell) first() kit.Result { return c.judges.first.Cell(c.Entry.ID) }

// unconfirmed takes back an accusation that could not be repeated in time or at all.
func unconfirmed(r kit.Result) kit.Result {
	if r.Verdict.Accuses() {
		r.Message = fmt.Sprintf("seen once and not confirmed, the run ended first: %s: %s", r.Verdict, r.Message)
		r.Verdict, r.Cause, r.Class = kit.NotObserved, kit.Unconfirmed, kit.CouldNotLook
	}
	return r
}

// settle gives the cells that others block the class that the final verdicts of those decide: what accused at first may have been taken
// back.
func settle(results []kit.Result) {
	type key struct{ id, revision, transport string }
	final := map[key]*kit.Result{}
	for i := range results {
		final[key{results[i].ID, results[i].Revision, results[i].Transport}] = &results[i]
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
	for _, track := range r.Tracks {
		for _, cell := range r.cells(suite, track) {
			byID[cell.Entry.ID] = append(byID[cell.Entry.ID], cell)
		}
	}
	var all []*Cell
	for _, check := range suite.Checks() {
		all = append(all, byID[check.Entry.ID]...)
	}
	if r.Plan.Challenged {
		deny(suite, r.Plan, all)
	}
	return all
}

// cells returns the cells of one track.
func (r *Record) cells(suite *Suite, track *Track) []*Cell {
	var planned []*kit.Check
	for _, check := range suite.Checks() {
		if check.Applies(track.Revision, track.Transport) && r.planned(check.Entry.ID) {
			planned = append(planned, check)
		}
	}
	// What a check hangs on is judged with it, even where the user did not select it.
	every := suite.Checks()
	if track.judge == nil {
		track.recording = &kit.Recording{
			Era: suite.era(track.Revision), Revision: track.Revision, Transport: track.Transport, Environment: r.Plan.Environment,
			Given: r.Plan.given(), Transcripts: track.First,
		}
		track.judge = kit.NewJudge(track.recording, every)
	}
	j := &judges{first: track.judge, repeated: track.Again}
	if len(track.Again) > 0 {
		j.again = kit.NewJudge(track.recording.With(track.Again), every)
	}
	cells := make([]*Cell, len(planned))
	for i, check := range planned {
		cells[i] = &Cell{Entry: check.Entry, Revision: track.Revision, Transport: track.Transport, judges: j}
	}
	return cells
}

// JudgeAll judges every planned cell directly, without Ginkgo.
func (r *Record) JudgeAll(suite *Suite) []kit.Result {
	cells := r.Cells(suite)
	results := make([]kit.Result, len(cells))
	for i, c := range cells {
		results[i] = c.Judge()
	}
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
