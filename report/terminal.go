package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// TerminalOptions says how the report for people looks. Nothing is read from the environment: the caller decides once.
type TerminalOptions struct {
	Color bool
	// Width in columns; 0 means 80. Lines meant to be copied (curl, links) may be longer.
	Width int
	// Verbose 1 adds reasons, whole fixes, curl lines and the wire log of findings, notes in full and the table of areas; 2 adds a
	// line for every cell.
	Verbose int
	// Quiet leaves one line for each failure and the summary line.
	Quiet bool
	// Strict says that a warning decides the exit code too: the headline and Quiet follow.
	Strict bool
	// Checklist are the lines of the checklist, where the run is told as one.
	Checklist []ChecklistItem
	// More is the command that shows more about a finding, in which FindingID stands for its id. Without one the reader is told to
	// repeat the command that was used.
	More string
}

// FindingID stands for the id of a finding in TerminalOptions.More.
const FindingID = "FINDING-ID"

const (
	defaultWidth = 80
	minWidth     = 40
	maxWidth     = 120 // longer lines are hard to read

	headIndent  = 6  // under the title, behind the verdict
	labelWidth  = 10 // "reproduce" and a space
	textLimit   = 480
	shortLimit  = 200 // without -v: a few lines at 80 columns
	titleLimit  = 160
	targetLimit = 240
)

// RenderTerminal writes the report for people: what was found, most important first; the table of what was checked; one summary.
func RenderTerminal(w io.Writer, r Report, o TerminalOptions) error {
	t := newTerminal(r, o)
	if o.Quiet {
		t.quiet()
	} else {
		t.full()
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

func newTerminal(r Report, o TerminalOptions) *terminal {
	r = escaped(r, terminalText)
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	return &terminal{
		report: r, options: o, palette: newPalette(o.Color),
		width: min(max(o.Width, minWidth), maxWidth), main: mainTransport(r.Results),
	}
}

type terminal struct {
	report  Report
	options TerminalOptions
	palette palette
	width   int
	main    string // the transport that goes without saying
	out     strings.Builder
}

func (t *terminal) line(s string) {
	t.out.WriteString(strings.TrimRight(s, " "))
	t.out.WriteByte('\n')
}

func (t *terminal) blank() {
	if t.out.Len() > 0 {
		t.out.WriteByte('\n')
	}
}

func (t *terminal) quiet() {
	for _, f := range Findings(t.report.Results) {
		if f.Excused != "" {
			continue
		}
		if f.Verdict == Fail || f.Verdict == Error || f.Verdict == Warn && t.options.Strict {
			t.line(t.badge(f.Verdict) + oneLine(f.ID) + " (" + f.where(t.main) + "): " + cut(oneLine(f.Message), textLimit))
		}
	}
	for _, entry := range t.report.Unexpected {
		t.line(t.badge(Fail) + "unexpected pass: " + oneLine(entry) + " is met now; take it out of the baseline")
	}
	r := t.report
	line := t.headline() + "  " + cut(oneLine(r.Target.Place()), targetLimit)
	if r.Diagnosis != nil {
		t.line(line + ": " + oneLine(r.Diagnosis.Seen))
		return
	}
	words := []string{outcomeText(r), scope(r), effort(r)}
	if r.Incomplete != nil {
		words = append([]string{r.Incomplete.Because}, words...)
	}
	t.line(line + ": " + strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), "; "))
}

func (t *terminal) full() {
	if t.report.Diagnosis != nil {
		t.diagnosis(*t.report.Diagnosis)
	}
	var blocks, notes, excused []Finding
	for _, f := range Findings(t.report.Results) {
		switch {
		case f.Excused != "":
			excused = append(excused, f)
		case f.Verdict == Note && t.options.Verbose < 1:
			notes = append(notes, f)
		default:
			blocks = append(blocks, f)
			t.blank()
			t.finding(f)
		}
	}
	t.notes(notes)
	t.excused(excused)
	if t.options.Verbose >= 2 {
		t.cells()
	}
	if len(t.report.Results) > 0 {
		t.blank()
		// Findings name their areas; a handful of them and the outcome should fit one screen.
		t.tables(t.options.Verbose >= 1 || len(blocks) == 0)
	}
	t.summary()
	t.more(append(blocks, notes...))
}

// more says which command shows the rest of what is known about a finding.
func (t *terminal) more(findings []Finding) {
	if len(findings) == 0 || t.options.Verbose >= 1 {
		return
	}
	command := t.options.More
	if command == "" {
		command = "the same command with -v --only " + FindingID
	}
	t.blank()
	command = strings.ReplaceAll(command, FindingID, oneLine(findings[0].ID))
	if lead := "more: "; displayWidth(lead+command) <= t.width {
		t.line(t.palette.faint(lead) + command)
	} else {
		t.line(t.palette.faint("more:"))
		t.line(command) // whole, so that it can be copied
	}
}

// badge is the verdict in the left margin, as wide as headIndent.
func (t *terminal) badge(v Verdict) string {
	return t.palette.of(v)(pad(strings.ToUpper(string(v)), headIndent))
}

func (t *terminal) headline() string {
	text, verdict := headline(t.report), headlineVerdict(t.report)
	if fails, _ := Decisive(t.report); fails == 0 && Count(t.report.Results).Fail > 0 && verdict == Fail {
		text, verdict = text+", as the baseline accepts", Warn
	}
	if _, warns := Decisive(t.report); t.options.Strict && verdict == Pass && warns > 0 {
		text, verdict = fmt.Sprintf("%s, with %s (strict)", text, plural(warns, "warning")), Warn
	}
	return t.palette.of(verdict)(strings.ToUpper(text))
}

