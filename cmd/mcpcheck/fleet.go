package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/config"
	"github.com/mcpcheck/mcpcheck/fleet"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

// A member is one server of a fleet, with the options that hold for it.
type member struct {
	target  config.Target
	options *options
	run     *suites.Options
	// key names its report in the store.
	key string
}

// title is what the member is called while it runs; a key in its URL stays out.
func (m *member) title() string {
	if m.target.Name != "" {
		return m.target.Name
	}
	return shown(m.target.URL)
}

// fleetRun is a fleet under way.
type fleetRun struct {
	c       *command
	suite   *suites.Suite
	members []*member
	store   *fleet.Store
	outputs *fleetOutputs
	board   *board
	json    report.JSONOptions
	// writing: reports are written one at a time, since each takes several times its size meanwhile.
	writing sync.Mutex
	// mu guards what follows: results come from several goroutines.
	mu        sync.Mutex
	summaries []*report.FleetSummary // by member, nil until it is checked
	whole     []bool                 // the stored report is one that came to its end
	failed    error                  // of this machine: a full disk
}

// checkFleet checks several servers at once and tells of all of them together.
func (c *command) checkFleet(args []string, o *options, cfg *config.Config, chosen []config.Target) error {
	switch {
	case o.transcript != "":
		return usagef("check the one server whose transcript you want", "a transcript is of one server, and there are %d", len(chosen))
	case len(o.timings) > 0:
		return usagef("check the one server whose timings you want", "timings are of one run, and there are %d servers", len(chosen))
	case o.writeBaseline != "" || o.baseline != "":
		return usagef("give each target its own in the configuration: baseline: FILE", "a baseline is of one server, and there are %d", len(chosen))
	case o.parallel < 1 || o.inFlight < 1 || o.perHost < 0:
		return usagef("--parallel and --in-flight are 1 or more", "--parallel %d, --in-flight %d, --per-host %d", o.parallel, o.inFlight, o.perHost)
	}
	outputs, err := reporting(o)
	if err != nil {
		return err
	}
	suite, err := suites.New(eras.All()...)
	if err != nil {
		return err
	}
	members, err := c.members(suite, args, o, cfg, chosen)
	if err != nil {
		return err
	}
	store, err := fleet.Open(o.resume)
	if err != nil {
		return usagef("--resume DIR is a folder that you may write to", "%w", err)
	}
	defer func() { _ = store.Close() }()
	defer c.interrupts.onExit(func() { _ = store.Close() })()
	f := &fleetRun{
		c: c, suite: suite, members: members, store: store, board: c.board(o, outputs, len(members)),
		json: report.JSONOptions{AllEvidence: o.evidence == evidenceAll}, summaries: make([]*report.FleetSummary, len(members)), whole: make([]bool, len(members)),
	}
	if f.outputs, err = c.fleetOutputs(o, outputs); err != nil {
		return err
	}
	c.aim(fleetAim)
	started := time.Now()
	ctx, release := c.interrupts.context()
	begun := fleet.Run(ctx, len(members), o.parallel, f.check)
	release()
	f.board.end()
	for i := begun; i < len(members); i++ {
		f.add(i, f.unchecked(members[i]), false)
	}
	if f.failed != nil {
		return f.failed
	}
	return f.tell(o, started)
}

// members are the options of each server: those of the command line, and beneath them its own and the defaults of the configuration.
func (c *command) members(suite *suites.Suite, args []string, o *options, cfg *config.Config, chosen []config.Target) ([]*member, error) {
	shared := client.NewShared(min(o.parallel, len(chosen)), o.inFlight, func(host string) int {
		switch {
		case o.perHost > 0:
			return o.perHost
		case client.IsLoopback(host):
			return perHostHere
		}
		return perHostElsewhere
	})
	var all []*member
	for _, t := range chosen {
		m := &member{target: t, options: &options{}}
		flags := checkFlags(m.options)
		if _, err := c.parse(flags, args); err != nil {
			return nil, err
		}
		of := func(err error) error {
			var mistake *usageError
			if errors.As(err, &mistake) {
				return usagef(mistake.hint, "%s: %w", m.title(), mistake.err)
			}
			return fmt.Errorf("%s: %w", m.title(), err)
		}
		if err := apply(flags, m.options, cfg.Path, cfg.Of(t)); err != nil {
			return nil, err
		}
		if err := baselines(m.options); err != nil {
			return nil, of(err)
		}
		run, err := c.prepare(suite, m.options, []string{t.URL})
		if err != nil {
			return nil, of(err)
		}
		run.Client.Shared = shared
		if run.Client.Concurrency == 0 {
			// Each has its share, so that one that hangs takes nothing from the others.
			run.Client.Concurrency = max(1, min(o.inFlight/min(o.parallel, len(chosen)), perHostElsewhere))
		}
		m.run, m.options.name, m.options.group, m.options.expect = run, t.Name, t.Group, t.Expect
		m.key = fleet.Key(t.URL, t.Name, version(), fmt.Sprint(run.Selection), strings.Join(slices.Sorted(maps.Keys(run.Client.Header)), ","), m.options.evidence)
		all = append(all, m)
	}
	return all, nil
}

