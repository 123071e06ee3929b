package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/config"
	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/specs"
)

// command is one invocation: its streams and environment, handed in so that tests need no process.
type command struct {
	interrupts     *interrupts
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) (string, bool)
	// variables lists the whole environment, NAME=value; nil where nobody asks.
	variables func() []string
	// judging judges the cells of a record; nil: package specs does.
	judging func([]*suites.Cell) []kit.Result
}

// run dispatches to the subcommands and returns the exit code.
func (c *command) run(args []string) int {
	subcommands := map[string]func([]string) error{
		"checklist": c.checklist, "report": c.report, "diff": c.diff, "serve": c.serve, "list": c.list, "explain": c.explain, "judge": c.judge, "help": c.help,
		"migrate": c.migrate, "schema": c.schema, "init": c.initialise, "watch": c.watch, "client": c.client, "completion": c.completion, "man": c.manual, "version": c.version,
	}
	sub := c.check
	if i := firstWord(args); i >= 0 && subcommands[args[i]] != nil {
		// Flags may stand before the command as well as behind it.
		sub, args = subcommands[args[i]], slices.Delete(slices.Clone(args), i, i+1)
	}
	c.misspelt()
	return exitCode(c.stderr, sub(args))
}

// commands are the names that a usage text tells about.
func commands() []string {
	return []string{"checklist", "watch", "client", "migrate", "init", "serve", "list", "explain", "judge", "report", "diff", "schema", "completion", "man", "version"}
}

// check is the main job: mcpcheck [flags] [URL].
func (c *command) check(args []string) error { return c.checkServer("mcpcheck", args, &options{}) }

// checklist is mcpcheck checklist: the same run, told in the order in which people check by hand.
func (c *command) checklist(args []string) error {
	return c.checkServer("mcpcheck checklist", args, &options{checklist: true})
}

func (c *command) checkServer(name string, args []string, o *options) error {
	flags := checkFlags(o)
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(name))
	case o.version:
		return c.version(nil)
	}
	cfg, chosen, server, err := c.meant(flags, o)
	if err != nil {
		return err
	}
	switch {
	case len(chosen) > 1 && flags.ArgsLenAtDash() >= 0:
		return usagef("name the one server that it starts", "-- COMMAND starts one server, and %d are to be checked", len(chosen))
	case len(chosen) > 1 && o.checklist:
		return usagef("name one server, or choose it with --target", "the checklist tells of one server, and there are %d", len(chosen))
	case len(chosen) > 1:
		return c.checkFleet(args, o, cfg, chosen)
	}
	targets, err := settle(flags, o, cfg, chosen)
	if err != nil {
		return err
	}
	return c.checkOne(flags, o, targets, server)
}

// meant are the servers that the arguments and the configuration mean, and the command that starts one.
func (c *command) meant(flags *pflag.FlagSet, o *options) (cfg *config.Config, chosen []config.Target, server []string, err error) {
	urls := flags.Args()
	if dash := flags.ArgsLenAtDash(); dash >= 0 {
		urls, server = urls[:dash], urls[dash:]
	}
	if cfg, err = c.configuration(o); err != nil {
		return nil, nil, nil, err
	}
	if err := apply(flags, o, cfg.Path, cfg.Run); err != nil {
		return nil, nil, nil, err
	}
	chosen, err = c.chosen(o, cfg, urls)
	return cfg, chosen, server, err
}

// settle applies what the configuration says of the one server that is chosen, or of all, and returns its URL.
func settle(flags *pflag.FlagSet, o *options, cfg *config.Config, chosen []config.Target) (targets []string, err error) {
	settings := cfg.Defaults
	if len(chosen) == 1 {
		t := chosen[0]
		settings, targets = cfg.Of(t), []string{t.URL}
		o.name, o.group, o.expect = t.Name, t.Group, t.Expect
	}
	return targets, apply(flags, o, cfg.Path, settings)
}

// checkOne checks one server, or the bundled one where no target is named.
func (c *command) checkOne(flags *pflag.FlagSet, o *options, targets, server []string) error {
	outputs, err := reporting(o)
	if err != nil {
		return err
	}
	suite, err := suites.New(eras.All()...)
	if err != nil {
		return err
	}
	if o.checklist {
		o.items = suite.Checklist()
	}
	o.more = moreOfRun(flags, targets, server)
	return c.perform(suite, flags, o, targets, server, func(record *suites.Record) error {
		return c.conclude(suite, record, o, outputs)
	})
}

