package report

import (
	"io"
	"slices"
	"strings"
)

// RenderRequirement writes the findings of one requirement as RenderTerminal does, and nothing else; with Verbose all about them.
func RenderRequirement(w io.Writer, r Report, id string, o TerminalOptions) error {
	// What others lost to it is counted in all results, so only the printing is narrowed.
	t := newTerminal(r, o)
	for _, f := range slices.DeleteFunc(Findings(t.report.Results), func(f Finding) bool { return f.ID != id }) {
		t.blank()
		t.finding(f)
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

// finding writes what, where, sent, expected, got and the fix.
func (t *terminal) finding(f Finding) {
	margin := strings.Repeat(" ", headIndent)
	for i, l := range wrap(cut(oneLine(f.Title), titleLimit), t.width-headIndent) {
		if i == 0 {
			t.line(t.badge(f.Verdict) + t.palette.bold(l))
		} else {
			t.line(margin + t.palette.bold(l))
		}
	}
	for _, l := range wrap(f.ID+" ("+f.where(t.main)+")", t.width-headIndent) {
		t.line(margin + t.palette.faint(l))
	}
	verbose := t.options.Verbose >= 1
	if verbose {
		t.blank()
	}
	t.field("found", f.says(), shortLimit)
	t.field("sent", f.Sent, shortLimit)
	t.field("", askedOnce(f.AskedIn), 0)
	t.field("expected", f.Expected, shortLimit)
	t.field("got", f.Got, shortLimit)
	t.field("", f.moreText(), shortLimit)
	switch {
	case f.Verdict == Error:
		t.field("because", "mcpcheck itself failed here; this says nothing about the server.", 0)
	case verbose:
		t.field("because", f.Why, 0)
		t.link("clause", f.Spec)
		t.field("blocks", f.blocksText(), 0)
		t.field("fix", f.Remedy, 0)
	default:
		t.field("blocks", f.blocksText(), shortLimit)
		t.field("fix", cut(firstSentence(oneLine(f.Remedy)), titleLimit), 0)
	}
	if verbose {
		t.copyLines("reproduce", f.Curl)
		t.wire(f.Evidence)
	}
}

func sameText(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(oneLine(a), "."), strings.TrimRight(oneLine(b), "."))
}

// limited keeps a hostile or careless text from flooding the screen; -v shows all of it. No limit: 0.
func (t *terminal) limited(text string, limit int) string {
	if limit == 0 || t.options.Verbose >= 1 {
		return text
	}
	return shorten(text, limit)
}

// field writes a label and its text, wrapped beside the label.
func (t *terminal) field(label, text string, limit int) {
	if text = oneLine(text); text == "" {
		return
	}
	for _, l := range wrap(t.limited(text, limit), t.width-headIndent-labelWidth) {
		t.line(strings.Repeat(" ", headIndent) + t.palette.faint(pad(label, labelWidth)) + l)
		label = ""
	}
}

// link writes a link whole, even where it is longer than the line: half a link is none.
func (t *terminal) link(label, link string) {
	if link = oneLine(link); link != "" {
		t.line(strings.Repeat(" ", headIndent) + t.palette.faint(pad(label, labelWidth)) + link)
	}
}

// copyLines writes commands: beside the label where they fit, else below it, and never broken.
func (t *terminal) copyLines(label, text string) {
	text = strings.Trim(text, "\n")
	if text == "" {
		return
	}
	lines := strings.Split(text, "\n")
	margin := strings.Repeat(" ", headIndent)
	if len(lines) == 1 && displayWidth(text) <= t.width-headIndent-labelWidth {
		t.line(margin + t.palette.faint(pad(label, labelWidth)) + text)
		return
	}
	if label != "" {
		t.line(margin + t.palette.faint(label))
	}
	for _, l := range lines {
		t.line(margin + "  " + l)
	}
}