// Requests in flight to one host, where --per-host does not say: on this machine there is often more than one server.
const (
	perHostHere      = 48
	perHostElsewhere = 8
)

// check checks one server, unless a run before this has.
func (f *fleetRun) check(ctx context.Context, i int) {
	m := f.members[i]
	r, err := f.store.Get(m.key, true)
	// What could not be tested then may be now, and costs a few requests.
	if err == nil && r.Diagnosis == nil {
		f.add(i, r, true)
		return
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.board.remark(fmt.Sprintf("%s is checked again: %v", m.title(), err))
	}
	f.board.begin(i, m.title())
	r, err = f.perform(ctx, i, m)
	if err != nil {
		r = report.Finish(report.Report{Tool: m.run.Tool, Target: target(m), Results: []report.Result{}, Started: time.Now(), Diagnosis: &report.Diagnosis{
			Kind: diagnosisInternal, Seen: "mcpcheck could not begin: " + err.Error(), Why: "this is a fault of mcpcheck or of this machine, not of the server",
		}})
	}
	f.add(i, r, err == nil && !r.Interrupted)
}

// diagnosisInternal is the kind of a diagnosis that is about mcpcheck itself.
const diagnosisInternal = "internal"

func target(m *member) report.Target {
	return report.Target{Name: m.target.Name, Group: m.target.Group, URL: shown(m.target.URL), Eras: []string{}, Revisions: []string{}}
}

// unchecked is the report of a server whose turn did not come.
func (f *fleetRun) unchecked(m *member) report.Report {
	return report.Finish(report.Report{Tool: m.run.Tool, Target: target(m), Results: []report.Result{}, Started: time.Now(), Interrupted: true})
}

// perform records and judges one server. Judging goes without Ginkgo, which can judge one at a time; both ways give the same results.
func (f *fleetRun) perform(ctx context.Context, i int, m *member) (report.Report, error) {
	if _, err := f.c.await(ctx, m.run, m.options, nil, nil); err != nil {
		return report.Report{}, err
	}
	run := *m.run
	run.Progress = f.board.teller(i)
	record, err := suites.Run(ctx, f.suite, run)
	if err != nil {
		return report.Report{}, err
	}
	defer record.Close()
	if missing, _ := record.UnlistedCalls(f.suite); len(missing) > 0 {
		f.board.remark(fmt.Sprintf("%s lists no tool %s", m.title(), strings.Join(missing, ", ")))
	}
	return record.Report(f.suite, record.JudgeAll(f.suite)), nil
}

// finish applies what is the user's to a report: names, the baseline, what may be incomplete. It is done whenever a report is read, so
// that a changed baseline counts for what was kept, too.
func (f *fleetRun) finish(m *member, r report.Report) (report.Report, []report.Excuse, error) {
	r.Target.Name, r.Target.Group = m.target.Name, m.target.Group
	unmatched, err := f.c.excuse(&r, m.options)
	if r.Incomplete != nil {
		r.Incomplete.Accepted = m.options.acceptIncomplete
	}
	return r, unmatched, err
}

// add keeps a report, tells of it, and lets go of it.
func (f *fleetRun) add(i int, raw report.Report, whole bool) {
	m := f.members[i]
	r, unmatched, err := f.finish(m, raw)
	f.writing.Lock()
	if err == nil {
		err = f.store.Put(m.key, raw, whole, f.json)
	}
	if err == nil {
		err = f.outputs.page(i, r)
	}
	f.writing.Unlock()
	code := wanted(r, m.options.expect, outcome(r, m.options.strict))
	if len(unmatched) > 0 && r.Diagnosis == nil && !r.Interrupted && !r.Filtered {
		f.board.remark(fmt.Sprintf("%s: the baseline %s lists what no result has: %s", m.title(), m.options.baseline, join(unmatched)))
		code = max(code, exitUsage)
	}
	s := report.Summarise(r, code, m.options.expect, asExpected(r, m.options.expect))
	s.Server.Page = f.outputs.link(i, r)
	f.mu.Lock()
	f.summaries[i], f.whole[i] = &s, whole
	f.failed = errors.Join(f.failed, err)
	f.mu.Unlock()
	f.board.done(i, s.Server)
}

// tell writes the reports of all.
func (f *fleetRun) tell(o *options, started time.Time) error {
	all := report.Fleet{Tool: report.Tool{Name: "mcpcheck", Version: version()}, Started: started, DurationMS: time.Since(started).Milliseconds()}
	for _, s := range f.summaries {
		all.Add(*s)
	}
	all.Open = func(i int) (report.Report, error) {
		r, err := f.store.Get(f.members[i].key, f.whole[i])
		if err != nil {
			return r, err
		}
		r, _, err = f.finish(f.members[i], r)
		return r, err
	}
	if err := f.outputs.write(all); err != nil {
		return err
	}
	if code := all.Exit(); code != exitOK {
		return exitError(code)
	}
	return nil
}
