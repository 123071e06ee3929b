package report

import (
	"fmt"
	"strings"
)

// countMark is how the tables write a verdict behind its number; pass has none. Small letters and signs are not about the server.
func countMark(v Verdict) string {
	switch v {
	case Fail:
		return "F"
	case Warn:
		return "W"
	case Note:
		return "N"
	case Error:
		return "E"
	case NotApplicable:
		return "-"
	case NotObserved:
		return "?"
	}
	return ""
}

// tables writes what was checked. With one column it is areas by verdicts; with several, areas by columns, and below it the
// columns by verdicts, whose heading explains the marks of the first. Without areas only the columns by verdicts are left.
func (t *terminal) tables(areas bool) {
	m := NewMatrix(t.report.Results)
	var rows []countsRow
	if areas && len(m.Columns) == 1 {
		for _, area := range m.Areas {
			rows = append(rows, countsRow{oneLine(area), m.At(area, m.Columns[0])})
		}
		t.countsTable(oneLine(m.Columns[0].Revision), rows, false)
		return
	}
	if areas {
		for _, columns := range t.split(m) {
			t.rule(t.matrixRows(m, columns))
			t.blank()
		}
	}
	for _, c := range m.Columns {
		rows = append(rows, countsRow{c.name(t.main), m.ColumnTotal(c)})
	}
	t.countsTable("cells", rows, areas)
}

// split cuts the columns of a matrix into runs that fit the width.
func (t *terminal) split(m Matrix) [][]Column {
	var runs [][]Column
	var run []Column
	for _, c := range m.Columns {
		if longer := append(run[:len(run):len(run)], c); len(run) == 0 || gridWidth(t.matrixRows(m, longer)) <= t.width {
			run = longer
			continue
		}
		runs = append(runs, run)
		run = []Column{c}
	}
	return append(runs, run)
}

func (t *terminal) matrixRows(m Matrix, columns []Column) [][]gridCell {
	head := []gridCell{textCell("", nil)}
	for _, c := range columns {
		head = append(head, textCell(c.name(t.main), t.palette.bold))
	}
	passWidth := 1
	for _, area := range m.Areas {
		for _, c := range m.Columns {
			passWidth = max(passWidth, len(fmt.Sprint(m.At(area, c).Pass)))
		}
	}
	rows := [][]gridCell{head}
	for _, area := range m.Areas {
		row := []gridCell{textCell(cut(oneLine(area), 24), nil)}
		present := false
		for _, c := range columns {
			row = append(row, t.matrixCell(m.At(area, c), passWidth))
			present = present || m.At(area, c).Total() > 0
		}
		if present {
			rows = append(rows, row)
		}
	}
	return rows
}

// matrixCell writes "14 1F 2W 3- 4?", the passes in a column of their own.
func (t *terminal) matrixCell(s Summary, passWidth int) gridCell {
	if s.Total() == 0 {
		return textCell("", nil)
	}
	pass := ""
	if s.Pass > 0 {
		pass = fmt.Sprint(s.Pass)
	}
	cell := textCell(padLeft(pass, passWidth), t.palette.pass)
	for _, v := range Verdicts() {
		if n := s.Of(v); n > 0 && v != Pass {
			cell.pieces = append(cell.pieces, piece{" ", nil}, piece{fmt.Sprintf("%d%s", n, countMark(v)), t.palette.of(v)})
		}
	}
	return cell
}

type countsRow struct {
	name string
	s    Summary
}

// countsTable writes rows by verdicts, with the total where there are several rows. Errors have a column only where there are any.
func (t *terminal) countsTable(title string, rows []countsRow, marks bool) {
	var total Summary
	for _, r := range rows {
		total = total.plus(r.s)
	}
	var verdicts []Verdict
	for _, v := range []Verdict{Pass, Fail, Error, Warn, Note, NotApplicable, NotObserved} {
		if v != Error || total.Error > 0 {
			verdicts = append(verdicts, v)
		}
	}
	table := [][]gridCell{nil}
	add := func(name string, s Summary) {
		row := []gridCell{textCell(cut(name, 32), nil)}
		for _, v := range verdicts {
			if n := s.Of(v); n > 0 {
				row = append(row, numberCell(fmt.Sprint(n), t.palette.of(v)))
			} else {
				row = append(row, numberCell(".", t.palette.faint))
			}
		}
		table = append(table, row)
	}
	for _, r := range rows {
		add(r.name, r.s)
	}
	if len(rows) > 1 {
		add("total", total)
	}
	for _, heading := range []func(Verdict, bool) string{wideHeading, shortHeading, markHeading} {
		table[0] = []gridCell{textCell(title, t.palette.bold)}
		for _, v := range verdicts {
			table[0] = append(table[0], numberCell(heading(v, marks), t.palette.bold))
		}
		if gridWidth(table) <= t.width {
			break
		}
	}
	t.rule(table)
}

// wideHeading names a verdict above its column, with the mark that the table above uses for it.
func wideHeading(v Verdict, marks bool) string {
	name := v.word()
	if v == NotApplicable {
		name = "n/a"
	}
	if marks {
		name = strings.TrimSpace(name + " " + countMark(v))
	}
	return name
}

func shortHeading(v Verdict, marks bool) string {
	return strings.Replace(wideHeading(v, marks), "not observed", "not obs.", 1)
}

func markHeading(v Verdict, _ bool) string {
	if v == Pass {
		return v.word()
	}
	return countMark(v)
}

// rule writes a grid with a line under its head.
func (t *terminal) rule(rows [][]gridCell) {
	for i, l := range grid(rows) {
		t.line(l)
		if i == 0 {
			t.line(t.palette.faint(strings.Repeat("-", gridWidth(rows))))
		}
	}
}

// summary writes what the run amounts to, and what else is to say about it.
func (t *terminal) summary() {
	r := t.report
	if r.Diagnosis == nil {
		t.blank()
		what := cut(oneLine(r.Target.Place()), targetLimit)
		if server := serverText(r.Target.Itself()); server != "" {
			what += " (" + server + ")"
		}
		lead := t.headline() + "  "
		indent := strings.Repeat(" ", displayWidth(headline(r))+2)
		for _, l := range wrap(what, t.width-len(indent)) {
			t.line(lead + l)
			lead = indent
		}
		if len(r.Results) > 0 {
			for _, l := range wrap(findingsText(r), t.width-len(indent)) {
				t.line(indent + t.counts(l))
			}
			for _, text := range []string{cellsText(Count(r.Results)), unlookedText(r)} {
				if text == "" {
					continue
				}
				for _, l := range wrap(text, t.width-len(indent)) {
					t.line(indent + l)
				}
			}
		}
		if what := scope(r); what != "" {
			for _, l := range wrap(what, t.width-len(indent)) {
				t.line(indent + l)
			}
		}
		t.line(indent + effort(r))
	}
	said := remarks(r)
	if len(said) > 0 {
		t.blank()
	}
	for _, remark := range said {
		lead := "- "
		for _, l := range wrap(t.limited(oneLine(remark), textLimit), t.width-len(lead)) {
			t.line(lead + l)
			lead = "  "
		}
	}
}

// counts colours a line that findingsText made: "2 fail" in the colour of fail.
func (t *terminal) counts(line string) string {
	parts := strings.Split(line, ", ")
	for i, part := range parts {
		for _, v := range []Verdict{Fail, Error, Warn, Note} {
			if strings.HasSuffix(strings.TrimSuffix(part, ","), " "+v.word()) {
				parts[i] = t.palette.of(v)(part)
			}
		}
	}
	return strings.Join(parts, ", ")
}