// perform runs one server, or the bundled one where no target is named, and hands the record to conclude; where there is a command that
// starts the server, it runs meanwhile.
func (c *command) perform(suite *suites.Suite, flags *pflag.FlagSet, o *options, targets, server []string, conclude func(*suites.Record) error) error {
	run, err := c.prepare(suite, o, targets)
	if err != nil {
		return err
	}
	switch {
	case len(targets) == 0 && len(server) > 0 && !strings.Contains(server[0], "://"):
		return stdioOnly(server)
	case flags.ArgsLenAtDash() >= 0 && (len(server) == 0 || len(targets) == 0):
		return usagef("write it as "+flags.Name()+" [flags] URL -- COMMAND [ARGUMENTS]", "-- wants the URL before it, and the command that starts the server behind it")
	case len(targets) == 0:
		stop, err := c.reference(run)
		if err != nil {
			return err
		}
		defer stop()
	}
	ctx, release := c.interrupts.context()
	defer release()
	progress := c.progress(o)
	started, err := c.await(ctx, run, o, server, progress)
	if err != nil {
		return err
	}
	if started != nil {
		defer started.stop()
		run.Child = started
	}
	run.Progress = progress.teller()
	record, err := suites.Run(ctx, suite, *run)
	release()
	progress.clear()
	if err != nil {
		return err
	}
	defer record.Close()
	defer c.interrupts.onExit(func() { _ = record.Close() })()
	if started != nil && record.Survey.Diagnosis != nil {
		how, ended := started.current.ended()
		if ended {
			how = " (" + how + ")"
		}
		fmt.Fprintf(c.stderr, "%s%s\n", report.Visible(started.current.said()), how)
	}
	if missing, listed := record.UnlistedCalls(suite); len(missing) > 0 {
		fmt.Fprintf(c.stderr, "warning: --call: the server lists no tool %s; it lists %s\n",
			report.Visible(strings.Join(missing, ", ")), report.Visible(strings.Join(listed[:min(len(listed), 10)], ", ")))
	}
	if o.transcript == "" {
		return conclude(record)
	}
	// The report is worth having even when the transcript is lost; the loss decides the exit code.
	saved := named(record.Save(o.transcript), o.transcript)
	if err := conclude(record); saved == nil {
		return err
	}
	return fmt.Errorf("writing the transcript: %w", saved)
}

// reporting checks the choices that concern the report.
func reporting(o *options) ([]output, error) {
	if choices := []string{colorAuto, colorAlways, colorNever}; !slices.Contains(choices, o.color) {
		return nil, usagef("choose from "+strings.Join(choices, ", "), "--color %q is not known", o.color)
	}
	if err := baselines(o); err != nil {
		return nil, err
	}
	outputs, err := parseOutputs(o.outputs)
	if err != nil {
		return nil, err
	}
	if err := formatChoices(o, outputs); err != nil {
		return nil, err
	}
	for _, out := range outputs {
		if out.path == o.transcript {
			return nil, usagef("give each file a path of its own", "the transcript and a report cannot both go to %s", out.path)
		}
	}
	return outputs, nil
}

// conclude judges a record and reports; the exit code follows from the report.
func (c *command) conclude(suite *suites.Suite, record *suites.Record, o *options, outputs []output) error {
	r := c.judged(suite, record)
	r.Target.Name, r.Target.Group = o.name, o.group
	timed := c.writeTimings(record, o.timings)
	if err := c.deliver(r, o, outputs); timed == nil {
		return err
	}
	return fmt.Errorf("writing the timings: %w", timed)
}

// judged judges a record.
func (c *command) judged(suite *suites.Suite, record *suites.Record) report.Report {
	judging := specs.Judge
	if c.judging != nil {
		judging = c.judging
	}
	return record.Report(suite, judging(record.Cells(suite)))
}

// deliver applies the baseline to a report and writes it.
func (c *command) deliver(r report.Report, o *options, outputs []output) error {
	unmatched, err := c.excuse(&r, o)
	if err != nil {
		return err
	}
	if r.Incomplete != nil {
		r.Incomplete.Accepted = o.acceptIncomplete
	}
	if err := c.writeReports(r, o, outputs); err != nil {
		return err
	}
	if len(unmatched) > 0 && r.Diagnosis == nil && !r.Interrupted && !r.Filtered {
		return usagef("take it out, or mend the id or revision: mcpcheck list shows the ids, the report the revisions that are spoken",
			"the baseline %s lists what no result has: %s", o.baseline, join(unmatched))
	}
	if code := wanted(r, o.expect, outcome(r, o.strict)); code != exitOK {
		if !asExpected(r, o.expect) {
			fmt.Fprintf(c.stderr, "expected: %s, and it is %s\n", o.expect, r.Outcome)
		}
		return exitError(code)
	}
	return nil
}

// reference starts the bundled server in this process, on a loopback port, and points the run at it.
func (c *command) reference(run *suites.Options) (stop func(), err error) {
	config, err := serverConfig(serveOptions{})
	if err != nil {
		return nil, err
	}
	server, err := refserver.New(config)
	if err != nil {
		return nil, fmt.Errorf("starting the reference server: %w", err)
	}
	running, err := refserver.Listen("127.0.0.1:0", server)
	if err != nil {
		return nil, fmt.Errorf("starting the reference server: %w", err)
	}
	run.Client.URL = running.URL
	return func() { running.Close() }, nil
}
