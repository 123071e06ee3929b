package report

import (
	"cmp"
	"slices"
	"strings"
)

// Verdicts lists all verdicts, most important first: the order of findings, counts and tables.
func Verdicts() []Verdict {
	return []Verdict{Fail, Error, Warn, Note, Pass, NotApplicable, NotObserved}
}

// Finish fills in what follows from the rest of a report: the schema, the counts and the Conformant member.
func Finish(r Report) Report {
	r.Schema = Schema
	r.Summary, r.Findings = Count(r.Results), CountFindings(r.Results)
	r.CouldNotLook, r.Unconfirmed = countClass(r.Results, couldNotLook), len(Unconfirmed(r.Results))
	r.Incomplete = incompleteness(r)
	r.Conformant = Conformant(r)
	r.Outcome = Outcome(r)
	return r
}

// Count tallies results by verdict.
func Count(results []Result) Summary {
	var s Summary
	for _, r := range results {
		if n := s.counter(r.Verdict); n != nil {
			*n++
		}
	}
	return s
}

func (s *Summary) counter(v Verdict) *int {
	switch v {
	case Pass:
		return &s.Pass
	case Fail:
		return &s.Fail
	case Warn:
		return &s.Warn
	case Note:
		return &s.Note
	case NotApplicable:
		return &s.NotApplicable
	case NotObserved:
		return &s.NotObserved
	case Error:
		return &s.Error
	}
	return nil
}

// Of returns the count of one verdict.
func (s Summary) Of(v Verdict) int {
	if n := s.counter(v); n != nil {
		return *n
	}
	return 0
}

// Total is the number of cells.
func (s Summary) Total() int {
	return s.Judged() + s.NotApplicable + s.NotObserved + s.Error
}

// Judged is the number of cells that say something about the server.
func (s Summary) Judged() int {
	return s.Pass + s.Fail + s.Warn + s.Note
}

// Conformant tells whether the server met every requirement that was judged. It is nil where the run cannot say: filtered,
// interrupted, not tested, incomplete, nothing judged, or nothing failed but mcpcheck itself did.
func Conformant(r Report) *bool {
	s := Count(r.Results)
	if r.Filtered || r.Interrupted || r.Diagnosis != nil || s.Judged() == 0 {
		return nil
	}
	if s.Fail == 0 && s.Error > 0 || incompleteness(r) != nil {
		return nil
	}
	conformant := s.Fail == 0
	return &conformant
}

// A Column is one revision over one transport: what a server is checked for as a whole.
type Column struct {
	Revision  string
	Transport string
}

// Columns lists the columns of the results, newest revision first.
func Columns(results []Result) []Column {
	var columns []Column
	for _, r := range results {
		if c := (Column{r.Revision, r.Transport}); !slices.Contains(columns, c) {
			columns = append(columns, c)
		}
	}
	slices.SortStableFunc(columns, func(a, b Column) int { return strings.Compare(b.Revision, a.Revision) })
	return columns
}

// mainTransport is the transport of most results; people need to be told only about the others.
func mainTransport(results []Result) string {
	counts := make(map[string]int)
	name := ""
	for _, r := range results {
		counts[r.Transport]++
	}
	for _, r := range results { // in their order, so that a tie is decided the same way every time
		if counts[r.Transport] > counts[name] {
			name = r.Transport
		}
	}
	return name
}

// A Finding is what a person reads as one thing: the same verdict on the same requirement against the same expectation, in however
// many revisions it shows.
type Finding struct {
	// Result is that of the newest revision: its clause, level and evidence are what readers want first.
	Result
	// Cells lists where it was found, newest revision first.
	Cells []Cell
	// Blocks counts the cells that could not be judged because of this one.
	Blocks int
}

// A Cell is one place where a finding shows, with the level that the requirement has there.
type Cell struct {
	Column
	Level string
}

// says is the message, or "" where it only repeats what the fields beside it say.
func (f Finding) says() string {
	if sameText(f.Message, f.Title) || sameText(f.Message, f.Got) ||
		sameText(f.Message, "expected "+f.Expected+", got "+f.Got) {
		return ""
	}
	return f.Message
}

// Revisions lists the revisions of the finding, newest first, each once.
func (f Finding) Revisions() []string {
	var revisions []string
	for _, c := range f.Cells {
		revisions = append(revisions, c.Revision)
	}
	return slices.Compact(revisions)
}

