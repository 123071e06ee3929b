package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/mcpcheck/mcpcheck/suites"
)

// progress shows one line on a terminal while a run lasts. In a pipe it says once how long a run takes that takes long.
type progress struct {
	w     io.Writer
	once  bool
	width int // of the terminal: a line that wraps cannot be taken back
	now   func() time.Time

	mu    sync.Mutex
	shown bool
	last  time.Time
}

const (
	// refresh is how often the line changes: often enough to look alive, seldom enough not to flicker.
	refresh = 100 * time.Millisecond
	// patience is from when on the line names what is waited for.
	patience = time.Second
	// worthSaying is from how much time on it is worth a word how long a run will still take.
	worthSaying = 30 * time.Second
)

// progress is nil where nobody looks.
func (c *command) progress(o *options) *progress {
	if o.quiet {
		return nil
	}
	if !isTerminal(c.stderr) {
		return &progress{w: c.stderr, once: true}
	}
	return &progress{w: c.stderr, width: terminalWidth(c.stderr), now: time.Now}
}

// teller is what a run tells its progress, nil where nobody looks.
func (p *progress) teller() func(suites.Progress) {
	if p == nil {
		return nil
	}
	return p.show
}

// show writes what is going on: the first time at once.
func (p *progress) show(s suites.Progress) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.once {
		p.forecast(s)
		return
	}
	if p.w == nil || p.shown && p.now().Sub(p.last) < refresh {
		return
	}
	p.last, p.shown = p.now(), true
	fmt.Fprintf(p.w, "\r%s\x1b[K", cutTo(progressText(s), p.width-1))
}

// forecast says once, in a line of its own, how long the run will still take.
func (p *progress) forecast(s suites.Progress) {
	if p.w == nil || p.shown || s.Left < worthSaying {
		return
	}
	p.shown = true
	fmt.Fprintf(p.w, "the server is slow, or limits requests: %s to go\n", suites.About(s.Left))
}

// progressText says how far a run is, and after a second what it waits for.
func progressText(s suites.Progress) string {
	text := s.Phase + " ..."
	if s.Total > 0 {
		text = fmt.Sprintf("%s, %d of %d conversations", s.Phase, s.Done, s.Total)
	}
	if s.Left >= worthSaying {
		text += ", " + suites.About(s.Left) + " to go"
	}
	if s.Waited >= patience {
		text += fmt.Sprintf(", waiting %d s for %s", int(s.Waited.Seconds()), s.Waiting)
	}
	return text
}

// cutTo keeps what fits on a line; the text is ASCII.
func cutTo(text string, width int) string {
	if width > 0 && len(text) > width {
		return text[:width]
	}
	return text
}

// clear takes the line back; nothing is shown after it.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown && !p.once {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.w, p.shown = nil, false
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// color decides once whether the report is coloured.
func (c *command) color(choice string) bool {
	switch choice {
	case colorAlways:
		return true
	case colorNever:
		return false
	}
	// What users do not want comes before what they force, and both before what the terminal seems to be (no-color.org,
	// force-color.org, bixense.com/clicolors).
	set := func(name string) string { v, _ := c.env(name); return v }
	off := func(v string) bool { return v == "0" || v == "false" }
	force, cliForce := set("FORCE_COLOR"), set("CLICOLOR_FORCE")
	switch {
	case set("NO_COLOR") != "":
		return false
	case force != "":
		return !off(force)
	case cliForce != "" && !off(cliForce):
		return true
	case set("CLICOLOR") == "0", set("TERM") == "dumb":
		return false
	}
	return isTerminal(c.stdout)
}

// width is the terminal's, 80 in a pipe.
func (c *command) width() int {
	if w := terminalWidth(c.stdout); w > 0 {
		return w
	}
	if columns, ok := c.env("COLUMNS"); ok {
		if w, err := strconv.Atoi(columns); err == nil && w > 0 {
			return w
		}
	}
	return 80
}

// terminalWidth is 0 for what is no terminal.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}
