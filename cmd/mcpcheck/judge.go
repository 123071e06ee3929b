package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

// judge is mcpcheck judge FILE: the same verdicts again, from the recorded bytes alone.
func (c *command) judge(args []string) error {
	var o options
	flags := judgeFlags(&o)
	help, err := c.parse(flags, args)
	if err != nil {
		return err
	}
	if help {
		return c.print(usage(flags.Name()))
	}
	if flags.NArg() != 1 {
		return usagef("mcpcheck judge FILE; mcpcheck --transcript FILE URL writes one", "judge takes one transcript file, not %d", flags.NArg())
	}
	outputs, err := reporting(&o)
	if err != nil {
		return err
	}
	suite, err := suites.New(eras.All()...)
	if err != nil {
		return err
	}
	record, err := c.load(flags.Arg(0))
	if err != nil {
		return usagef("a transcript is what mcpcheck --transcript FILE URL writes", "%w", err)
	}
	defer record.Close()
	if gone := record.Unjudged(suite); len(gone) > 0 {
		fmt.Fprintf(c.stderr, "remark: the transcript was recorded for requirements that this version does not judge, and they are left out: %s\n",
			report.Visible(strings.Join(gone, ", ")))
	}
	if o.row != "" {
		return c.row(suite, record, o.row)
	}
	o.more = moreOfFile(flags)
	return c.conclude(suite, record, &o, outputs)
}

// judgeFlags are the flags of mcpcheck judge.
func judgeFlags(o *options) *pflag.FlagSet {
	f := newFlags("mcpcheck judge")
	reportFlags(f, o)
	f.StringVar(&o.row, "row", "", "")
	f.StringArrayVar(&o.timings, "timings", nil, "")
	return f
}

func (c *command) load(path string) (*suites.Record, error) {
	in := c.stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	record, err := suites.Load(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return record, nil
}
