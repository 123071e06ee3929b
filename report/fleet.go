package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// FleetSchema names the JSON form of a Fleet.
const FleetSchema = "mcpcheck.fleet/v1"

// A Fleet is many runs told together. It holds a summary of each; a whole report is read again where a renderer wants it, one at a time,
// so that what this takes in memory hardly grows with the number of servers.
type Fleet struct {
	Tool       Tool
	Started    time.Time
	DurationMS int64
	// Interrupted tells that not all servers were checked, or not to their end.
	Interrupted bool
	Servers     []FleetServer
	// Requirements are those that any server breaks.
	Requirements []FleetRequirement
	// Open reads the whole report of a server, by its index in Servers.
	Open func(i int) (Report, error)
}

// A FleetServer is what one run amounts to.
type FleetServer struct {
	Target  Target `json:"target"`
	Outcome string `json:"outcome"`
	// Exit is the exit code that the run had by itself, with what was expected of it.
	Exit int `json:"exit"`
	// Expected is the outcome that was wanted; AsExpected is false where there was another.
	Expected   string `json:"expected,omitempty"`
	AsExpected bool   `json:"as_expected"`
	// Because says in one sentence why a server was not tested, or not completely.
	Because    string        `json:"because,omitempty"`
	Summary    Summary       `json:"summary"`
	Findings   FindingCounts `json:"findings"`
	Broken     []FleetBroken `json:"broken"`
	Started    time.Time     `json:"started"`
	DurationMS int64         `json:"duration_ms"`
	Requests   int           `json:"requests"`

	headline string
	verdict  Verdict
	// Page is where the server's own page lies, beside that of the fleet; "" where there is none.
	Page string `json:"-"`
}

// A FleetBroken is a requirement that a server breaks, by its most important verdict there; what a baseline excuses is none.
type FleetBroken struct {
	ID      string  `json:"id"`
	Verdict Verdict `json:"verdict"`
}

// A FleetRequirement is what people call a requirement.
type FleetRequirement struct{ ID, Title string }

// A FleetSummary is what a fleet keeps of one run.
type FleetSummary struct {
	Server       FleetServer
	Requirements []FleetRequirement
	Interrupted  bool
}

// Summarise keeps of a run what a fleet needs, with its exit code and what was expected of it.
func Summarise(r Report, exit int, expected string, asExpected bool) FleetSummary {
	s := FleetServer{
		Target: r.Target, Outcome: Outcome(r), Exit: exit, Expected: expected, AsExpected: asExpected,
		Summary: Count(r.Results), Findings: CountFindings(r.Results), Broken: []FleetBroken{},
		Started: r.Started, DurationMS: r.DurationMS, Requests: r.Requests, headline: headline(r), verdict: headlineVerdict(r),
	}
	switch {
	case r.Diagnosis != nil:
		s.Because = strings.Clone(r.Diagnosis.Seen)
	case r.Incomplete != nil:
		s.Because = strings.Clone(r.Incomplete.Because)
	case len(r.Unexpected) > 0:
		s.Because = "the baseline lists what is met now: " + strings.Join(r.Unexpected, ", ")
	}
	out := FleetSummary{Interrupted: r.Interrupted}
	for _, found := range Findings(r.Results) {
		if found.Excused != "" || found.Verdict == Note || slices.ContainsFunc(s.Broken, func(b FleetBroken) bool { return b.ID == found.ID }) {
			continue
		}
		// Clones, so that a summary does not hold the text of a whole report in memory.
		id := strings.Clone(found.ID)
		s.Broken = append(s.Broken, FleetBroken{id, found.Verdict})
		out.Requirements = append(out.Requirements, FleetRequirement{id, strings.Clone(found.Title)})
	}
	out.Server = s
	return out
}

// Add puts a run into the fleet.
func (f *Fleet) Add(s FleetSummary) {
	for _, q := range s.Requirements {
		if !slices.ContainsFunc(f.Requirements, func(known FleetRequirement) bool { return known.ID == q.ID }) {
			f.Requirements = append(f.Requirements, q)
		}
	}
	f.Servers = append(f.Servers, s.Server)
	f.Interrupted = f.Interrupted || s.Interrupted
}

// title is what people call a server: its name, or its URL.
func (s FleetServer) title() string {
	return cut(oneLine(cmp.Or(s.Target.Name, s.Target.Place())), targetLimit)
}

// fine tells that nobody has to look at a server.
func (s FleetServer) fine() bool { return s.Exit == 0 }

// says is what a run amounts to, in a line behind the headline and the name.
func (s FleetServer) says() string {
	var parts []string
	for _, v := range Verdicts() {
		if n := s.Findings.Of(v); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.word()))
		}
	}
	text := strings.Join(parts, ", ")
	if n := s.Findings.Excused; n > 0 {
		text += fmt.Sprintf(" (%d of them excused)", n)
	}
	var all []string
	if s.Because != "" {
		all = append(all, cut(oneLine(s.Because), textLimit))
	}
	if text != "" {
		all = append(all, text)
	}
	if total := s.Summary.Total(); total > 0 {
		all = append(all, fmt.Sprintf("%d of %s passed", s.Summary.Pass, plural(total, "cell")))
	}
	if !s.AsExpected {
		all = append(all, "expected "+oneLine(s.Expected))
	} else if s.Expected != "" {
		all = append(all, "as expected")
	}
	return strings.Join(all, "; ")
}