// Findings groups and orders the results that deserve a reader's time: fail, error, warn, note; what shows in more revisions
// first; then the order of the results, which is that of the catalogue.
func Findings(results []Result) []Finding {
	type key struct {
		id       string
		verdict  Verdict
		expected string
		excused  bool
	}
	index := make(map[key]int)
	var findings []Finding
	for _, r := range results {
		if verdictRank(r.Verdict) > verdictRank(Note) {
			continue
		}
		// The messages may differ in ids and times from revision to revision: that makes no second finding.
		k := key{r.ID, r.Verdict, r.Expected, r.Excused != ""}
		i, known := index[k]
		if !known {
			i = len(findings)
			index[k] = i
			findings = append(findings, Finding{Result: r})
		}
		f := &findings[i]
		asked := cmp.Or(f.AskedIn, r.AskedIn)
		if r.Revision > f.Revision {
			f.Result = r
		}
		f.AskedIn = asked
		f.Cells = append(f.Cells, Cell{Column{r.Revision, r.Transport}, r.Level})
	}
	for i := range findings {
		f := &findings[i]
		slices.SortStableFunc(f.Cells, func(a, b Cell) int { return strings.Compare(b.Revision, a.Revision) })
		f.Blocks = blocks(results, *f)
	}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		if d := verdictRank(a.Verdict) - verdictRank(b.Verdict); d != 0 {
			return d
		}
		return len(b.Revisions()) - len(a.Revisions())
	})
	return findings
}

// CountFindings tallies what Findings lists. The number beside a verdict is therefore that of the findings a reader sees, whatever
// the number of revisions.
func CountFindings(results []Result) FindingCounts {
	var n FindingCounts
	for _, f := range Findings(results) {
		if counter := n.counter(f.Verdict); counter != nil {
			*counter++
		}
		if f.Excused != "" {
			n.Excused++
		}
	}
	return n
}

func (n *FindingCounts) counter(v Verdict) *int {
	switch v {
	case Fail:
		return &n.Fail
	case Error:
		return &n.Error
	case Warn:
		return &n.Warn
	case Note:
		return &n.Note
	}
	return nil
}

// Of returns the count of one verdict; 0 for those that are no findings.
func (n FindingCounts) Of(v Verdict) int {
	if counter := n.counter(v); counter != nil {
		return *counter
	}
	return 0
}

func verdictRank(v Verdict) int {
	if i := slices.Index(Verdicts(), v); i >= 0 {
		return i
	}
	return len(Verdicts())
}

func blocks(results []Result, f Finding) int {
	n := 0
	for _, r := range results {
		if r.BlockedBy == f.ID && slices.ContainsFunc(f.Cells, func(c Cell) bool { return c.Column == Column{r.Revision, r.Transport} }) {
			n++
		}
	}
	return n
}

// A Matrix counts verdicts by area and column.
type Matrix struct {
	Columns []Column
	// Areas come in the order of the results.
	Areas  []string
	counts map[matrixKey]Summary
}

type matrixKey struct {
	area   string
	column Column
}

// NewMatrix tallies results by area and column.
func NewMatrix(results []Result) Matrix {
	m := Matrix{Columns: Columns(results), counts: make(map[matrixKey]Summary)}
	for _, r := range results {
		if !slices.Contains(m.Areas, r.Area) {
			m.Areas = append(m.Areas, r.Area)
		}
		k := matrixKey{r.Area, Column{r.Revision, r.Transport}}
		s := m.counts[k]
		if n := s.counter(r.Verdict); n != nil {
			*n++
		}
		m.counts[k] = s
	}
	return m
}

// At returns the counts of one area in one column; all zero where no requirement of the area applies.
func (m Matrix) At(area string, c Column) Summary {
	return m.counts[matrixKey{area, c}]
}

// ColumnTotal returns the counts of one column over all areas.
func (m Matrix) ColumnTotal(c Column) Summary {
	var total Summary
	for _, area := range m.Areas {
		total = total.plus(m.At(area, c))
	}
	return total
}

func (s Summary) plus(o Summary) Summary {
	for _, v := range Verdicts() {
		*s.counter(v) += o.Of(v)
	}
	return s
}

// unfinished says why a run says nothing about the server as a whole, in a word for scripts and in a sentence; both are empty where it does.
// A reader that counts failures alone would take such a run for a good one.
func (r Report) unfinished() (kind, reason string) {
	switch s := Count(r.Results); {
	case r.Diagnosis != nil:
		return r.Diagnosis.Kind, r.Diagnosis.Seen + ": " + r.Diagnosis.Why
	case r.Interrupted:
		return "interrupted", "interrupted: what had been recorded by then was judged"
	case s.Judged() == 0 && s.Error == 0:
		return "nothing-judged", "nothing was judged"
	}
	return "", ""
}
