package report

import (
	"io"
	"strings"
)

// RenderSDKHTML writes the table of SDKs as one page, which needs no network.
func RenderSDKHTML(w io.Writer, t SDKTable) error {
	v := newSDKView(t)
	page := htmlSDKs{htmlPage: newHTMLPage("mcpcheck: servers by SDK"), Lead: sdkLead, Measured: v.date()}
	page.Tool, page.Date = v.tool, newHTMLDate(v.from)
	for i, r := range v.rows {
		page.Servers = append(page.Servers, newHTMLSDK(i, r))
		page.Findings = append(page.Findings, v.htmlFindings(i))
	}
	for _, n := range t.NotRun {
		page.NotRun = append(page.NotRun, htmlFact{Name: oneLine(Visible(n.Name)), Text: oneLine(Visible(n.Because))})
	}
	for n, g := range v.grids {
		grid := htmlSDKGrid{Title: g.Title, Anchor: []string{"modern", "legacy"}[n]}
		for _, i := range g.Servers {
			grid.Servers = append(grid.Servers, page.Servers[i])
		}
		for _, area := range g.Areas {
			row := htmlSDKRow{Area: area}
			for _, c := range g.Cells[area] {
				row.Cells = append(row.Cells, htmlSDKCell{c.Text, c.Anchor, htmlClass(c.Worst)})
			}
			grid.Rows = append(grid.Rows, row)
		}
		page.Grids = append(page.Grids, grid)
	}
	return htmlParts().pages.ExecuteTemplate(w, "sdks.tmpl", page)
}

type htmlSDKs struct {
	htmlPage
	Lead, Measured string
	Servers        []htmlSDK
	Grids          []htmlSDKGrid
	NotRun         []htmlFact
	Findings       []htmlSDKFindings
}

type htmlSDK struct {
	Number                               int
	Name, SDK, Language, Revisions, What string
	Fail, Warn, Note, Passed, Cells      int
}

type htmlSDKGrid struct {
	Title, Anchor string
	Servers       []htmlSDK
	Rows          []htmlSDKRow
}

type htmlSDKRow struct {
	Area  string
	Cells []htmlSDKCell
}

type htmlSDKCell struct{ Text, Anchor, Class string }

type htmlSDKFindings struct {
	Name   string
	None   string // what is said where there are no groups
	Groups []htmlSDKGroup
}

type htmlSDKGroup struct {
	Heading, Anchor string
	Findings        []htmlSDKFinding
}

// htmlSDKFinding is a finding in a line, and the bytes that show it.
type htmlSDKFinding struct {
	Class, Word, ID, Where, Text, Reason, Clause, Wire string
}

func newHTMLSDK(i int, r SDKRow) htmlSDK {
	counts, cells := CountFindings(r.Report.Results), Count(r.Report.Results)
	s := htmlSDK{
		Number: i + 1, Name: r.Name, SDK: r.SDK + " " + r.Version, Language: r.Language, What: r.What, Revisions: strings.Join(r.Report.Target.Revisions, ", "),
		Fail: counts.Fail, Warn: counts.Warn, Note: counts.Note, Passed: cells.Pass, Cells: cells.Total() - cells.NotApplicable,
	}
	if r.Report.Diagnosis != nil {
		s.Revisions = "not tested: " + shorten(oneLine(r.Report.Diagnosis.Seen), wireHeaderBytes)
	}
	return s
}

// htmlFindings are those of a server, area by area.
func (v sdkView) htmlFindings(i int) htmlSDKFindings {
	row := v.rows[i]
	main := mainTransport(row.Report.Results)
	out := htmlSDKFindings{Name: row.Name, None: nothingFound(row)}
	for _, g := range v.groups(i) {
		group := htmlSDKGroup{Heading: g.heading, Anchor: g.anchor}
		for _, f := range g.findings {
			shown := htmlSDKFinding{
				Class: htmlClass(f.Verdict), Word: f.Verdict.word(), ID: f.ID, Where: f.where(main), Text: row.text(f), Reason: row.reason(f),
				Clause: htmlLink(oneLine(f.Spec)), Wire: row.wire(f),
			}
			group.Findings = append(group.Findings, shown)
		}
		out.Groups = append(out.Groups, group)
	}
	return out
}
