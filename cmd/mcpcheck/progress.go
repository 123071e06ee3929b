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

// progress shows one line on a terminal while a run lasts, and nothing in a pipe.
type progress struct {
	w io.Writer

	mu    sync.Mutex
	shown bool
	last  time.Time
}

// refresh is how often the line changes: often enough to look alive, seldom enough not to flicker.
const refresh = 100 * time.Millisecond

func (c *command) progress(o *options) *progress {
	if o.quiet || !isTerminal(c.stderr) {
		return &progress{}
	}
	return &progress{w: c.stderr, last: time.Now()}
}

func (p *progress) show(now suites.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil || time.Since(p.last) < refresh {
		return
	}
	p.last, p.shown = time.Now(), true
	fmt.Fprintf(p.w, "\r%s, %d of %d conversations\x1b[K", now.Phase, now.Done, now.Total)
}

func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
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
	if v, ok := c.env("NO_COLOR"); ok && v != "" {
		return false
	}
	if v, _ := c.env("TERM"); v == "dumb" {
		return false
	}
	return isTerminal(c.stdout)
}

// width is the terminal's, 80 in a pipe.
func (c *command) width() int {
	if f, ok := c.stdout.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	if columns, ok := c.env("COLUMNS"); ok {
		if w, err := strconv.Atoi(columns); err == nil && w > 0 {
			return w
		}
	}
	return 80
}
