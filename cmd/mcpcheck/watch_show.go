package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
)

// show tells of a check: the first in full, later ones by what changed.
func (w *watcher) show(r report.Report) error {
	c, o := w.c, &w.o.options
	unmatched, err := c.excuse(&r, o)
	if err != nil {
		// A baseline is edited meanwhile, and may be wrong for a moment.
		exitCode(c.stderr, err)
	}
	if len(unmatched) > 0 && r.Diagnosis == nil && !r.Filtered {
		fmt.Fprintf(c.stderr, "the baseline %s lists what no result has: %s\n", o.baseline, join(unmatched))
	}
	if r.Incomplete != nil {
		r.Incomplete.Accepted = o.acceptIncomplete
	}
	before := w.before
	w.before = &r
	if err := c.writeOutputs(r, o, w.outputs); err != nil {
		return err
	}
	if err := w.publish(r); err != nil {
		return err
	}
	if !toTerminal(w.outputs) {
		return nil
	}
	if before == nil || before.Diagnosis != nil || r.Diagnosis != nil || o.verbose > 0 {
		return c.showReport(r, o)
	}
	return w.showChanges(*before, r)
}

// showChanges writes what got better or worse, new findings in full, and what it all amounts to now.
func (w *watcher) showChanges(before, after report.Report) error {
	t := w.c.terminalOptions(&w.o.options)
	d := report.Compare(before, after)
	if len(d.Worse)+len(d.Better)+len(d.Surface) > 0 {
		if err := report.RenderDiff(w.c.stdout, before, after, t); err != nil {
			return err
		}
		fmt.Fprintln(w.c.stdout)
	}
	told := map[string]bool{}
	for _, m := range d.Worse {
		if told[m.ID] {
			continue
		}
		told[m.ID] = true
		if err := report.RenderRequirement(w.c.stdout, after, m.ID, t); err != nil {
			return err
		}
		fmt.Fprintln(w.c.stdout)
	}
	t.Quiet = true
	return report.RenderTerminal(w.c.stdout, after, t)
}

// publish puts the report on the page of --open.
func (w *watcher) publish(r report.Report) error {
	if w.page == nil {
		return nil
	}
	format, _ := report.FormatByName("html")
	var page bytes.Buffer
	if err := format.Render(&page, r, renderings(&w.o.options)); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	w.page.Show(page.Bytes())
	return nil
}

// tell says on the page what is going on.
func (w *watcher) tell(status string) {
	if w.page != nil {
		w.page.Tell(report.Visible(status))
	}
}

// summary is what the last check amounts to, as the beginning of a sentence.
func (w *watcher) summary() string {
	if w.before == nil || w.failing != "" {
		return w.failing
	}
	return strings.ReplaceAll(w.before.Outcome, "-", " ") + "; "
}

// browse shows a page in the user's browser: $BROWSER, or what the system has. Where that does not work, the address has been said.
func (c *command) browse(url string) {
	opener := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if opener == nil {
		opener = []string{"xdg-open"}
	}
	if browser, set := c.env("BROWSER"); set && browser != "" {
		opener = []string{browser}
	}
	cmd := exec.CommandContext(context.Background(), opener[0], append(opener[1:], url)...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}