// order are the indexes of the servers, worst first: what decides the exit code, then what breaks most, then as they were named.
func (f *Fleet) order() []int {
	all := make([]int, len(f.Servers))
	for i := range all {
		all[i] = i
	}
	weight := func(s FleetServer) []int {
		return []int{boolInt(!s.fine()), boolInt(s.Findings.Fail > 0), s.Findings.Fail, s.Findings.Error, s.Exit, s.Findings.Warn}
	}
	slices.SortStableFunc(all, func(a, b int) int { return slices.Compare(weight(f.Servers[b]), weight(f.Servers[a])) })
	return all
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A tally is a requirement with the servers that break it.
type tally struct {
	FleetRequirement
	Verdict Verdict
	Servers []int // indexes, as they were named
}

// where names the first few servers of a tally.
func (t tally) where(f *Fleet, most int) string {
	var names []string
	for _, i := range t.Servers[:min(most, len(t.Servers))] {
		names = append(names, f.Servers[i].title())
	}
	text := strings.Join(names, ", ")
	if n := len(t.Servers) - len(names); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// tallies are what fails on most servers, fails before warnings.
func (f *Fleet) tallies() []tally {
	index := map[FleetBroken]int{}
	titles := map[string]string{}
	for _, q := range f.Requirements {
		titles[q.ID] = q.Title
	}
	var all []tally
	for i, s := range f.Servers {
		for _, b := range s.Broken {
			at, known := index[b]
			if !known {
				at = len(all)
				index[b] = at
				all = append(all, tally{FleetRequirement{b.ID, titles[b.ID]}, b.Verdict, nil})
			}
			all[at].Servers = append(all[at].Servers, i)
		}
	}
	slices.SortStableFunc(all, func(a, b tally) int {
		if d := verdictRank(a.Verdict) - verdictRank(b.Verdict); d != 0 {
			return d
		}
		return len(b.Servers) - len(a.Servers)
	})
	return all
}

// An outcomeCount is how many servers came to an outcome.
type outcomeCount struct {
	Outcome string
	Verdict Verdict
	N       int
}

// outcomes counts the servers by what they came to, the best first.
func (f *Fleet) outcomes() []outcomeCount {
	known := []string{"conformant", "partial", "not conformant", "failed", "incomplete", "not tested", "inconclusive", "nothing judged", "interrupted"}
	var all []outcomeCount
	for _, s := range f.Servers {
		i := slices.IndexFunc(all, func(o outcomeCount) bool { return o.Outcome == s.headline })
		if i < 0 {
			i = len(all)
			all = append(all, outcomeCount{s.headline, s.verdict, 0})
		}
		all[i].N++
	}
	slices.SortStableFunc(all, func(a, b outcomeCount) int { return slices.Index(known, a.Outcome) - slices.Index(known, b.Outcome) })
	return all
}

// outcomesText is "3 conformant, 1 not tested".
func (f *Fleet) outcomesText() string {
	var parts []string
	for _, o := range f.outcomes() {
		parts = append(parts, fmt.Sprintf("%d %s", o.N, o.Outcome))
	}
	return strings.Join(parts, ", ")
}

// unfine are how many servers decide the exit code, and the highest of their codes.
func (f *Fleet) unfine() (n, exit int) {
	for _, s := range f.Servers {
		if !s.fine() {
			n++
		}
		exit = max(exit, s.Exit)
	}
	return n, exit
}

// Exit is the exit code of the fleet: the highest of its servers'.
func (f *Fleet) Exit() int {
	_, exit := f.unfine()
	return exit
}

// effort is what the fleet cost.
func (f *Fleet) effort() string {
	r := Report{DurationMS: f.DurationMS}
	for _, s := range f.Servers {
		r.Requests += s.Requests
	}
	return effort(r)
}

// findings are how many findings the servers have together; a requirement that two of them break is two.
func (f *Fleet) findings() (n FindingCounts) {
	for _, s := range f.Servers {
		n.Fail += s.Findings.Fail
		n.Error += s.Findings.Error
		n.Warn += s.Findings.Warn
		n.Note += s.Findings.Note
		n.Excused += s.Findings.Excused
	}
	return n
}

// each hands over the whole report of every server, one at a time and in their order, with its text made safe.
func (f *Fleet) each(safe func(string) string, do func(i int, r Report) error) error {
	for i := range f.Servers {
		r, err := f.Open(i)
		if err != nil {
			return fmt.Errorf("reading the report of server %d again: %w", i+1, err)
		}
		if err := do(i, escaped(r, safe)); err != nil {
			return err
		}
	}
	return nil
}
