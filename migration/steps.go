package migration

import (
	"cmp"
	"slices"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
)

// step tells of one step what is left of it.
func (p *planner) step(i int) report.MigrationStep {
	s := p.way.Steps[i]
	step := report.MigrationStep{
		ID: s.ID, Title: s.Title, Do: s.Do, Alone: s.Alone, Notes: []string{}, Findings: []report.MigrationFinding{},
		Requirements: []report.MigrationRequirement{}, SDKs: []report.MigrationSDKWord{}, Clients: []report.MigrationWord{},
	}
	for _, name := range sorted(s.Clients) {
		step.Clients = append(step.Clients, report.MigrationWord{Name: p.way.Clients[name].Name, Text: s.Clients[name]})
	}
	for _, n := range s.Notes {
		if !p.speaks && p.saw(n.Seen) {
			step.Notes = append(step.Notes, n.Says)
		}
	}
	needed, because := p.needs(s)
	for _, e := range p.way.entries {
		if p.way.steps[e.ID] != i {
			continue
		}
		requirement, finding := p.requirement(e)
		// What is built together is not there because one rule of it is kept already.
		if !p.speaks && !s.Rest && requirement.State == report.MigrationUnseen {
			requirement.State = needed
		}
		step.Requirements = append(step.Requirements, requirement)
		if finding != nil {
			step.Findings = append(step.Findings, *finding)
		}
	}
	step.SDKs = p.words(i)
	if len(s.Concerns) > 0 && !slices.ContainsFunc(step.Findings, func(f report.MigrationFinding) bool { return s.concerns(cmp.Or(f.There, f.ID)) }) {
		// What an SDK breaks is worth knowing all the same.
		for i := range step.SDKs {
			step.SDKs[i].Text = ""
		}
		step.SDKs = slices.DeleteFunc(step.SDKs, func(w report.MigrationSDKWord) bool { return len(w.Breaks) == 0 })
	}
	slices.SortStableFunc(step.Findings, func(a, b report.MigrationFinding) int { return rank(a.Verdict) - rank(b.Verdict) })
	switch {
	case p.speaks || s.Rest:
		step.State, step.Because = judged(step, s.Later && p.from != "")
	default:
		step.State, step.Because = needed, because
		if s.Later {
			step.State = report.MigrationLater
		}
	}
	return step
}

// concerns tells that what SDKs do for a step is about a requirement.
func (s Step) concerns(id string) bool {
	return slices.ContainsFunc(s.Concerns, func(pattern string) bool { return catalogue.Glob(pattern, id) })
}

// words are what SDKs do for a step, and what of it they break.
func (p *planner) words(i int) []report.MigrationSDKWord {
	words := []report.MigrationSDKWord{}
	for _, name := range p.chosen() {
		s, sdk := p.way.Steps[i], p.way.SDKs[name]
		word := report.MigrationSDKWord{Name: sdk.Name, Run: sdk.Run, Breaks: []string{}}
		if word.Text, word.Comes = s.Comes[name]; !word.Comes {
			word.Text = s.Write[name]
		}
		for _, id := range sdk.Breaks {
			if p.way.steps[id] == i {
				word.Breaks = append(word.Breaks, id)
			}
		}
		words = append(words, word)
	}
	return words
}

// judged is the state of a step whose requirements have verdicts. What may be taken later is nothing that is done, or missing.
func judged(s report.MigrationStep, later bool) (state, because string) {
	states := map[string]int{}
	for _, r := range s.Requirements {
		states[r.State]++
	}
	switch {
	case later && states[report.MigrationOpen] == 0:
		return report.MigrationLater, "It speaks older revisions too, which it may."
	case states[report.MigrationOpen] > 0:
		return report.MigrationOpen, ""
	case states[report.MigrationDone] > 0 && states[report.MigrationUnseen] > 0:
		return report.MigrationSeen, ""
	case states[report.MigrationDone] > 0:
		return report.MigrationDone, ""
	case states[report.MigrationUnseen] > 0:
		return report.MigrationUnseen, "Nothing of it could be seen; the requirements say why."
	}
	return report.MigrationUnneeded, "The server offers nothing that it concerns."
}

// needs says whether a server that does not speak the new revision needs a step.
func (p *planner) needs(s Step) (state, because string) {
	n := s.Needed
	if n == nil {
		return report.MigrationOpen, ""
	}
	for _, c := range n.Capabilities {
		if p.declares(c) {
			return report.MigrationOpen, n.Yes
		}
	}
	for _, id := range n.Seen {
		if p.saw(Sight{ID: id}) {
			return report.MigrationOpen, n.Yes
		}
	}
	switch {
	case n.Unknown != "":
		return report.MigrationAsk, n.Unknown
	case len(n.Capabilities) > 0 && p.report.Surface == nil:
		return report.MigrationAsk, "What it declares could not be read."
	}
	return report.MigrationUnneeded, n.No
}

// requirement tells of one entry how it stands, and what is broken where it is.
func (p *planner) requirement(e catalogue.Entry) (report.MigrationRequirement, *report.MigrationFinding) {
	out := report.MigrationRequirement{
		ID: e.ID, Level: string(e.Levels[p.way.To]), Title: titleOf(e), State: report.MigrationUnseen, Spec: e.SpecURL(p.way.To),
	}
	if reason, hidden := e.Untestable(); hidden {
		out.State, out.Because = report.MigrationHidden, reason
		return out, nil
	}
	r, judged := p.there[e.ID]
	there := ""
	if !p.speaks {
		r, judged = p.today[p.way.Carries[e.ID]]
		there = e.ID
	}
	if !judged {
		if p.speaks {
			out.Because = "It was not judged in this run."
		}
		return out, nil
	}
	out.Because = r.Message
	switch r.Verdict {
	case report.Pass:
		out.State = report.MigrationDone
	case report.NotApplicable:
		out.State = report.MigrationUnneeded
	case report.Note:
		// Worth knowing, and nothing that anybody has to mend.
		out.State = report.MigrationDone
	case report.Fail, report.Warn:
		out.State = report.MigrationOpen
		return out, &report.MigrationFinding{
			Verdict: r.Verdict, Title: r.Title, ID: r.ID, Revision: r.Revision, There: there, Message: r.Message, Remedy: r.Remedy, Spec: out.Spec,
		}
	}
	return out, nil
}

// titleOf is what an entry is called; what nothing can judge has no title.
func titleOf(e catalogue.Entry) string {
	if e.Title != "" {
		return e.Title
	}
	return e.Summary
}
