package main

import (
	"fmt"
	"io"
	"os"

	"github.com/mcpcheck/mcpcheck/suites"
)

// judge is mcpcheck judge FILE: the same verdicts again, from the recorded bytes alone.
func (c *command) judge(args []string) error {
	var o options
	flags := newFlags("mcpcheck judge")
	reportFlags(flags, &o)
	help, err := parse(flags, args)
	if err != nil {
		return err
	}
	if help {
		_, err := fmt.Fprintf(c.stdout, "Usage: mcpcheck judge [flags] FILE\n\nJudges a transcript again that --transcript wrote; - is standard input.\n\nFlags:\n%s", flags.FlagUsages())
		return err
	}
	if flags.NArg() != 1 {
		return usagef("mcpcheck judge FILE; mcpcheck --transcript FILE URL writes one", "judge takes one transcript file, not %d", flags.NArg())
	}
	outputs, err := parseOutputs(o.outputs)
	if err != nil {
		return err
	}
	suite, err := suites.New()
	if err != nil {
		return err
	}
	record, err := c.load(flags.Arg(0))
	if err != nil {
		return usagef("a transcript is what mcpcheck --transcript FILE URL writes", "%w", err)
	}
	defer record.Close()
	return c.conclude(suite, record, &o, outputs)
}

func (c *command) load(path string) (*suites.Record, error) {
	var in io.Reader = c.stdin
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
