package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/mcpcheck/mcpcheck/fleet"
	"github.com/mcpcheck/mcpcheck/report"
)

const reportHint = "mcpcheck -o json=FILE URL writes a JSON report"

// fleetBeginning is how much of a file tells whether it is the report of a fleet.
const fleetBeginning = 512

// severalReports tells whether files tell of more than one server: there are several, or the one is the report of a fleet.
func (c *command) severalReports(paths []string) (bool, error) {
	if len(paths) > 1 {
		return true, nil
	}
	if paths[0] == standardOutput {
		in := bufio.NewReaderSize(c.stdin, fleetBeginning)
		c.stdin = in
		beginning, _ := in.Peek(fleetBeginning)
		return report.IsFleet(beginning), nil
	}
	in, err := os.Open(paths[0])
	if err != nil {
		return false, usagef(reportHint, "%w", err)
	}
	defer in.Close()
	beginning, _ := bufio.NewReaderSize(in, fleetBeginning).Peek(fleetBeginning)
	return report.IsFleet(beginning), nil
}

// reportFleet is mcpcheck report with several reports or that of a fleet. Each report is kept in a file of its own meanwhile, so that
// there is never more than one in memory. Only the matrix of servers and requirements, the page of reports that stand for themselves, wants
// all of them.
func (c *command) reportFleet(paths []string, o *options, outputs []output) error {
	if o.baseline != "" || o.writeBaseline != "" {
		return usagef("give each server its own in the configuration of the run: baseline: FILE", "a baseline is of one server")
	}
	store, err := fleet.Open("")
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	defer c.interrupts.onExit(func() { _ = store.Close() })()
	w := &fleetOutputs{c: c, o: o, outputs: outputs, choices: renderings(o)}
	all := report.Fleet{Tool: report.Tool{Name: "mcpcheck", Version: version()}}
	matrix := true
	key := func(i int) string { return "report-" + strconv.Itoa(i) }
	take := func(s report.FleetServer, r report.Report) error {
		if r.Incomplete != nil {
			r.Incomplete.Accepted = r.Incomplete.Accepted || o.acceptIncomplete
		}
		code := wanted(r, s.Expected, outcome(r, o.strict))
		if s.Exit == exitUsage {
			code = max(code, exitUsage) // of its baseline, which is not in the report
		}
		if err := store.Put(key(len(all.Servers)), r, true, report.JSONOptions{AllEvidence: true}); err != nil {
			return err
		}
		all.Add(report.Summarise(r, code, s.Expected, asExpected(r, s.Expected)))
		if all.Started.IsZero() || r.Started.Before(all.Started) {
			all.Started = r.Started
		}
		return nil
	}
	var until time.Time
	var only report.Fleet // the head of a fleet that stands for itself
	for _, path := range paths {
		head, fleet, err := c.readReports(path, take)
		if err != nil {
			return err
		}
		if fleet {
			matrix, only = false, head
			until = later(until, head.Started.Add(time.Duration(head.DurationMS)*time.Millisecond))
			all.Interrupted = all.Interrupted || head.Interrupted
		}
	}
	all.Open = func(i int) (report.Report, error) { return store.Get(key(i), true) }
	for i := range all.Servers {
		until = later(until, all.Servers[i].Started.Add(time.Duration(all.Servers[i].DurationMS)*time.Millisecond))
	}
	if all.DurationMS = until.Sub(all.Started).Milliseconds(); !matrix && len(paths) == 1 {
		all.Started, all.DurationMS = only.Started, only.DurationMS
	}
	switch {
	case !wantsHTML(outputs):
	case matrix:
		w.matrix, err = matrixOf(&all)
	default:
		err = w.allPages(&all)
	}
	if err != nil {
		return err
	}
	if err := w.write(all); err != nil {
		return err
	}
	if code := all.Exit(); code != exitOK {
		return exitError(code)
	}
	return nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// matrixOf reads all reports.
func matrixOf(all *report.Fleet) ([]report.Report, error) {
	var reports []report.Report
	for i := range all.Servers {
		r, err := all.Open(i)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// readReports hands over the reports in a file, and tells whether it is that of a fleet.
func (c *command) readReports(path string, take func(report.FleetServer, report.Report) error) (head report.Fleet, isFleet bool, err error) {
	var in *bufio.Reader
	if path == standardOutput {
		in = bufio.NewReaderSize(c.stdin, fleetBeginning)
	} else {
		f, err := os.Open(path)
		if err != nil {
			return head, false, usagef(reportHint, "%w", err)
		}
		defer f.Close()
		in = bufio.NewReader(f)
	}
	var ours error
	beginning, _ := in.Peek(fleetBeginning)
	if report.IsFleet(beginning) {
		head, err = report.ReadFleetJSON(in, func(s report.FleetServer, r report.Report) error {
			ours = take(s, r)
			return ours
		})
		isFleet = true
	} else {
		var r report.Report
		if r, err = report.ReadJSON(in); err == nil {
			ours = take(report.FleetServer{}, r)
		}
	}
	switch {
	case ours != nil:
		return head, isFleet, ours
	case err != nil:
		return head, isFleet, usagef(reportHint, "%s: %w", path, err)
	}
	return head, isFleet, nil
}

// allPages writes the page of every server.
func (w *fleetOutputs) allPages(f *report.Fleet) error {
	if err := w.makePages(); err != nil || len(w.pages) == 0 {
		return err
	}
	var failed error
	for i := range f.Servers {
		r, err := f.Open(i)
		if err == nil {
			err = w.page(i, r)
		}
		failed = errors.Join(failed, err)
		f.Servers[i].Page = w.link(i, r)
	}
	return failed
}

// matrixOut writes the matrix in place of the page of a fleet.
func (w *fleetOutputs) matrixOut(out output) error {
	render := func(to io.Writer) error { return report.RenderHTMLMatrix(to, w.matrix) }
	if out.path == standardOutput {
		return render(w.c.stdout)
	}
	return writeFile(out.path, render)
}

func wantsHTML(outputs []output) bool {
	return slices.ContainsFunc(outputs, func(out output) bool { return out.format.Name == "html" })
}
