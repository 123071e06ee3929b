package report

import (
	"fmt"
	"io"
	"strings"
)

// RenderMigration writes the way for people: how far the server is, the steps that are left in their order, what may go later, and what
// cannot be seen. Verbose adds every requirement, and steps that are done; Quiet leaves a line for each step.
func RenderMigration(w io.Writer, m Migration, o TerminalOptions) error {
	m = escapedMigration(m, terminalText)
	t := newTerminal(Report{}, o)
	t.migration(m)
	_, err := io.WriteString(w, t.out.String())
	return err
}

func (t *terminal) migration(m Migration) {
	head := "TO " + oneLine(m.To)
	t.line(t.palette.bold(head) + "  " + cut(oneLine(m.Target.Place()), targetLimit))
	if server := serverText(m.Target.Itself()); server != "" {
		t.line(strings.Repeat(" ", displayWidth(head)+2) + t.palette.faint(server))
	}
	if d := m.Diagnosis; d != nil {
		t.blank()
		t.field("seen", d.Seen, 0)
		t.field("why", d.Why, 0)
		t.advice("do", d.Do)
		return
	}
	t.paragraph(m.Lead)
	if m.Probe != nil {
		t.paragraph(m.Probe.text())
	}
	for _, remark := range m.Remarks {
		t.paragraph("Remark: " + t.limited(remark, textLimit) + ".")
	}
	if t.options.Quiet {
		t.blank()
		for i, s := range m.Steps {
			t.stepHead(i, s)
		}
		return
	}
	if len(m.Carries) > 0 {
		t.heading("Holds already")
		for _, l := range wrap(areasText(m.Carries), t.width-2) {
			t.line("  " + l)
		}
	}
	if !m.Speaks || t.options.Verbose >= 1 {
		t.migrationSDKs(m.SDKs)
	}
	t.heading("Steps, in this order")
	for _, l := range wrap(m.Order, t.width-2) {
		t.line("  " + l)
	}
	for i, s := range m.Steps {
		t.step(i, s, m.Speaks, len(m.SDKs) == 1)
	}
	t.bullets("Goes when nobody speaks older revisions any more", m.Drop)
	t.migrationClients(m.Clients)
	t.bullets("Cannot be seen from outside", m.Hidden)
}

func (t *terminal) heading(text string) {
	t.blank()
	t.line(t.palette.bold(text))
}

func (t *terminal) paragraph(text string) {
	t.blank()
	for _, l := range wrap(oneLine(text), t.width) {
		t.line(l)
	}
}

func (t *terminal) bullets(title string, items []string) {
	if len(items) == 0 {
		return
	}
	t.heading(title)
	for _, item := range items {
		for i, l := range wrap(item, t.width-4) {
			t.line([]string{"  - ", "    "}[min(i, 1)] + l)
		}
	}
}

// stepHead is the line of a step: its number, state and title.
func (t *terminal) stepHead(i int, s MigrationStep) {
	paint := t.palette.faint
	switch s.State {
	case MigrationDone, MigrationSeen:
		paint = t.palette.pass
	case MigrationOpen:
		paint = t.palette.warn
	}
	t.line(padLeft(fmt.Sprint(i+1), 3) + "  " + paint(pad(strings.ToUpper(s.State), 13)) + t.palette.bold(cut(oneLine(s.Title), t.width-18)))
}

// step tells a step; of one SDK alone all is told. Where the revision is spoken what fails says more than what is to be built.
func (t *terminal) step(i int, s MigrationStep, spoken, one bool) {
	t.blank()
	t.stepHead(i, s)
	verbose := t.options.Verbose >= 1
	t.field("because", s.Because, 0)
	built := spoken && len(s.Findings) > 0
	if s.told() && !built || verbose {
		t.field("do", s.Do, 0)
		t.field("safe", s.Alone, 0)
	}
	for _, note := range s.Notes {
		t.field("seen", note, 0)
	}
	for _, f := range s.Findings {
		t.migrationFinding(f)
	}
	if len(s.Findings) == 0 || verbose {
		t.field("judged by", s.counts(), 0)
	}
	if verbose {
		t.migrationRequirements(s.Requirements)
	}
	if s.told() || verbose {
		t.stepSDKs(s.SDKs, one || verbose)
	}
	if s.told() && !built || verbose {
		t.words("clients", s.Clients)
	}
}

