package report

import (
	"fmt"
	"io"
	"strings"
)

// RenderSDKMarkdown writes the table of SDKs as Markdown: a page of a repository, whose links lead to headings further down.
func RenderSDKMarkdown(w io.Writer, t SDKTable) error {
	v := newSDKView(t)
	m := &markdown{}
	m.printf("# Servers by SDK\n\n%s\n\nMeasured %s with %s (`make sdk-table`).\n\n", sdkLead, v.date(), markdownText(v.tool))
	m.sdkServers(v)
	for _, g := range v.grids {
		m.sdkGrid(v, g)
	}
	if len(t.NotRun) > 0 {
		m.printf("## Not run here\n\n")
		for _, n := range t.NotRun {
			m.printf("- %s: %s\n", markdownText(oneLine(Visible(n.Name))), markdownText(oneLine(Visible(n.Because))))
		}
		m.printf("\n")
	}
	m.printf("## Findings\n\n")
	for i := range v.rows {
		m.sdkFindings(v, i)
	}
	_, err := io.WriteString(w, strings.TrimRight(m.out.String(), "\n")+"\n")
	return err
}

// sdkServers writes what each server is, and what was found in it.
func (m *markdown) sdkServers(v sdkView) {
	m.printf("| | server | SDK | language | revisions | fail | warn | note | cells passed |\n|---:|:---|:---|:---|:---|---:|---:|---:|---:|\n")
	for i, r := range v.rows {
		counts, cells := CountFindings(r.Report.Results), Count(r.Report.Results)
		revisions := strings.Join(r.Report.Target.Revisions, ", ")
		if r.Report.Diagnosis != nil {
			revisions = "not tested: " + r.Report.Diagnosis.Seen
		}
		m.printf("| %d | %s | %s | %s | %s | %d | %d | %d | %d of %d |\n", i+1, markdownCell(r.Name),
			markdownCell(r.SDK+" "+r.Version), markdownCell(r.Language), markdownCell(revisions), counts.Fail, counts.Warn, counts.Note,
			cells.Pass, cells.Total()-cells.NotApplicable)
	}
	m.printf("\n")
	for i, r := range v.rows {
		m.printf("%d. **%s**: %s\n", i+1, markdownText(r.Name), markdownText(r.What))
	}
	m.printf("\n")
}

func (m *markdown) sdkGrid(v sdkView, g sdkGrid) {
	m.printf("## Areas in %s\n\n| area |", g.Title)
	for i := range v.rows {
		m.printf(" %d |", i+1)
	}
	m.printf("\n|:---|%s\n", strings.Repeat(":---|", len(v.rows)))
	for _, area := range g.Areas {
		m.printf("| %s |", markdownCell(area))
		for _, c := range g.Cells[area] {
			text := c.Text
			if c.Anchor != "" {
				text = fmt.Sprintf("[%s](#%s)", text, c.Anchor)
			}
			m.printf(" %s |", text)
		}
		m.printf("\n")
	}
	m.printf("\n")
}

// sdkFindings writes the findings of a server, area by area, each with its first exchange folded away.
func (m *markdown) sdkFindings(v sdkView, i int) {
	row := v.rows[i]
	m.main = mainTransport(row.Report.Results)
	groups := v.groups(i)
	if len(groups) == 0 {
		m.printf("### %s\n\n%s\n\n", sdkPlain(row.Name), nothingFound(row))
		return
	}
	for _, g := range groups {
		m.printf("### %s\n\n", g.heading)
		for _, f := range g.findings {
			m.printf("- **%s** %s (%s): %s", strings.ToUpper(string(f.Verdict)), markdownCode(f.ID), markdownText(f.where(m.main)), limitedMarkdown(f.says()))
			if text := expectedGot(f); text != "" {
				m.printf(" %s", limitedMarkdown(text))
			}
			if reason := row.reason(f); reason != "" {
				m.printf(" *Looked at:* %s", markdownText(reason))
			}
			m.printf(" %s\n", markdownLink("Clause", f.Spec))
			for _, e := range sdkEvidence(f) {
				m.printf("\n  <details><summary>Evidence</summary>\n\n%s\n  </details>\n\n", indented(markdownFence("text", wireText(e)), "  "))
			}
		}
		m.printf("\n")
	}
}

// nothingFound is what is said of a server without findings.
func nothingFound(r SDKRow) string {
	if r.Report.Diagnosis != nil {
		return "It could not be tested."
	}
	return "No findings."
}

// expectedGot is what was allowed and what came, where the sentence of a finding does not say it.
func expectedGot(f Finding) string {
	if f.Expected == "" || f.says() != "" {
		return ""
	}
	return fmt.Sprintf("expected %s, got %s", oneLine(f.Expected), oneLine(f.Got))
}

func indented(text, margin string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = margin + l
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
