package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Limits of the Markdown report: a comment on GitHub takes 65,536 characters.
const (
	markdownEvidence  = 2 // exchanges of a finding
	markdownTextBytes = 600
	markdownWireLines = 60 // of one exchange
	markdownBudget    = 48 << 10
)

// RenderMarkdown writes the report for a pull request or a job summary: the outcome, findings with their evidence folded away,
// and the table of what was checked. The only HTML in it is our own <details>, and no text of the server stands inside a tag.
func RenderMarkdown(w io.Writer, r Report) error {
	m := &markdown{report: escaped(r, Visible)}
	m.main = mainTransport(m.report.Results)
	m.render()
	_, err := io.WriteString(w, m.out.String())
	return err
}

type markdown struct {
	report Report
	main   string
	out    strings.Builder
}

func (m *markdown) printf(format string, args ...any) {
	fmt.Fprintf(&m.out, format, args...)
}

func (m *markdown) render() {
	r := m.report
	m.printf("## mcpcheck: %s\n\n", headline(r))
	what := markdownCode(cut(oneLine(r.Target.Place()), targetLimit))
	if server := serverText(r.Target.Itself()); server != "" {
		what += " (" + markdownText(server) + ")"
	}
	m.printf("%s\n\n", what)
	if d := r.Diagnosis; d != nil {
		m.diagnosis(*d)
	}
	if len(r.Results) > 0 {
		m.printf("**%s**; %s. %s; %s.\n\n", findingsText(r), cellsText(Count(r.Results)), markdownText(scope(r)), effort(r))
	}
	for _, remark := range remarks(r) {
		m.printf("- %s\n", markdownText(shorten(oneLine(remark), markdownTextBytes)))
	}
	if len(remarks(r)) > 0 {
		m.printf("\n")
	}
	for _, entry := range r.Unexpected {
		m.printf("- **unexpected pass:** %s is met now; take it out of the baseline\n", markdownText(oneLine(entry)))
	}
	if len(r.Unexpected) > 0 {
		m.printf("\n")
	}
	var notes, excused []Finding
	for _, f := range Findings(r.Results) {
		if f.Excused != "" {
			excused = append(excused, f)
			continue
		}
		if f.Verdict == Note {
			notes = append(notes, f)
			continue
		}
		m.finding(f)
	}
	m.notes(notes)
	for _, f := range excused {
		m.printf("- %s, excused: %s: %s\n", f.Verdict, markdownCode(f.ID), markdownText(shorten(oneLine(f.Excused), markdownTextBytes)))
	}
	if len(excused) > 0 {
		m.printf("\n")
	}
	m.matrix()
	m.printf("%s, %s\n", markdownText(r.Tool.Name+" "+r.Tool.Version), r.Started.UTC().Format("2006-01-02 15:04 UTC"))
}

func (m *markdown) diagnosis(d Diagnosis) {
	m.field("Seen", markdownText(d.Seen))
	m.field("Why", markdownText(d.Why))
	m.advice(d.Do)
	m.printf("\n")
	if len(d.Points) > 0 {
		m.printf("| point | | seen | expected |\n| --- | --- | --- | --- |\n")
		for _, p := range d.Points {
			m.printf("| %s | %s | %s | %s |\n", markdownCell(p.Name), markdownCell(p.State), markdownCell(p.Seen), markdownCell(p.Expected))
		}
		m.printf("\n")
	}
	m.details("Evidence", m.evidence(d.Evidence))
}

// advice writes what to do; indented lines are commands, in a block of their own.
func (m *markdown) advice(do string) {
	var text, commands []string
	for line := range strings.SplitSeq(do, "\n") {
		if strings.HasPrefix(line, "  ") {
			commands = append(commands, strings.TrimSpace(line))
		} else {
			text = append(text, line)
		}
	}
	m.field("Do", markdownText(strings.Join(text, " ")))
	if len(commands) > 0 {
		m.printf("\n%s", markdownFence("sh", strings.Join(commands, "\n")))
	}
}

func (m *markdown) field(name, markup string) {
	if markup != "" {
		m.printf("- **%s:** %s\n", name, markup)
	}
}

// limitedMarkdown is markdownText of the beginning of s.
func limitedMarkdown(s string) string {
	return markdownText(shorten(oneLine(s), markdownTextBytes))
}

