package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// RenderHTMLMatrix writes several reports as one page: what each run amounts to, and every requirement with its verdict on every
// server. Reports of one page need not come from one version of the tool, nor have the same revisions.
func RenderHTMLMatrix(w io.Writer, reports []Report) error {
	d := htmlServers{htmlPage: newHTMLPage("mcpcheck: " + counted(len(reports), "server") + " compared")}
	var all []Result
	var tools []string
	reports = slices.Clone(reports)
	for i := range reports {
		reports[i] = escaped(reports[i], Visible)
		r := reports[i]
		all = append(all, r.Results...)
		d.Servers = append(d.Servers, newHTMLServer(r, i))
		if tool := oneLine(r.Tool.Name + " " + r.Tool.Version); !slices.Contains(tools, tool) {
			tools = append(tools, tool)
		}
	}
	d.Tool = strings.Join(tools, ", ")
	counts := Count(all)
	for _, v := range Verdicts() {
		if counts.Of(v) > 0 {
			d.Verdicts = append(d.Verdicts, htmlCount{string(v), v.word(), counts.Of(v)})
		}
	}
	for i := range d.Servers {
		for _, v := range d.Verdicts {
			d.Servers[i].Counts = append(d.Servers[i].Counts, htmlNumber{v.Verdict, Count(reports[i].Results).Of(Verdict(v.Verdict))})
		}
	}
	d.Filters = newHTMLFilters(all)
	d.Filters.Compare = true
	for i, r := range reports {
		if len(r.Results) == 0 {
			d.Empty = append(d.Empty, d.Servers[i].Name)
		}
	}
	d.Matrix = htmlServerMatrix(reports, all, d.Servers)
	return htmlParts().pages.ExecuteTemplate(w, "servers.tmpl", d)
}

type htmlServers struct {
	htmlPage
	Servers  []htmlServer
	Verdicts []htmlCount
	Filters  htmlFilters
	Matrix   htmlMatrix
	Empty    []string // servers without results have no column
}

type htmlServer struct {
	Number         int
	Name           string // in the head of its column
	Server, Target string
	Outcome, Class string
	Revisions      string
	Counts         []htmlNumber
	Seen           string // why it was not tested
}

func newHTMLServer(r Report, i int) htmlServer {
	outcome, class := htmlOutcome(r, false)
	s := htmlServer{
		Number: i + 1, Server: serverText(r.Target.Server), Target: cut(oneLine(r.Target.URL), targetLimit), Outcome: outcome, Class: class,
		Revisions: strings.Join(r.Target.Revisions, ", "),
	}
	s.Name = cut(oneLine(r.Target.Server.Name), 28)
	if s.Name == "" {
		s.Name = cut(strings.TrimPrefix(strings.TrimPrefix(s.Target, "https://"), "http://"), 28)
	}
	s.Name = fmt.Sprintf("%d. %s", s.Number, s.Name)
	if r.Diagnosis != nil {
		s.Seen = shorten(oneLine(r.Diagnosis.Seen), wireHeaderBytes)
	}
	return s
}

// htmlServerMatrix has the most important verdict of a requirement on each server, and where it does not hold in all revisions, in
// how many.
func htmlServerMatrix(reports []Report, all []Result, servers []htmlServer) htmlMatrix {
	m := htmlMatrix{Label: "Requirements by server"}
	var byID []map[string][]Result
	for i, r := range reports {
		if len(r.Results) == 0 {
			continue
		}
		m.Columns = append(m.Columns, servers[i].Name)
		column := make(map[string][]Result)
		for _, result := range r.Results {
			column[result.ID] = append(column[result.ID], result)
		}
		byID = append(byID, column)
	}
	for _, row := range newRequirements(all) {
		var verdicts []string
		differs, first := false, ""
		for i := range m.Columns {
			cell := htmlCell{Column: m.Columns[i]}
			if results := byID[i][row.ID]; len(results) > 0 {
				verdict, n := worst(results)
				cell.Class, cell.Word = htmlClass(verdict), verdict.word()
				if n < len(results) {
					cell.More = fmt.Sprintf("%d of %d revisions", n, len(results))
				}
				if !slices.Contains(verdicts, string(verdict)) {
					verdicts = append(verdicts, string(verdict))
				}
				differs = differs || first != "" && first != cell.Word
				first = cell.Word
			}
			row.Cells = append(row.Cells, cell)
		}
		row.Verdicts, row.Differs = strings.Join(verdicts, htmlSeparator), differs
		m.add(row.area, row.htmlRow)
	}
	return m
}

// worst is the most important verdict of results, and how many have it.
func worst(results []Result) (verdict Verdict, n int) {
	verdict = results[0].Verdict
	for _, r := range results {
		if verdictRank(r.Verdict) < verdictRank(verdict) {
			verdict = r.Verdict
		}
	}
	for _, r := range results {
		if r.Verdict == verdict {
			n++
		}
	}
	return verdict, n
}