// stepSDKs names the SDKs that have a step built in, and says what is left to do with the others; all about all of them where that is asked
// for.
func (t *terminal) stepSDKs(sdks []MigrationSDKWord, all bool) {
	var come []string
	var left []MigrationWord
	for _, s := range sdks {
		if s.Comes && !all {
			come = append(come, s.Name)
			if len(s.Breaks) == 0 {
				continue
			}
			s.Text = ""
		}
		left = append(left, MigrationWord{s.Name, s.says()})
	}
	t.field("built in", strings.Join(come, ", "), 0)
	t.words("SDKs", left)
}

func (t *terminal) migrationFinding(f MigrationFinding) {
	margin := strings.Repeat(" ", headIndent)
	for i, l := range wrap(cut(oneLine(f.Title), titleLimit), t.width-headIndent-labelWidth) {
		label := strings.Repeat(" ", labelWidth)
		if i == 0 {
			label = t.palette.of(f.Verdict)(pad(strings.ToUpper(string(f.Verdict)), labelWidth))
		}
		t.line(margin + label + t.palette.bold(l))
	}
	t.field("", f.name(), 0)
	t.field("", f.Message, shortLimit)
	fix := f.Remedy
	if t.options.Verbose < 1 {
		fix = firstSentence(oneLine(fix))
	}
	t.field("", "Fix: "+fix, 0)
}

func (t *terminal) migrationRequirements(requirements []MigrationRequirement) {
	for _, r := range requirements {
		text := fmt.Sprintf("%s (%s, %s)", r.ID, r.Level, r.State)
		if r.Because != "" {
			text += ": " + shorten(oneLine(r.Because), shortLimit)
		}
		t.field("", text, 0)
	}
}

// words writes what is to be said of several, each under its name.
func (t *terminal) words(label string, words []MigrationWord) {
	for _, w := range words {
		t.field(label, w.Name+": "+w.Text, 0)
		label = ""
	}
}

// migrationSDKs says which SDKs do the steps, and how to get there where one is chosen or all is asked for.
func (t *terminal) migrationSDKs(sdks []MigrationSDK) {
	if len(sdks) == 0 {
		return
	}
	t.heading("With an SDK, upgrading does most of it")
	all := len(sdks) == 1 || t.options.Verbose >= 1
	for _, s := range sdks {
		if all {
			t.blank()
		}
		t.line("  " + t.palette.bold(oneLine(s.Name)) + "  " + s.text())
		if all {
			t.field("upgrade", s.Upgrade, 0)
			t.field("older", "Clients of older revisions are served then: "+lowerFirst(s.Older), 0)
			t.link("read", s.Read)
		}
	}
	if !all {
		t.line("  --sdk NAME tells how to upgrade, and of each step what is left to write.")
	}
}

// lowerFirst is a sentence as it stands behind a colon.
func lowerFirst(s string) string {
	if s != "" && s[0] >= 'A' && s[0] <= 'Z' {
		return string(s[0]-'A'+'a') + s[1:]
	}
	return s
}

func (t *terminal) migrationClients(clients []MigrationClient) {
	if len(clients) == 0 {
		return
	}
	t.heading("What clients send first")
	width := 0
	for _, c := range clients {
		width = max(width, min(displayWidth(oneLine(c.Name)), 40))
	}
	for _, c := range clients {
		name := pad(cut(oneLine(c.Name), 40), width)
		for _, l := range wrap(c.Begins, t.width-width-4) {
			t.line("  " + name + "  " + t.palette.faint(l))
			name = strings.Repeat(" ", width)
		}
	}
}
