package report

import (
	"fmt"
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
	Findings        []htmlFinding
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
	view := &htmlView{report: row.Report, main: mainTransport(row.Report.Results), seen: map[string]string{}, anchors: htmlAnchors{}}
	out := htmlSDKFindings{Name: row.Name, None: nothingFound(row)}
	for _, g := range v.groups(i) {
		group := htmlSDKGroup{Heading: g.heading, Anchor: g.anchor}
		for n, f := range g.findings {
			f.Evidence, f.Curl, f.Why, f.Remedy = sdkEvidence(f), "", "", ""
			shown := view.finding(f, fmt.Sprintf("%s_%d", g.anchor, n+1))
			if reason := row.reason(f); reason != "" {
				shown.Fields = append(shown.Fields, htmlField{Name: "Looked at", Text: reason})
			}
			group.Findings = append(group.Findings, shown)
		}
		out.Groups = append(out.Groups, group)
	}
	return out
}
