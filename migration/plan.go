package migration

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// Choice says what of a plan is wanted.
type Choice struct {
	// SDKs are those to tell of; none means all.
	SDKs []string
	// Probe is how server/discover is answered; nil where that is not known.
	Probe *Answer
}

// Plan tells the way of the server that a report is about.
func (w *Way) Plan(r report.Report, choice Choice) report.Migration {
	p := &planner{way: w, report: r, choice: choice}
	p.look()
	m := report.Migration{
		Schema: report.MigrationSchema, Tool: r.Tool, Target: r.Target, To: w.To, From: p.from, Speaks: p.speaks, Order: w.Order,
		Diagnosis: r.Diagnosis, Remarks: p.remarks(), Carries: []report.MigrationArea{}, Steps: []report.MigrationStep{},
		Drop: []string{}, Hidden: w.Hidden, SDKs: p.sdks(), Clients: []report.MigrationClient{}, Started: r.Started, Outcome: report.MigrationUntested,
	}
	for _, name := range sorted(w.Clients) {
		m.Clients = append(m.Clients, report.MigrationClient{Name: w.Clients[name].Name, Begins: w.Clients[name].Begins})
	}
	if r.Diagnosis != nil {
		m.Lead = "Nothing can be said of a server that could not be tested."
		return m
	}
	if p.speaks {
		m.Order = w.OrderSpoken
	}
	if choice.Probe != nil && !p.speaks {
		m.Probe = w.probe(*choice.Probe)
	}
	m.Carries = p.carries()
	for i := range w.Steps {
		m.Steps = append(m.Steps, p.step(i))
	}
	m.Drop = p.drop()
	m.Outcome, m.Lead = p.outcome(m)
	return m
}

// planner holds what is known of one server.
type planner struct {
	way    *Way
	report report.Report
	choice Choice

	speaks bool   // it speaks the revision that the way leads to
	from   string // the newest older revision that was judged, "" for none
	// today and there are the results of from and of the revision that the way leads to, by id.
	today, there map[string]report.Result
}

func (p *planner) look() {
	p.today, p.there = map[string]report.Result{}, map[string]report.Result{}
	p.speaks = slices.Contains(p.report.Target.Revisions, p.way.To)
	for _, r := range p.report.Results {
		if era, _ := revision.EraOf(r.Revision); era == revision.Legacy && revision.Before(p.from, r.Revision) {
			p.from = r.Revision
		}
	}
	for _, r := range p.report.Results {
		switch {
		case r.Revision == p.way.To && p.speaks:
			keep(p.there, r)
		case r.Revision == p.from:
			keep(p.today, r)
		}
	}
}

// keep has one result of a requirement: of two transports the one that says more.
func keep(results map[string]report.Result, r report.Result) {
	if old, there := results[r.ID]; !there || rank(r.Verdict) < rank(old.Verdict) {
		results[r.ID] = r
	}
}

func rank(v report.Verdict) int { return slices.Index(report.Verdicts(), v) }

func (p *planner) remarks() []string {
	remarks := slices.Clone(p.report.Remarks)
	if p.report.Filtered {
		remarks = append(remarks, "a selection of the requirements was judged: what was left out counts as not observed")
	}
	if p.report.Interrupted {
		remarks = append(remarks, "the run was interrupted: what it did not get to counts as not observed")
	}
	if p.report.Diagnosis == nil && p.choice.Probe == nil && !p.speaks {
		remarks = append(remarks, "how server/discover is answered today is not in a report; the URL of the server or a transcript tells it")
	}
	if remarks == nil {
		remarks = []string{}
	}
	return remarks
}

func (p *planner) sdks() []report.MigrationSDK {
	list := []report.MigrationSDK{}
	for _, name := range p.chosen() {
		s := p.way.SDKs[name]
		list = append(list, report.MigrationSDK{
			Name: s.Name, Package: s.Package, Since: s.Since, Run: s.Run, Upgrade: s.Upgrade, Older: s.Older, Read: s.Read,
		})
	}
	return list
}

func (p *planner) chosen() []string {
	if len(p.choice.SDKs) == 0 {
		return p.way.SDKNames()
	}
	return slices.DeleteFunc(p.way.SDKNames(), func(name string) bool { return !slices.Contains(p.choice.SDKs, name) })
}

