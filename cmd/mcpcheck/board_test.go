package main

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
)

// screen is what a terminal shows of text that only moves up by whole lines, and clears from there.
func screen(t *testing.T, text string) string {
	t.Helper()
	var shown []string
	for {
		before, after, found := strings.Cut(text, "\x1b[")
		shown = append(shown, strings.SplitAfter(before, "\n")...)
		for len(shown) > 0 && shown[len(shown)-1] == "" {
			shown = shown[:len(shown)-1]
		}
		if !found {
			return strings.Join(shown, "")
		}
		up, rest, ok := strings.Cut(after, "A\r\x1b[J")
		if !ok || len(up) != 1 || int(up[0]-'0') > len(shown) {
			t.Fatalf("no way back by %q", after[:min(len(after), 12)])
		}
		shown, text = shown[:len(shown)-int(up[0]-'0')], rest
	}
}

// TestBoard: results stay, the table below them follows, and nothing of it is left at the end.
func TestBoard(t *testing.T) {
	var terminal strings.Builder
	now := time.Unix(0, 0)
	b := &board{lines: &terminal, remarks: &terminal, live: &terminal, width: 40, total: 3, now: func() time.Time { return now }}
	server := func(name string, exit int) report.FleetServer {
		return report.FleetServer{Target: report.Target{Name: name, URL: "http://a/"}, Exit: exit, AsExpected: true}
	}
	b.begin(0, "one\x1b[2J")
	b.begin(1, "two")
	if got, want := screen(t, terminal.String()), "0 of 3 checked\n  one\\x1b[2J  \n  two  \n"; got != want {
		t.Errorf("the table is\n%s", got)
	}
	b.teller(1)(suites.Progress{Phase: "recording", Done: 1, Total: 9})
	if strings.Contains(terminal.String(), "recording") {
		t.Error("the table changes too often")
	}
	now = now.Add(time.Second)
	b.teller(1)(suites.Progress{Phase: "recording", Done: 2, Total: 9})
	b.done(0, server("one", exitFailed))
	got := screen(t, terminal.String())
	if !strings.HasSuffix(got, "one  http://a/\n1 of 3 checked, 1 to look at\n  two  recording, 2 of 9 conversations\n") {
		t.Errorf("the table is\n%s", got)
	}
	b.remark("something \x1b[31m")
	b.done(1, server("two", exitOK))
	b.end()
	got = screen(t, terminal.String())
	if strings.Contains(got, "checked") || strings.Count(got, "\n") != 3 || !strings.Contains(got, "remark: something \\x1b[31m\n") {
		t.Errorf("left is\n%s", got)
	}
}

// TestBoardInAPipe: a line for each server and nothing else; with -q only for those that somebody has to look at.
func TestBoardInAPipe(t *testing.T) {
	for quiet, want := range map[bool]int{false: 2, true: 1} {
		var out strings.Builder
		b := &board{lines: &out, remarks: &out, now: time.Now, total: 2, choices: report.TerminalOptions{Quiet: quiet}}
		b.begin(0, "one")
		if b.teller(0) != nil {
			t.Error("somebody is told what nobody sees")
		}
		b.done(0, report.FleetServer{AsExpected: true})
		b.done(1, report.FleetServer{AsExpected: true, Exit: exitFailed})
		b.end()
		if strings.Count(out.String(), "\n") != want || strings.Contains(out.String(), "\x1b") {
			t.Errorf("quiet %v: %q", quiet, out.String())
		}
	}
}

// TestBoardIsBounded: a table that is higher than the terminal could not be taken back.
func TestBoardIsBounded(t *testing.T) {
	var terminal strings.Builder
	b := &board{lines: &terminal, remarks: &terminal, live: &terminal, total: 40, now: time.Now}
	for i := range 40 {
		b.begin(i, "one")
	}
	if b.height != boardRows+2 || !strings.HasSuffix(terminal.String(), "  and 28 more\n") {
		t.Errorf("the table has %d lines", b.height)
	}
}