// notes writes one line a note: they are worth knowing, never worth a page.
func (t *terminal) notes(notes []Finding) {
	if len(notes) > 0 {
		t.blank()
	}
	for _, f := range notes {
		text := oneLine(f.Message)
		if text == "" {
			text = oneLine(f.Title)
		}
		id := oneLine(f.ID)
		t.line(t.badge(Note) + t.palette.faint(cut(id, 48)+":") + " " + cut(text, t.width-headIndent-min(displayWidth(id), 48)-2))
	}
}

// excused names what a baseline accepts, and its entries that have no finding any more.
func (t *terminal) excused(findings []Finding) {
	if len(findings)+len(t.report.Unexpected) > 0 {
		t.blank()
	}
	for _, f := range findings {
		text := string(f.Verdict) + " excused: " + f.ID + " (" + f.where(t.main) + "): " + oneLine(f.Excused)
		for i, l := range wrap(text, t.width-2) {
			if i > 0 {
				l = "  " + l
			}
			t.line(t.palette.faint(l))
		}
	}
	for _, entry := range t.report.Unexpected {
		t.line(t.badge(Fail) + "unexpected pass: " + oneLine(entry) + " is met now; take it out of the baseline")
	}
}

func (t *terminal) diagnosis(d Diagnosis) {
	t.blank()
	t.line(t.headline() + "  " + cut(oneLine(t.report.Target.Place()), targetLimit))
	t.blank()
	t.field("seen", d.Seen, 0)
	t.field("why", d.Why, 0)
	t.advice("do", d.Do)
	t.points(d.Points)
	if t.options.Verbose >= 1 {
		t.wire(d.Evidence)
	}
}

// points writes the table of a diagnosis: a line for what was seen and one for what a client expects.
func (t *terminal) points(points []Point) {
	if len(points) == 0 {
		return
	}
	t.blank()
	names, states := 0, 0
	for _, p := range points {
		names, states = max(names, displayWidth(oneLine(p.Name))), max(states, displayWidth(oneLine(p.State)))
	}
	indent := strings.Repeat(" ", headIndent)
	room := t.width - headIndent - names - states - 4
	for _, p := range points {
		name, state := oneLine(p.Name), oneLine(p.State)
		for _, text := range []struct{ label, text string }{{"", p.Seen}, {"expected: ", p.Expected}} {
			for _, l := range wrap(text.label+text.text, room) {
				t.line(indent + pad(name, names) + "  " + t.pointPaint(state)(pad(state, states)) + "  " + l)
				name, state = "", ""
			}
		}
	}
}

func (t *terminal) pointPaint(state string) paint {
	switch state {
	case "broken":
		return t.palette.of(Fail)
	case "ok":
		return t.palette.of(Pass)
	}
	return t.palette.faint
}

// advice is a field in which indented lines are commands, written whole.
func (t *terminal) advice(label, text string) {
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		if strings.HasPrefix(line, "  ") {
			t.line(strings.Repeat(" ", headIndent) + "  " + strings.TrimSpace(line))
			continue
		}
		t.field(label, line, 0)
		label = ""
	}
}

// wire writes the log of exchanges: times since the request, then > what was sent, < what came, * events.
func (t *terminal) wire(evidence []Evidence) {
	margin := strings.Repeat(" ", headIndent)
	for _, e := range evidence {
		t.blank()
		for _, l := range wrap(wireTitle(e), t.width-headIndent) {
			t.line(margin + t.palette.bold(l))
		}
		for _, l := range wireLog(e) {
			stamp, sign, colour := l.time, string(l.sign), t.wirePaint(l.sign)
			for _, part := range wrapHard(l.text, t.width-headIndent-labelWidth-2) {
				t.line(margin + t.palette.faint(pad(stamp, labelWidth)) + colour(strings.TrimRight(sign+" "+part, " ")))
				stamp, sign = "", " "
			}
		}
	}
}

func (t *terminal) wirePaint(sign byte) paint {
	switch sign {
	case '>':
		return t.palette.faint
	case '=', '#':
		return t.palette.note
	}
	return func(s string) string { return s }
}

// cells writes one line for every cell, column by column.
func (t *terminal) cells() {
	for _, c := range Columns(t.report.Results) {
		t.blank()
		t.line(t.palette.bold(c.name(t.main)))
		var rows [][]gridCell
		limit, ids := min(44, t.width-len(NotApplicable)-4-16), 0
		for _, r := range t.report.Results {
			if (Column{r.Revision, r.Transport}) == c {
				ids = max(ids, min(displayWidth(oneLine(r.ID)), limit))
			}
		}
		for _, r := range t.report.Results {
			if (Column{r.Revision, r.Transport}) != c {
				continue
			}
			room := t.width - len(NotApplicable) - ids - 4
			verdict, id := string(r.Verdict), cut(oneLine(r.ID), limit)
			for _, part := range wrap(cellReason(r), max(room, 16)) {
				rows = append(rows, []gridCell{textCell(verdict, t.palette.of(r.Verdict)), textCell(id, nil), textCell(part, t.palette.faint)})
				verdict, id = "", ""
			}
		}
		for _, l := range grid(rows) {
			t.line(l)
		}
	}
}

// cellReason is what there is to say about a cell in a line.
func cellReason(r Result) string {
	text := oneLine(r.Message)
	if text == "" && r.BlockedBy != "" {
		text = fmt.Sprintf("blocked by %s", r.BlockedBy)
	}
	if text == "" {
		text = oneLine(r.Title)
	}
	if once := askedOnce(oneLine(r.AskedIn)); once != "" {
		text += " (" + once + ")"
	}
	return text
}