// carries are the requirements that both eras have and that hold today.
func (p *planner) carries() []report.MigrationArea {
	areas := []report.MigrationArea{}
	if p.speaks {
		return areas // its own verdicts say more
	}
	for _, e := range p.way.entries {
		if r, seen := p.today[p.way.Carries[e.ID]]; !seen || r.Verdict != report.Pass {
			continue
		}
		i := slices.IndexFunc(areas, func(a report.MigrationArea) bool { return a.Area == e.Area })
		if i < 0 {
			areas, i = append(areas, report.MigrationArea{Area: e.Area}), len(areas)
		}
		areas[i].IDs = append(areas[i].IDs, e.ID)
	}
	return areas
}

func (p *planner) drop() []string {
	list := []string{}
	for _, d := range p.way.Drop {
		had := d.Seen == nil && len(d.Capabilities) == 0
		had = had || d.Seen != nil && p.saw(*d.Seen)
		for _, c := range d.Capabilities {
			had = had || p.declares(c)
		}
		if had && p.from != "" {
			list = append(list, d.What)
		}
	}
	return list
}

// saw tells that a result of today is as described.
func (p *planner) saw(s Sight) bool {
	r, judged := p.today[s.ID]
	if !judged || r.Verdict == report.NotObserved || r.Verdict == report.NotApplicable {
		return false
	}
	return (len(s.Verdict) == 0 || slices.Contains(s.Verdict, string(r.Verdict))) && strings.Contains(r.Message, s.Says)
}

func (p *planner) declares(capability string) bool {
	return p.report.Surface != nil && slices.Contains(p.report.Surface.Capabilities, capability)
}

// outcome says what the plan amounts to.
func (p *planner) outcome(m report.Migration) (outcome, lead string) {
	counts := m.Counts()
	must := 0
	for _, s := range m.Steps {
		for _, f := range s.Findings {
			if f.Verdict == report.Fail && s.State == report.MigrationOpen {
				must++
			}
		}
	}
	held := 0
	for _, a := range m.Carries {
		held += len(a.IDs)
	}
	speaks := fmt.Sprintf("It speaks %s", cmp.Or(strings.Join(p.report.Target.Revisions, ", "), "nothing that was judged"))
	if !p.speaks {
		return report.MigrationLeft, fmt.Sprintf("%s, and not %s. %s that both ask for %s today. Of the %d steps %s.",
			speaks, m.To, requirements(held), hold(held), len(m.Steps), statesText(counts))
	}
	outcome = report.MigrationOver
	if must > 0 {
		outcome = report.MigrationLeft
	}
	met, broken, unseen := 0, 0, 0
	for _, s := range m.Steps {
		for _, r := range s.Requirements {
			switch r.State {
			case report.MigrationDone:
				met++
			case report.MigrationOpen:
				broken++
			case report.MigrationUnseen:
				unseen++
			}
		}
	}
	return outcome, fmt.Sprintf("%s. Of %s, %s met, %d broken, %d not observed. Of the %d steps %s.",
		speaks, m.To, requirementsAre(met), broken, unseen, len(m.Steps), statesText(counts))
}

func requirements(n int) string {
	if n == 1 {
		return "1 requirement"
	}
	return fmt.Sprintf("%d requirements", n)
}

func hold(n int) string {
	if n == 1 {
		return "holds"
	}
	return "hold"
}

func requirementsAre(n int) string {
	if n == 1 {
		return "1 requirement is"
	}
	return requirements(n) + " are"
}

// statesText counts steps by state, what is left first.
func statesText(counts map[string]int) string {
	var parts []string
	for _, s := range []struct{ state, one, many string }{
		{report.MigrationOpen, "is to do", "are to do"}, {report.MigrationAsk, "is your call", "are your call"},
		{report.MigrationUnseen, "could not be looked at", "could not be looked at"}, {report.MigrationDone, "is done", "are done"},
		{report.MigrationSeen, "is done as far as it was seen", "are done as far as they were seen"},
		{report.MigrationUnneeded, "is not needed", "are not needed"}, {report.MigrationLater, "may be taken later", "may be taken later"},
	} {
		switch n := counts[s.state]; {
		case n == 1:
			parts = append(parts, "1 "+s.one)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, s.many))
		}
	}
	return strings.Join(parts, ", ")
}
