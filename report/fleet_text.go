package report

import (
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Limits of what a person reads of a fleet; the page and the JSON report have all.
const (
	fleetTallies = 10
	fleetWorst   = 20
	fleetNames   = 3
)

// FleetLine is a server as a line: what is said of it as soon as it is checked.
func FleetLine(s FleetServer, o TerminalOptions) string {
	safe := mapStrings(reflect.ValueOf(s), terminalText).Interface().(FleetServer)
	return newFleetTerminal(o).server(safe) + "\n"
}

// escapedFleet is a copy whose text is safe.
func escapedFleet(f Fleet, safe func(string) string) Fleet {
	return mapStrings(reflect.ValueOf(f), safe).Interface().(Fleet)
}

// RenderFleetText writes the summary for people: outcomes, what fails most, the worst first.
func RenderFleetText(w io.Writer, f Fleet, o TerminalOptions) error {
	f = escapedFleet(f, terminalText)
	t := newFleetTerminal(o)
	if !o.Quiet {
		t.tallies(&f)
		t.worst(&f)
	}
	n, exit := f.unfine()
	line := t.palette.bold(plural(len(f.Servers), "server")) + ": " + f.outcomesText()
	if f.Interrupted {
		line += "; interrupted"
	}
	if n > 0 {
		decide := "decide"
		if n == 1 {
			decide = "decides"
		}
		line += fmt.Sprintf("; %d of them %s the exit code, %d", n, decide, exit)
	}
	t.line(line + "; " + f.effort())
	_, err := io.WriteString(w, t.out.String())
	return err
}

func newFleetTerminal(o TerminalOptions) *terminal {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	return &terminal{options: o, palette: newPalette(o.Color), width: min(max(o.Width, minWidth), maxWidth)}
}

// server is one line: it may be longer than the terminal is wide, since it is what a pipe is searched for.
func (t *terminal) server(s FleetServer) string {
	name := s.title()
	if s.Target.Name != "" {
		name += "  " + cut(oneLine(s.Target.Place()), targetLimit)
	}
	line := t.palette.of(s.verdict)(pad(strings.ToUpper(s.headline), 14)) + "  " + name
	if text := s.says(); text != "" {
		line += ": " + text
	}
	return line
}

func (t *terminal) tallies(f *Fleet) {
	all := f.tallies()
	if len(all) == 0 {
		return
	}
	t.line(t.palette.bold("What fails most"))
	for i, y := range all {
		if i == fleetTallies {
			t.line(fmt.Sprintf("  and %s", counted(len(all)-i, "more requirement")))
			break
		}
		t.line("  " + t.palette.of(y.Verdict)(pad(strings.ToUpper(y.Verdict.word()), 5)) + " " + padLeft(fmt.Sprint(len(y.Servers)), 4) + " of " +
			fmt.Sprint(len(f.Servers)) + "  " + t.palette.bold(oneLine(y.ID)))
		for _, line := range wrap(cut(oneLine(y.Title), titleLimit)+": "+y.where(f, fleetNames), t.width-headIndent) {
			t.line(strings.Repeat(" ", headIndent) + t.palette.faint(line))
		}
	}
	t.blank()
}

func (t *terminal) worst(f *Fleet) {
	n, _ := f.unfine()
	if n == 0 {
		return
	}
	t.line(t.palette.bold("Worst first"))
	for i, at := range f.order()[:n] {
		if i == fleetWorst {
			t.line(fmt.Sprintf("  and %d more", n-i))
			break
		}
		t.line("  " + t.server(f.Servers[at]))
	}
	t.blank()
}

// RenderFleetBadge writes one badge for all: how many servers nobody has to look at.
func RenderFleetBadge(w io.Writer, f Fleet) error {
	n, _ := f.unfine()
	text, colour := fmt.Sprintf("%d of %d fine", len(f.Servers)-n, len(f.Servers)), "#2b7a2b"
	switch {
	case f.findings().Fail > f.findings().Excused && n > 0:
		colour = "#c0392b"
	case n > 0:
		colour = "#a86b00"
	}
	return renderBadge(w, text, colour)
}
