package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/migration"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

// migrateOptions are those of mcpcheck migrate.
type migrateOptions struct {
	options
	sdks []string
}

// migrateFlags are those of a run that concern the server, and its own: what is judged is not chosen, since every part would be missing.
func migrateFlags(o *migrateOptions) *pflag.FlagSet {
	f := newFlags("mcpcheck migrate")
	f.StringArrayVar(&o.sdks, "sdk", nil, "")
	run := checkFlags(&o.options)
	for _, name := range []string{
		"header", "call", "timeout", "window", "concurrency", "wait", "max-time", "insecure", "ca-cert", "config", "no-config", "target",
		"output", "transcript", "color", "no-color", "quiet", "verbose",
	} {
		f.AddFlag(run.Lookup(name))
	}
	return f
}

// migrate is mcpcheck migrate [URL|FILE]: the way of a server to 2026-07-28, in steps.
func (c *command) migrate(args []string) error {
	o := &migrateOptions{}
	flags := migrateFlags(o)
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	}
	m := &migrating{c: c, o: o}
	if m.way, err = migration.Load(); err != nil {
		return err
	}
	for _, name := range o.sdks {
		if !slices.Contains(m.way.SDKNames(), name) {
			return usagef("choose from "+strings.Join(m.way.SDKNames(), ", "), "--sdk %q is not known", name)
		}
	}
	if m.outputs, err = reporting(&o.options); err != nil {
		return err
	}
	for _, out := range m.outputs {
		if !slices.Contains(report.MigrationFormats(), out.format.Name) {
			return usagef("choose from "+strings.Join(report.MigrationFormats(), ", "), "a migration is not written as %s", out.format.Name)
		}
	}
	if m.suite, err = suites.New(eras.All()...); err != nil {
		return err
	}
	if flags.NArg() == 1 && flags.ArgsLenAtDash() < 0 && isFile(flags.Arg(0)) {
		return m.ofFile(flags.Arg(0))
	}
	cfg, chosen, server, err := c.meant(flags, &o.options)
	if err != nil {
		return err
	}
	if len(chosen) > 1 {
		return usagef("name one server, or choose it with --target", "a way is that of one server, and there are %d", len(chosen))
	}
	targets, err := settle(flags, &o.options, cfg, chosen)
	if err != nil {
		return err
	}
	return c.perform(m.suite, flags, &o.options, targets, server, m.ofRecord)
}

// isFile tells that an argument is a file, or standard input, and not a URL.
func isFile(arg string) bool {
	if arg == standardOutput {
		return true
	}
	info, err := os.Stat(arg)
	return err == nil && info.Mode().IsRegular() && !strings.Contains(arg, "://")
}

// migrating is one invocation of mcpcheck migrate.
type migrating struct {
	c       *command
	o       *migrateOptions
	way     *migration.Way
	suite   *suites.Suite
	outputs []output
}

// ofFile tells the way of the server that a JSON report or a transcript is about.
func (m *migrating) ofFile(path string) error {
	const hint = "migrate takes a URL, a JSON report (mcpcheck -o json=FILE URL) or a transcript (mcpcheck --transcript FILE URL)"
	in, err := m.c.transcriptFile(path)
	if err != nil {
		return usagef(hint, "%w", err)
	}
	defer in.Close()
	switch {
	case in.client:
		return usagef(hint, "%s tells of a client", path)
	case bytes.Contains(in.first, []byte(`"mcpcheck.transcript/`)):
		record, err := suites.Load(in)
		if err != nil {
			return usagef(transcriptHint, "%s: %w", path, err)
		}
		defer record.Close()
		return m.ofRecord(record)
	}
	r, err := report.ReadJSON(in)
	switch {
	case err != nil:
		return usagef(hint, "%s: %w", path, err)
	case r.Target.Client != nil:
		return usagef(hint, "%s tells of a client", path)
	}
	return m.deliver(r, nil)
}

func (m *migrating) ofRecord(record *suites.Record) error {
	return m.deliver(m.c.judged(m.suite, record), migration.Discovered(record.Survey.Transcript))
}

// deliver writes the way, and says by the exit code whether anything is left of it.
func (m *migrating) deliver(r report.Report, probe *migration.Answer) error {
	way := m.way.Plan(r, migration.Choice{SDKs: m.o.sdks, Probe: probe})
	var failed error
	for _, out := range m.outputs {
		render := func(w io.Writer) error {
			return report.RenderMigrationAs(out.format.Name, w, way, report.TerminalOptions{Verbose: m.o.verbose})
		}
		var err error
		if out.path == standardOutput {
			err = render(m.c.stdout)
		} else {
			err = writeFile(out.path, render)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("writing the way as %s: %w", out.format.Name, err))
		}
	}
	if toTerminal(m.outputs) {
		t := report.TerminalOptions{Color: m.c.color(m.o.color), Width: m.c.width(), Verbose: m.o.verbose, Quiet: m.o.quiet}
		if err := report.RenderMigration(m.c.stdout, way, t); err != nil {
			failed = errors.Join(failed, fmt.Errorf("writing the way: %w", err))
		}
	}
	if failed != nil {
		return failed
	}
	if code := migrationOutcome(r, way); code != exitOK {
		return exitError(code)
	}
	return nil
}

// migrationOutcome is the exit code that a way stands for.
func migrationOutcome(r report.Report, way report.Migration) int {
	switch code := outcome(r, false); {
	case code == exitInterrupted, code == exitInternal, r.Diagnosis != nil:
		return code
	case way.Outcome == report.MigrationLeft:
		return exitFailed
	case code == exitUntestable:
		// What was not looked at may be left to do.
		return code
	}
	return exitOK
}
