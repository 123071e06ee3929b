package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A ChecklistItem is a line that people go through by hand when they bring up a server, and the requirements that judge it.
type ChecklistItem struct {
	Text string
	IDs  []string
}

// A ChecklistLine is a line of the checklist and what the run says of it.
type ChecklistLine struct {
	Text string
	// State is "ok", "broken", "not offered" or "not observed".
	State string
	// Because is the sentence of the result that decided it.
	Because string
	IDs     []string
}

// Checklist goes through some items. A line that could not be looked at is "not observed", never "ok".
func Checklist(r Report, items []ChecklistItem) []ChecklistLine {
	lines := make([]ChecklistLine, len(items))
	for i, item := range items {
		lines[i] = ChecklistLine{Text: item.Text, State: "not observed", Because: "not judged in this run", IDs: item.IDs}
		best := len(states)
		for _, result := range r.Results {
			if !slices.Contains(item.IDs, result.ID) {
				continue
			}
			if n := slices.IndexFunc(states, func(s state) bool { return slices.Contains(s.verdicts, result.Verdict) }); n >= 0 && n < best {
				best = n
				lines[i].State, lines[i].Because = states[n].word, result.Message
				if result.Verdict != Pass {
					lines[i].Because = fmt.Sprintf("%s (%s, %s)", result.Message, result.ID, result.Revision)
				}
			}
		}
	}
	return lines
}

// beyond are the findings that no line is about, so that what a run amounts to has its reason here.
func beyond(r Report, items []ChecklistItem) []ChecklistLine {
	var lines []ChecklistLine
	for _, f := range Findings(r.Results) {
		counts := f.Verdict == Fail || f.Verdict == Warn
		if counts && f.Excused == "" && !slices.ContainsFunc(items, func(i ChecklistItem) bool { return slices.Contains(i.IDs, f.ID) }) {
			lines = append(lines, ChecklistLine{
				Text: f.Title, State: states[0].word, IDs: []string{f.ID}, Because: fmt.Sprintf("%s (%s, %s)", f.Message, f.ID, f.Revision),
			})
		}
	}
	return lines
}

// states from the one that decides on.
var states = []state{
	{"broken", []Verdict{Fail, Warn}},
	{"not observed", []Verdict{Error}},
	{"ok", []Verdict{Pass, Note}},
	{"not observed", []Verdict{NotObserved}},
	{"not offered", []Verdict{NotApplicable}},
}

type state struct {
	word     string
	verdicts []Verdict
}

// RenderChecklist writes the checklist for people. A target that could not be tested is explained instead.
func RenderChecklist(w io.Writer, r Report, o TerminalOptions) error {
	r = escaped(r, terminalText)
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	t := &terminal{report: r, options: o, palette: newPalette(o.Color), width: min(max(o.Width, minWidth), maxWidth)}
	if r.Diagnosis != nil {
		t.diagnosis(*r.Diagnosis)
		_, err := io.WriteString(w, t.out.String())
		return err
	}
	width := len("not observed")
	for _, l := range slices.Concat(Checklist(r, o.Checklist), beyond(r, o.Checklist)) {
		t.line(t.pointPaint(l.State)(pad(l.State, width)) + "  " + t.palette.bold(cut(l.Text, t.width-width-2)))
		for _, because := range wrap(cut(oneLine(l.Because), textLimit), t.width-width-2) {
			t.line(strings.Repeat(" ", width+2) + t.palette.faint(because))
		}
	}
	t.blank()
	t.line(t.headline() + "  " + cut(oneLine(r.Target.Place()), targetLimit))
	t.line("mcpcheck " + cut(oneLine(r.Target.Place()), targetLimit) + " shows every finding with its evidence")
	_, err := io.WriteString(w, t.out.String())
	return err
}
