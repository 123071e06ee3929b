package main

import (
	"os"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/report"
)

func convertFlags(o *options) *pflag.FlagSet {
	f := newFlags("mcpcheck report")
	reportFlags(f, o)
	return f
}

// report is mcpcheck report FILE: a JSON report in any other format, and its exit code. Several reports, or that of a fleet, are told
// together.
func (c *command) report(args []string) error {
	var o options
	flags := convertFlags(&o)
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() == 0:
		return usagef("mcpcheck report FILE; mcpcheck -o json=FILE URL writes one", "report takes a JSON report")
	}
	outputs, err := reporting(&o)
	if err != nil {
		return err
	}
	many, err := c.severalReports(flags.Args())
	if err != nil {
		return err
	}
	if many {
		return c.reportFleet(flags.Args(), &o, outputs)
	}
	r, err := c.readReport(flags.Arg(0))
	if err != nil {
		return err
	}
	o.more = moreOfFile(flags)
	return c.deliver(r, &o, outputs)
}

// readReport reads a JSON report; a path of - is standard input.
func (c *command) readReport(path string) (report.Report, error) {
	in := c.stdin
	if path != standardOutput {
		f, err := os.Open(path)
		if err != nil {
			return report.Report{}, usagef(reportHint, "%w", err)
		}
		defer f.Close()
		in = f
	}
	r, err := report.ReadJSON(in)
	if err != nil {
		return report.Report{}, usagef(reportHint, "%s: %w", path, err)
	}
	return r, nil
}