func (m *markdown) finding(f Finding) {
	m.printf("### %s: %s\n\n", strings.ToUpper(string(f.Verdict)), markdownText(cut(oneLine(f.Title), titleLimit)))
	m.printf("%s %s\n\n", markdownCode(f.ID), markdownText("("+f.where(m.main)+")"))
	if says := f.says(); says != "" {
		m.field("Found", limitedMarkdown(says))
	}
	m.field("Sent", limitedMarkdown(f.Sent))
	m.field("Expected", limitedMarkdown(f.Expected))
	m.field("Got", limitedMarkdown(f.Got))
	m.field("More", f.moreText())
	if f.Verdict == Error {
		m.field("Because", "mcpcheck itself failed here; this says nothing about the server.")
	} else {
		m.field("Because", strings.TrimSpace(markdownText(f.Why)+" "+markdownLink("Specification", f.Spec)))
		m.field("Blocks", f.blocksText())
		m.field("Fix", markdownText(f.Remedy))
	}
	m.printf("\n")
	body := ""
	if curl := strings.Trim(f.Curl, "\n"); curl != "" {
		body = markdownFence("sh", curl) + "\n"
	}
	m.details("Reproduce, evidence", body+m.evidence(f.Evidence))
}

// details folds a body away. The title is a constant of ours: GitHub reads it as HTML.
func (m *markdown) details(title, body string) {
	if body != "" && m.out.Len()+len(body) > markdownBudget {
		body = "Left out, the report is long; the JSON report has it.\n"
	}
	if body != "" {
		m.printf("<details>\n<summary>%s</summary>\n\n%s\n</details>\n\n", title, strings.TrimRight(body, "\n")+"\n")
	}
}

func (m *markdown) evidence(evidence []Evidence) string {
	var b strings.Builder
	for i, e := range evidence {
		if i == markdownEvidence {
			fmt.Fprintf(&b, "%s in the JSON report.\n", counted(len(evidence)-i, "more exchange"))
			break
		}
		lines := strings.SplitAfter(wireText(e), "\n")
		if len(lines) > markdownWireLines {
			lines = append(lines[:markdownWireLines:markdownWireLines], fmt.Sprintf("... %d more lines\n", len(lines)-markdownWireLines))
		}
		b.WriteString(markdownFence("text", strings.Join(lines, "")) + "\n")
	}
	return b.String()
}

func (m *markdown) notes(notes []Finding) {
	if len(notes) == 0 {
		return
	}
	var b strings.Builder
	for _, f := range notes {
		fmt.Fprintf(&b, "- %s: %s\n", markdownCode(f.ID), limitedMarkdown(cellReason(f.Result)))
	}
	m.details(counted(len(notes), "note"), b.String())
}

// matrix writes areas by columns, with what is wrong in bold.
func (m *markdown) matrix() {
	matrix := NewMatrix(m.report.Results)
	if len(matrix.Columns) == 0 {
		return
	}
	m.printf("### What was checked\n\n| area |")
	for _, c := range matrix.Columns {
		m.printf(" %s |", markdownCell(c.name(m.main)))
	}
	m.printf("\n|:---|%s\n", strings.Repeat(":---|", len(matrix.Columns)))
	for _, area := range matrix.Areas {
		m.printf("| %s |", markdownCell(area))
		for _, c := range matrix.Columns {
			m.printf(" %s |", markdownCounts(matrix.At(area, c)))
		}
		m.printf("\n")
	}
	m.printf("| **total** |")
	for _, c := range matrix.Columns {
		m.printf(" %s |", markdownCounts(matrix.ColumnTotal(c)))
	}
	m.printf("\n\n")
}

// markdownCounts writes "14 pass, **1 fail**"; nothing where no requirement applies.
func markdownCounts(s Summary) string {
	var parts []string
	for _, v := range Verdicts() {
		switch n := s.Of(v); {
		case n == 0:
		case v == Fail || v == Error:
			parts = append(parts, fmt.Sprintf("**%d %s**", n, v.word()))
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, v.word()))
		}
	}
	return strings.Join(parts, ", ")
}

var plainLink = regexp.MustCompile(`^https://[A-Za-z0-9._~/#?=%-]+$`)

// markdownLink writes a link to a clause; an address that is not as plain as those of the catalogue stays text.
func markdownLink(title, address string) string {
	if plainLink.MatchString(address) {
		return "[" + title + "](" + address + ")"
	}
	return markdownText(address)
}
