package report

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
)

// htmlFilters are the choices that the filters offer: what occurs.
type htmlFilters struct {
	Verdicts []htmlCount
	Areas    []string
	Levels   []string
	Column   string // what a column is: "Revision" or "Server"
	Columns  []string
	Compare  bool // several servers: rows can be those that differ
}

type htmlCount struct {
	Verdict string
	Word    string
	N       int
}

func newHTMLFilters(results []Result) htmlFilters {
	var f htmlFilters
	counts := Count(results)
	for _, v := range Verdicts() {
		if n := counts.Of(v); n > 0 {
			f.Verdicts = append(f.Verdicts, htmlCount{string(v), v.word(), n})
		}
	}
	for _, r := range results {
		if r.Area != "" && !slices.Contains(f.Areas, r.Area) {
			f.Areas = append(f.Areas, r.Area)
		}
		if r.Level != "" && !slices.Contains(f.Levels, r.Level) {
			f.Levels = append(f.Levels, r.Level)
		}
	}
	slices.SortStableFunc(f.Levels, func(a, b string) int { return levelRank(a) - levelRank(b) })
	return f
}

func (f *htmlFilters) columns(what string, names []string) {
	f.Column, f.Columns = what, names
}

// htmlKey is what the filters look for in one cell: its verdict, and the places of its level and column in what they offer.
type htmlKey struct {
	verdict       Verdict
	level, column int
}

func (f htmlFilters) key(r Result, column int) htmlKey {
	return htmlKey{r.Verdict, slices.Index(f.Levels, r.Level), column}
}

// keys writes down what a requirement has, as the script reads it: "fail 0 1.2;pass 0 3" is a fail of the first level in the second
// and the third column, and a pass in the fourth. A verdict that nobody knows is left out.
func (f htmlFilters) keys(cells []htmlKey) string {
	var groups []htmlKey // without their columns
	columns := make(map[htmlKey][]string)
	for _, k := range cells {
		group := htmlKey{verdict: k.verdict, level: k.level}
		column := strconv.Itoa(k.column)
		if htmlClass(k.verdict) == "" || slices.Contains(columns[group], column) {
			continue
		}
		if columns[group] == nil {
			groups = append(groups, group)
		}
		columns[group] = append(columns[group], column)
	}
	var parts []string
	for _, g := range groups {
		parts = append(parts, fmt.Sprintf("%s %d %s", g.verdict, g.level, strings.Join(columns[g], ".")))
	}
	return strings.Join(parts, ";")
}

// keysOf are the keys of a finding.
func (f htmlFilters) keysOf(finding Finding, columns []Column) string {
	var keys []htmlKey
	for _, c := range finding.Cells {
		keys = append(keys, f.key(Result{Verdict: finding.Verdict, Level: c.Level}, slices.Index(columns, c.Column)))
	}
	return f.keys(keys)
}

// levelRank orders the levels of the specification by what they demand.
func levelRank(level string) int {
	known := []string{"MUST", "MUST NOT", "implied", "SHOULD", "SHOULD NOT", "MAY", "practice"}
	if i := slices.Index(known, level); i >= 0 {
		return i
	}
	return len(known)
}

// htmlSummary counts verdicts by level, revision and area.
type htmlSummary struct {
	Verdicts []htmlCount // the columns
	Groups   []htmlGroup
}

// Span is the number of columns of the table.
func (s htmlSummary) Span() int {
	return len(s.Verdicts) + 2
}

type htmlGroup struct {
	Name string
	Rows []htmlCounts
}

type htmlCounts struct {
	Name   string
	Counts []htmlNumber
	Total  int
}

type htmlNumber struct {
	Class string
	N     int
}

func newHTMLSummary(results []Result, main string) htmlSummary {
	filters := newHTMLFilters(results)
	s := htmlSummary{Verdicts: filters.Verdicts}
	group := func(name string, names []string, of func(Result) string) {
		g := htmlGroup{Name: name}
		sums := make(map[string]Summary)
		for _, r := range results {
			sum := sums[of(r)]
			if n := sum.counter(r.Verdict); n != nil {
				*n++
			}
			sums[of(r)] = sum
		}
		for _, name := range names {
			row := htmlCounts{Name: name, Total: sums[name].Total()}
			for _, v := range s.Verdicts {
				row.Counts = append(row.Counts, htmlNumber{v.Verdict, sums[name].Of(Verdict(v.Verdict))})
			}
			g.Rows = append(g.Rows, row)
		}
		s.Groups = append(s.Groups, g)
	}
	var columns []string
	for _, c := range Columns(results) {
		columns = append(columns, c.name(main))
	}
	group("By level", filters.Levels, func(r Result) string { return r.Level })
	group("By revision", columns, func(r Result) string { return Column{r.Revision, r.Transport}.name(main) })
	group("By area", filters.Areas, func(r Result) string { return r.Area })
	return s
}

type htmlCellKey struct {
	id     string
	column Column
}

// htmlMatrix has every requirement with its verdict in every column, and why.
type htmlMatrix struct {
	Label   string
	Columns []string
	Areas   []htmlArea
	Rows    int
	Passes  int // rows with nothing but passes, which are not printed
	Left    int // reasons that are left out
	spent   map[bool]int
}

type htmlArea struct {
	Name, Anchor string
	Rows         []htmlRow
	Passes       bool // nothing but passes
}

type htmlRow struct {
	ID, Title string
	Anchor    string // where no finding has it
	Keys      string // for the filters
	Level     string
	Clause    string // link to the specification
	Differs   bool   // the servers of a comparison do not agree
	Passes    bool   // nothing but passes
	Cells     []htmlCell
	Reasons   []htmlReason
}

