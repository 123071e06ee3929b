package report

import (
	"slices"
	"strings"
)

// htmlSeparator stands between the values of one data attribute; levels have spaces in them.
const htmlSeparator = "|"

// htmlFilters are the choices that the filters offer: what occurs.
type htmlFilters struct {
	Verdicts []htmlCount
	Areas    []string
	Levels   []string
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

// htmlMatrix has every requirement with its verdict in every column.
type htmlMatrix struct {
	Label   string
	Columns []string
	Areas   []htmlArea
	Rows    int
}

// Span is the number of columns of the table.
func (m htmlMatrix) Span() int {
	return len(m.Columns) + 2
}

type htmlArea struct {
	Name string
	Rows []htmlRow
}

type htmlRow struct {
	ID, Title string
	Verdicts  string // all that occur, for the filter
	Levels    string // the same of levels
	Level     string // for people
	Differs   bool   // the servers of a comparison do not agree
	Cells     []htmlCell
}

// htmlCell is a verdict by its word; Class only colours it. Without a word the requirement does not exist in that column.
type htmlCell struct {
	Column, Class, Word, Anchor, More string
}

func newHTMLMatrix(results []Result, main string, anchors map[htmlCellKey]string) htmlMatrix {
	columns := Columns(results)
	var names []string
	for _, c := range columns {
		names = append(names, c.name(main))
	}
	m := htmlMatrix{Label: "Requirements by revision", Columns: names}
	cells := make(map[htmlCellKey]Result)
	for _, r := range results {
		k := htmlCellKey{r.ID, Column{r.Revision, r.Transport}}
		if old, known := cells[k]; !known || verdictRank(r.Verdict) < verdictRank(old.Verdict) {
			cells[k] = r
		}
	}
	for _, row := range newRequirements(results) {
		var verdicts []string
		for i, c := range columns {
			cell := htmlCell{Column: names[i]}
			if r, ok := cells[htmlCellKey{row.ID, c}]; ok {
				cell.Class, cell.Word, cell.Anchor = htmlClass(r.Verdict), r.Verdict.word(), anchors[htmlCellKey{row.ID, c}]
				if r.Excused != "" {
					cell.More = "excused"
				}
				if !slices.Contains(verdicts, string(r.Verdict)) {
					verdicts = append(verdicts, string(r.Verdict))
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		row.Verdicts = strings.Join(verdicts, htmlSeparator)
		m.add(row.area, row.htmlRow)
	}
	return m
}

func (m *htmlMatrix) add(area string, row htmlRow) {
	m.Rows++
	for i := range m.Areas {
		if m.Areas[i].Name == area {
			m.Areas[i].Rows = append(m.Areas[i].Rows, row)
			return
		}
	}
	m.Areas = append(m.Areas, htmlArea{area, []htmlRow{row}})
}

// htmlRequirement is a row without its cells.
type htmlRequirement struct {
	htmlRow
	area     string
	revision string
}

// newRequirements lists the requirements of results in their order, each once, with the title and level of its newest revision first.
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
			rows[i].revision, rows[i].Title = r.Revision, cut(oneLine(r.Title), titleLimit)
		}
		if r.Level != "" && !slices.Contains(levels[r.ID], r.Level) {
			levels[r.ID] = append(levels[r.ID], r.Level)
		}
	}
	for i := range rows {
		all := levels[rows[i].ID]
		rows[i].Levels, rows[i].Level = strings.Join(all, htmlSeparator), strings.Join(all, ", ")
	}
	return rows
}

// htmlReason says why a requirement was not judged, and where that holds.
type htmlReason struct {
	ID, Area, Levels     string
	Class, Word, Verdict string
	Where, Reason        string
}

// htmlReasons lists the cells that say nothing about the server, not-observed first: that is what readers can do something about.
func htmlReasons(results []Result, main string) []htmlReason {
	type key struct{ id, verdict, reason string }
	index := make(map[key]int)
	levels := make(map[key][]string)
	where := make(map[key][]Column)
	var keys []key
	var reasons []htmlReason
	for _, r := range results {
		if r.Verdict != NotObserved && r.Verdict != NotApplicable {
			continue
		}
		k := key{r.ID, string(r.Verdict), cellReason(r)}
		if _, known := index[k]; !known {
			index[k] = len(reasons)
			keys = append(keys, k)
			reasons = append(reasons, htmlReason{
				ID: r.ID, Area: r.Area, Class: htmlClass(r.Verdict), Word: r.Verdict.word(), Verdict: string(r.Verdict),
				Reason: shorten(k.reason, htmlTextBytes),
			})
		}
		if r.Level != "" && !slices.Contains(levels[k], r.Level) {
			levels[k] = append(levels[k], r.Level)
		}
		where[k] = append(where[k], Column{r.Revision, r.Transport})
	}
	for i, k := range keys {
		slices.SortStableFunc(where[k], func(a, b Column) int { return strings.Compare(b.Revision, a.Revision) })
		var names []string
		for _, c := range where[k] {
			names = append(names, c.name(main))
		}
		reasons[i].Where, reasons[i].Levels = strings.Join(names, ", "), strings.Join(levels[k], htmlSeparator)
	}
	slices.SortStableFunc(reasons, func(a, b htmlReason) int {
		return verdictRank(Verdict(b.Verdict)) - verdictRank(Verdict(a.Verdict))
	})
	return reasons
}
