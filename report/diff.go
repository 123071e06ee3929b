package report

import (
	"fmt"
	"io"
	"slices"
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

// RenderDiff writes what got worse, what got better, and in one line what else changed. It is true when something got worse.
func RenderDiff(w io.Writer, before, after Report, o TerminalOptions) (worse bool, err error) {
	before, after = escaped(before, terminalText), escaped(after, terminalText)
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	t := &terminal{options: o, palette: newPalette(o.Color), width: min(max(o.Width, minWidth), maxWidth)}
	changes := Diff(before, after)
	worsened := t.changes("worse", changes, Change.Worse)
	improved := t.changes("better", changes, Change.Better)
	other := len(changes) - worsened - improved
	lost := after.Diagnosis != nil && before.Diagnosis == nil
	if lost {
		t.line("worse: the target could not be tested any more: " + oneLine(after.Diagnosis.Seen))
	}
	t.line(fmt.Sprintf("%s got worse, %s got better, %s without weight", plural(worsened, "cell"), plural(improved, "cell"), plural(other, "change")))
	_, err = io.WriteString(w, t.out.String())
	return worsened > 0 || lost, err
}

// changes writes those of one kind, grouped by requirement, and counts them.
func (t *terminal) changes(kind string, changes []Change, is func(Change) bool) int {
	type line struct{ id, before, after string }
	var order []line
	columns := map[line][]string{}
	messages := map[line]string{}
	n := 0
	for _, c := range changes {
		if !is(c) {
			continue
		}
		n++
		l := line{c.ID, verdictOr(c.Before), verdictOr(c.After)}
		if !slices.Contains(order, l) {
			order = append(order, l)
		}
		name := c.Revision
		if c.Transport == "http-sse" {
			name += " http-sse"
		}
		columns[l] = append(columns[l], name)
		messages[l] = c.Message
	}
	for _, l := range order {
		t.line(pad(kind+":", 8) + t.palette.bold(oneLine(l.id)) + ": " + l.before + " -> " + l.after + " (" + oneLine(strings.Join(columns[l], ", ")) + ")")
		if kind == "worse" && messages[l] != "" {
			for _, part := range wrap(cut(oneLine(messages[l]), textLimit), t.width-8) {
				t.line(strings.Repeat(" ", 8) + t.palette.faint(part))
			}
		}
	}
	return n
}

func verdictOr(v Verdict) string {
	if v == "" {
		return "absent"
	}
	return string(v)
}