// htmlCell is a verdict by its word; Class only colours it. Without a word the requirement does not exist in that column.
type htmlCell struct {
	Column, Class, Word, Anchor, More string
}

// htmlReason says why cells have their verdict. Where is empty when that holds for all of the requirement.
type htmlReason struct {
	Class, Word, Where, Text, Anchor string
}

func newHTMLMatrix(results []Result, main string, filters htmlFilters, findings map[htmlCellKey]string, anchors htmlAnchors) htmlMatrix {
	columns, names := Columns(results), filters.Columns
	m := htmlMatrix{Label: "Requirements by revision", Columns: names}
	cells := make(map[htmlCellKey]Result)
	for _, r := range results {
		k := htmlCellKey{r.ID, Column{r.Revision, r.Transport}}
		if old, known := cells[k]; !known || verdictRank(r.Verdict) < verdictRank(old.Verdict) {
			cells[k] = r
		}
	}
	for _, row := range newRequirements(results) {
		var keys []htmlKey
		var reasons htmlReasons
		row.Passes = true
		for i, c := range columns {
			cell := htmlCell{Column: names[i]}
			if r, ok := cells[htmlCellKey{row.ID, c}]; ok {
				cell.Class, cell.Word, cell.Anchor = htmlClass(r.Verdict), r.Verdict.word(), findings[htmlCellKey{row.ID, c}]
				if r.Excused != "" {
					cell.More = "excused"
				}
				keys = append(keys, filters.key(r, i))
				reasons.add(r, cell.Anchor, names[i])
				row.Passes = row.Passes && r.Verdict == Pass
				row.found = row.found || cell.Anchor != ""
			}
			row.Cells = append(row.Cells, cell)
		}
		if !row.found {
			row.Anchor = anchors.of(row.ID)
		}
		row.Keys, row.Reasons = filters.keys(keys), m.within(reasons.list(len(keys), ""))
		m.add(row.area, row.htmlRow)
	}
	return m
}

func (m *htmlMatrix) add(area string, row htmlRow) {
	m.Rows++
	if row.Passes {
		m.Passes++
	}
	i := slices.IndexFunc(m.Areas, func(a htmlArea) bool { return a.Name == area })
	if i < 0 {
		i = len(m.Areas)
		m.Areas = append(m.Areas, htmlArea{Name: area, Anchor: fmt.Sprintf("area_%d", i+1), Passes: true})
	}
	m.Areas[i].Rows = append(m.Areas[i].Rows, row)
	m.Areas[i].Passes = m.Areas[i].Passes && row.Passes
}

// anchorOf is where an area begins.
func (m htmlMatrix) anchorOf(area string) string {
	for _, a := range m.Areas {
		if a.Name == area {
			return a.Anchor
		}
	}
	return ""
}

// within leaves out what would make the page too large. Passes have a budget of their own: whatever they say, the others are told.
func (m *htmlMatrix) within(reasons []htmlReason) []htmlReason {
	if m.spent == nil {
		m.spent = make(map[bool]int)
	}
	return slices.DeleteFunc(reasons, func(r htmlReason) bool {
		pass := r.Class == string(Pass)
		if m.spent[pass] > htmlReasonAll {
			m.Left++
			return true
		}
		m.spent[pass] += len(template.HTMLEscapeString(r.Text))
		return false
	})
}

// htmlReasons gathers the reasons of one requirement; equal ones become one.
type htmlReasons struct {
	reasons []htmlReason
	where   [][]string
}

func (l *htmlReasons) add(r Result, anchor, where string) {
	next := htmlReason{Class: htmlClass(r.Verdict), Word: r.Verdict.word(), Anchor: anchor}
	if text := cellReason(r); !sameText(text, r.Title) { // the title stands above
		next.Text = shorten(text, htmlReasonText)
	}
	i := slices.Index(l.reasons, next)
	if i < 0 {
		i = len(l.reasons)
		l.reasons, l.where = append(l.reasons, next), append(l.where, nil)
	}
	if !slices.Contains(l.where[i], where) {
		l.where[i] = append(l.where[i], where)
	}
}

// list are the reasons, the most important verdict first, with where they hold, given the number of cells and a word before the places.
func (l *htmlReasons) list(cells int, word string) []htmlReason {
	for i := range l.reasons {
		if len(l.where[i]) < cells || len(l.reasons) > 1 {
			l.reasons[i].Where = word + strings.Join(l.where[i], ", ")
		}
	}
	slices.SortStableFunc(l.reasons, func(a, b htmlReason) int { return verdictRank(Verdict(a.Class)) - verdictRank(Verdict(b.Class)) })
	return l.reasons
}

// htmlRequirement is a row without its cells.
type htmlRequirement struct {
	htmlRow
	area     string
	revision string
	found    bool // a finding has its anchor
}

// newRequirements lists the requirements of results in their order, each once, with the title and clause of its newest revision.
func newRequirements(results []Result) []htmlRequirement {
	index := make(map[string]int)
	var rows []htmlRequirement
	levels := make(map[string][]string)
	for _, r := range results {
		i, known := index[r.ID]
		if !known {
			i = len(rows)
			index[r.ID] = i
			rows = append(rows, htmlRequirement{htmlRow: htmlRow{ID: r.ID}, area: r.Area})
		}
		if r.Revision > rows[i].revision || !known {
			rows[i].revision, rows[i].Title, rows[i].Clause = r.Revision, cut(oneLine(r.Title), titleLimit), htmlLink(oneLine(r.Spec))
		}
		if r.Level != "" && !slices.Contains(levels[r.ID], r.Level) {
			levels[r.ID] = append(levels[r.ID], r.Level)
		}
	}
	for i := range rows {
		rows[i].Level = strings.Join(levels[rows[i].ID], ", ")
	}
	return rows
}
