package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
)

// A board shows a fleet while it runs: a line for each server as soon as it is checked, and on a terminal below them a table of those
// that are under way.
type board struct {
	lines     io.Writer // takes the results
	remarks   io.Writer
	live      io.Writer // takes the table; nil where nobody looks
	width     int
	now       func() time.Time
	choices   report.TerminalOptions
	total     int
	mu        sync.Mutex
	rows      []boardRow
	height    int // lines of the table that are on the terminal
	last      time.Time
	checked   int
	attention int // of those checked, how many decide the exit code
}

// boardRows bounds the table: one that is higher than the terminal cannot be taken back.
const boardRows = 12

// boardRow is a server under way.
type boardRow struct {
	member      int
	title, says string
}

// board decides once who looks. Results go where the report for people goes.
func (c *command) board(o *options, outputs []output, total int) *board {
	b := &board{lines: c.stdout, remarks: c.stderr, now: time.Now, total: total, choices: report.TerminalOptions{Color: c.color(o.color), Quiet: o.quiet}}
	if slices.ContainsFunc(outputs, func(out output) bool { return out.path == standardOutput }) {
		b.lines, b.choices.Color = c.stderr, false
	}
	if !o.quiet && isTerminal(c.stderr) {
		b.live, b.width = c.stderr, terminalWidth(c.stderr)
	}
	return b
}

// begin puts a server into the table.
func (b *board) begin(member int, title string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = append(b.rows, boardRow{member: member, title: report.Visible(title)})
	b.draw(true)
}

// teller is what a run tells its progress; nil where nobody looks.
func (b *board) teller(member int) func(suites.Progress) {
	if b.live == nil {
		return nil
	}
	return func(p suites.Progress) {
		b.mu.Lock()
		defer b.mu.Unlock()
		for i := range b.rows {
			if b.rows[i].member == member {
				b.rows[i].says = progressText(p)
			}
		}
		b.draw(false)
	}
}

// done tells of a server that is checked.
func (b *board) done(member int, s report.FleetServer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = slices.DeleteFunc(b.rows, func(r boardRow) bool { return r.member == member })
	b.checked++
	if s.Exit != exitOK {
		b.attention++
	}
	b.wipe()
	if !b.choices.Quiet || s.Exit != exitOK {
		fmt.Fprint(b.lines, report.FleetLine(s, b.choices))
	}
	b.draw(true)
}

// remark tells of something that is no result.
func (b *board) remark(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wipe()
	fmt.Fprintf(b.remarks, "remark: %s\n", report.Visible(text))
	b.draw(true)
}

// end takes the table back for good.
func (b *board) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wipe()
	b.live = nil
}

// wipe takes the table back, so that something can be written in its place.
func (b *board) wipe() {
	if b.live != nil && b.height > 0 {
		fmt.Fprintf(b.live, "\x1b[%dA\r\x1b[J", b.height)
	}
	b.height = 0
}

// draw writes the table anew: at once when a server begins or ends, and as seldom as one line of progress otherwise.
func (b *board) draw(atOnce bool) {
	if b.live == nil || !atOnce && b.now().Sub(b.last) < refresh {
		return
	}
	b.last = b.now()
	b.wipe()
	var text strings.Builder
	fmt.Fprintf(&text, "%d of %d checked", b.checked, b.total)
	if b.attention > 0 {
		fmt.Fprintf(&text, ", %d to look at", b.attention)
	}
	lines := []string{text.String()}
	for i, r := range b.rows {
		if i == boardRows {
			lines = append(lines, fmt.Sprintf("  and %d more", len(b.rows)-i))
			break
		}
		lines = append(lines, "  "+r.title+"  "+r.says)
	}
	for _, line := range lines {
		fmt.Fprintf(b.live, "%s\n", report.Cut(line, b.width-1))
	}
	b.height = len(lines)
}
