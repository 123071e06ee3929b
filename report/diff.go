package report

import (
	"io"
	"strings"
)

// A Change is a cell whose verdict differs between two reports. A verdict is empty where the report has no such cell.
type Change struct {
	ID, Revision, Transport string
	Before, After           Verdict
	// Message is that of the newer result.
	Message string
}

// Worse tells that the newer report holds something against the server that the older one did not.
func (c Change) Worse() bool { return severity(c.After) > severity(c.Before) }

// Better tells the opposite.
func (c Change) Better() bool { return severity(c.After) < severity(c.Before) }

func severity(v Verdict) int {
	switch v {
	case Fail:
		return 2
	case Warn:
		return 1
	}
	return 0
}

// Diff compares two reports, cell by cell, in the order of the newer one; cells that it does not have come last.
func Diff(before, after Report) []Change {
	type key struct{ id, revision, transport string }
	old := map[key]Result{}
	for _, r := range before.Results {
		old[key{r.ID, r.Revision, r.Transport}] = r
	}
	var changes []Change
	seen := map[key]bool{}
	for _, r := range after.Results {
		k := key{r.ID, r.Revision, r.Transport}
		seen[k] = true
		if was := old[k]; was.Verdict != r.Verdict {
			changes = append(changes, Change{r.ID, r.Revision, r.Transport, was.Verdict, r.Verdict, r.Message})
		}
	}
	for _, r := range before.Results {
		if k := (key{r.ID, r.Revision, r.Transport}); !seen[k] {
			changes = append(changes, Change{r.ID, r.Revision, r.Transport, r.Verdict, "", ""})
		}
	}
	return changes
}

// RenderDiff writes for people what got worse, what got better, what a client would notice, and in one line what else changed.
func RenderDiff(w io.Writer, before, after Report, o TerminalOptions) error {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	t := &terminal{options: o, palette: newPalette(o.Color), width: min(max(o.Width, minWidth), maxWidth)}
	d := Compare(escaped(before, terminalText), escaped(after, terminalText))
	t.moved("worse", d.Worse)
	t.moved("better", d.Better)
	if d.Lost != "" {
		t.line("worse: the target could not be tested any more: " + oneLine(d.Lost))
	}
	for _, c := range d.Surface {
		kind := "changed:"
		if c.Breaking {
			kind = "breaking:"
		}
		lines := wrap(cut(oneLine(c.Says), textLimit), t.width-10)
		t.line(pad(kind, 10) + t.palette.bold(cut(c.where(), titleLimit)))
		for _, line := range lines {
			t.line(strings.Repeat(" ", 10) + line)
		}
	}
	t.line(diffText(d))
	_, err := io.WriteString(w, t.out.String())
	return err
}

// moved writes the verdicts that moved one way.
func (t *terminal) moved(kind string, all []Moved) {
	for _, m := range all {
		t.line(pad(kind+":", 8) + t.palette.bold(oneLine(m.ID)) + ": " + verdictOr(m.Before) + " -> " + verdictOr(m.After) + " (" + columnsText(m.Columns) + ")")
		if kind == "worse" && m.Message != "" {
			for _, part := range wrap(cut(oneLine(m.Message), textLimit), t.width-8) {
				t.line(strings.Repeat(" ", 8) + t.palette.faint(part))
			}
		}
	}
}

func verdictOr(v Verdict) string {
	if v == "" {
		return "absent"
	}
	return string(v)
}
