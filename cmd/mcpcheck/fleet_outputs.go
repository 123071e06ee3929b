package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
)

// fleetOutputs writes the reports of a fleet: the page of a server as soon as it is checked, everything else at the end.
type fleetOutputs struct {
	c       *command
	o       *options
	outputs []output
	choices report.Options
	// pages are the folders beside the HTML reports in which each server has its page.
	pages []string
	// lines tells that each server had a line as soon as it was checked.
	lines bool
	// matrix are the reports of the page that compares servers; nil where it is that of a fleet.
	matrix []report.Report
}

// fleetOutputs makes the folders of pages, before a run that would be lost.
func (c *command) fleetOutputs(o *options, outputs []output) (*fleetOutputs, error) {
	w := &fleetOutputs{c: c, o: o, outputs: outputs, choices: renderings(o), lines: true}
	return w, w.makePages()
}

func (w *fleetOutputs) makePages() error {
	for _, out := range w.outputs {
		if out.format.Name != "html" || out.path == standardOutput {
			continue
		}
		dir := pagesOf(out.path)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return usagef(writableHint, "-o html=%s: %w", out.path, err)
		}
		w.pages = append(w.pages, dir)
	}
	return nil
}

// pagesOf is the folder of the pages of servers: all.html has all-servers.
func pagesOf(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + "-servers" }

var unplain = regexp.MustCompile(`[^A-Za-z0-9.]+`)

// pageName is the file of a server's page; the number tells apart what is called alike.
func pageName(i int, r report.Report) string {
	name := r.Target.Name
	if name == "" {
		_, name, _ = strings.Cut(r.Target.URL, "://")
	}
	name, _, _ = strings.Cut(name, "?")
	name = strings.Trim(unplain.ReplaceAllString(name, "-"), "-.")
	return fmt.Sprintf("%03d-%s.html", i+1, name[:min(len(name), 60)])
}

// page writes the page of a server.
func (w *fleetOutputs) page(i int, r report.Report) error {
	html, _ := report.FormatByName("html")
	for _, dir := range w.pages {
		if err := writeFile(filepath.Join(dir, pageName(i, r)), func(out io.Writer) error { return html.Render(out, r, w.choices) }); err != nil {
			return fmt.Errorf("writing the html report: %w", err)
		}
	}
	return nil
}

// link is the name of a server's page in the folder of the pages, "" where there are none.
func (w *fleetOutputs) link(i int, r report.Report) string {
	if len(w.pages) == 0 {
		return ""
	}
	return pageName(i, r)
}

// write writes what was asked for, and the summary for people where standard output is free.
func (w *fleetOutputs) write(f report.Fleet) error {
	var failed error
	free := true
	for _, out := range w.outputs {
		free = free && out.path != standardOutput
		if err := w.one(out, f); err != nil {
			failed = errors.Join(failed, fmt.Errorf("writing the %s report: %w", out.format.Name, err))
		}
	}
	to := w.c.stdout
	if !free {
		to = w.c.stderr
	}
	if w.lines && !w.o.quiet {
		fmt.Fprintln(to)
	}
	t := report.TerminalOptions{Color: free && w.c.color(w.o.color), Width: w.c.width(), Quiet: w.o.quiet, Strict: w.o.strict}
	if err := report.RenderFleetText(to, f, t); err != nil {
		failed = errors.Join(failed, fmt.Errorf("writing the report: %w", err))
	}
	return failed
}

func (w *fleetOutputs) one(out output, f report.Fleet) error {
	f.Servers = slices.Clone(f.Servers)
	for i := range f.Servers {
		if s := &f.Servers[i]; out.path == standardOutput {
			s.Page = ""
		} else if s.Page != "" {
			s.Page = filepath.Base(pagesOf(out.path)) + "/" + s.Page
		}
	}
	switch {
	case out.format.Name == "html" && w.matrix != nil:
		return w.matrixOut(out)
	case out.format.Name == "sarif":
		return w.sarif(out, f)
	case out.path == standardOutput:
		return out.format.RenderFleet(w.c.stdout, f, w.choices)
	}
	err := writeFile(out.path, func(to io.Writer) error { return out.format.RenderFleet(to, f, w.choices) })
	if err == nil && out.format.Name == "github" {
		err = w.c.appendSummary(func(to io.Writer) error { return report.RenderFleetMarkdown(to, f) })
	}
	return err
}

// sarif writes one file, or several where GitHub would refuse one for its size: all.sarif, all-2.sarif …
func (w *fleetOutputs) sarif(out output, f report.Fleet) error {
	if out.path == standardOutput {
		// One stream can only be one file; whoever reads it may take more than GitHub does.
		return report.RenderFleetSARIF(f, w.choices.SARIF, 0, func(_ int, render func(io.Writer) error) error { return render(w.c.stdout) })
	}
	files := 0
	err := report.RenderFleetSARIF(f, w.choices.SARIF, report.SARIFFileRuns, func(n int, render func(io.Writer) error) error {
		files = n
		return writeFile(numbered(out.path, n), render)
	})
	if files > 1 {
		fmt.Fprintf(w.c.stderr, "remark: the SARIF report has %d files, %s to %s: GitHub takes %d runs of one\n", files,
			out.path, numbered(out.path, files), report.SARIFFileRuns)
	}
	return err
}

func numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	ext := filepath.Ext(path)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), n, ext)
}
