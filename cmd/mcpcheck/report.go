package main

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/report"
)

func convertFlags(o *options) *pflag.FlagSet {
	f := newFlags("mcpcheck report")
	reportFlags(f, o)
	return f
}

// report is mcpcheck report FILE: a JSON report in any other format, and its exit code.
func (c *command) report(args []string) error {
	var o options
	flags := convertFlags(&o)
	help, err := parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() != 1:
		return usagef("mcpcheck report FILE; mcpcheck -o json=FILE URL writes one", "report takes one JSON report, not %d", flags.NArg())
	}
	outputs, err := reporting(&o)
	if err != nil {
		return err
	}
	r, err := c.readReport(flags.Arg(0))
	if err != nil {
		return err
	}
	return c.deliver(r, &o, outputs)
}

// readReport reads a JSON report; a path of - is standard input.
func (c *command) readReport(path string) (report.Report, error) {
	const hint = "mcpcheck -o json=FILE URL writes a JSON report"
	in := c.stdin
	if path != standardOutput {
		f, err := os.Open(path)
		if err != nil {
			return report.Report{}, usagef(hint, "%w", err)
		}
		defer f.Close()
		in = f
	}
	r, err := report.ReadJSON(in)
	if err != nil {
		return report.Report{}, usagef(hint, "%s: %w", path, err)
	}
	return r, nil
}

func diffFlags(o *options) *pflag.FlagSet {
	f := newFlags("mcpcheck diff")
	f.StringVar(&o.color, "color", colorAuto, "")
	return f
}

// diff is mcpcheck diff OLD NEW: what got better, what got worse; exit code 1 on worse.
func (c *command) diff(args []string) error {
	var o options
	flags := diffFlags(&o)
	help, err := parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() != 2:
		return usagef("mcpcheck diff OLD.json NEW.json", "diff takes two JSON reports, not %d", flags.NArg())
	}
	if _, err := reporting(&o); err != nil {
		return err
	}
	before, err := c.readReport(flags.Arg(0))
	if err != nil {
		return err
	}
	after, err := c.readReport(flags.Arg(1))
	if err != nil {
		return err
	}
	worse, err := report.RenderDiff(c.stdout, before, after, report.TerminalOptions{Color: c.color(o.color), Width: c.width()})
	if err != nil {
		return fmt.Errorf("writing the comparison: %w", err)
	}
	if worse {
		return exitError(exitFailed)
	}
	return nil
}
