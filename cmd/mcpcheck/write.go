package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
)

// writeReports writes the reports that were asked for. Without one for standard output the terminal report goes there.
func (c *command) writeReports(r report.Report, o *options, outputs []output) error {
	failed := c.writeOutputs(r, o, outputs)
	if toTerminal(outputs) {
		if err := c.showReport(r, o); err != nil {
			failed = errors.Join(failed, fmt.Errorf("writing the report: %w", err))
		}
	}
	return failed
}

// toTerminal tells that standard output is free for people.
func toTerminal(outputs []output) bool {
	return !slices.ContainsFunc(outputs, func(out output) bool { return out.path == standardOutput })
}

// showReport writes the report for people to standard output.
func (c *command) showReport(r report.Report, o *options) error {
	render := report.RenderTerminal
	if o.checklist {
		render = report.RenderChecklist
	}
	return render(c.stdout, r, c.terminalOptions(o))
}

func (c *command) terminalOptions(o *options) report.TerminalOptions {
	return report.TerminalOptions{
		Color: c.color(o.color), Width: c.width(), Verbose: o.verbose, Quiet: o.quiet, Strict: o.strict, More: o.more, Checklist: o.items,
	}
}

// writeOutputs writes what -o asks for.
func (c *command) writeOutputs(r report.Report, o *options, outputs []output) error {
	var failed error
	choices := renderings(o)
	for _, out := range outputs {
		var err error
		if out.path == standardOutput {
			err = out.format.Render(c.stdout, r, choices)
		} else {
			err = writeFile(out.path, func(w io.Writer) error { return out.format.Render(w, r, choices) })
		}
		if err == nil && out.format.Name == "github" {
			err = c.jobSummary(r, choices)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("writing the %s report: %w", out.format.Name, err))
		}
	}
	return failed
}

// renderings are the choices of all formats.
func renderings(o *options) report.Options {
	return report.Options{
		JUnit: report.JUnitOptions{Strict: o.strict}, Terminal: report.TerminalOptions{Verbose: o.verbose, Strict: o.strict, More: o.more},
		SARIF: report.SARIFOptions{Location: o.sarifLocation}, JSON: report.JSONOptions{AllEvidence: o.evidence == evidenceAll},
	}
}

// jobSummary appends the Markdown report to the summary of a GitHub Actions job, where there is one.
func (c *command) jobSummary(r report.Report, o report.Options) error {
	markdown, _ := report.FormatByName("markdown")
	return c.appendSummary(func(w io.Writer) error { return markdown.Render(w, r, o) })
}

// appendSummary appends Markdown to the summary of a GitHub Actions job, where there is one.
func (c *command) appendSummary(render func(io.Writer) error) error {
	path, ok := c.env("GITHUB_STEP_SUMMARY")
	if !ok || path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(render(f), f.Close())
}

// writeFile puts a file in place only once it is complete: a failed run does not destroy a good report.
func writeFile(path string, render func(io.Writer) error) error {
	// What is no regular file (/dev/stdout, a pipe) can only be written to.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(render(f), f.Close())
	}
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	if err = errors.Join(render(f), f.Close()); err == nil {
		if err = os.Chmod(f.Name(), 0o644); err == nil {
			err = os.Rename(f.Name(), path)
		}
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return named(err, path)
}

// createBeside creates a temporary file in the folder of path.
func createBeside(path string) (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	return f, named(err, path)
}

// named tells an error of a temporary file by the path that the user gave: the other name means nothing to anybody.
func named(err error, path string) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &file):
		err = file.Err
	case errors.As(err, &link):
		err = link.Err
	default:
		return err
	}
	return &fs.PathError{Op: "write", Path: path, Err: err}
}

// writeTimings writes where the time of a run went: traces into files that end in .json, and else a table.
func (c *command) writeTimings(record *suites.Record, paths []string) error {
	var failed error
	for _, path := range paths {
		render := report.RenderTimings
		if filepath.Ext(path) == ".json" {
			render = report.RenderTrace
		}
		if path == standardOutput {
			failed = errors.Join(failed, render(c.stderr, record.Timings()))
			continue
		}
		failed = errors.Join(failed, writeFile(path, func(w io.Writer) error { return render(w, record.Timings()) }))
	}
	return failed
}
