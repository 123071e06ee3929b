package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/report"
)

// What makes a comparison fail: --fail-on.
const (
	failWorse    = "worse"
	failBreaking = "breaking"
	failNever    = "never"
)

func failures() []string { return []string{failWorse, failBreaking, failNever} }

func diffFlags(o *options) *pflag.FlagSet {
	f := newFlags("mcpcheck diff")
	f.StringArrayVar(&o.failOn, "fail-on", nil, "")
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "")
	f.StringVar(&o.sarifLocation, "sarif-location", "", "")
	colorFlags(f, &o.color)
	return f
}

// diff is mcpcheck diff OLD NEW: what got better, what got worse, and what a client would notice; exit code 1 on what --fail-on names.
func (c *command) diff(args []string) error {
	var o options
	flags := diffFlags(&o)
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() != 2:
		return usagef("mcpcheck diff OLD.json NEW.json", "diff takes two JSON reports, not %d", flags.NArg())
	}
	outputs, err := reporting(&o)
	if err != nil {
		return err
	}
	for _, f := range o.failOn {
		if !slices.Contains(failures(), f) {
			return usagef("choose from "+strings.Join(failures(), ", "), "--fail-on %q is not known", f)
		}
	}
	choices := renderings(&o)
	choices.Diff = report.DiffOptions{
		Worse: len(o.failOn) == 0 || slices.Contains(o.failOn, failWorse), Breaking: slices.Contains(o.failOn, failBreaking),
	}
	before, err := c.readReport(flags.Arg(0))
	if err != nil {
		return err
	}
	after, err := c.readReport(flags.Arg(1))
	if err != nil {
		return err
	}
	free := true
	for _, out := range outputs {
		free = free && out.path != standardOutput
		render := func(w io.Writer) error { return report.RenderDiffAs(out.format.Name, w, before, after, choices) }
		if out.path == standardOutput {
			err = render(c.stdout)
		} else {
			err = writeFile(out.path, render)
		}
		if err != nil {
			return fmt.Errorf("writing the comparison as %s: %w", out.format.Name, err)
		}
	}
	if free {
		t := report.TerminalOptions{Color: c.color(o.color), Width: c.width()}
		if err := report.RenderDiff(c.stdout, before, after, t); err != nil {
			return fmt.Errorf("writing the comparison: %w", err)
		}
	}
	if report.Compare(before, after).Fails(choices.Diff) {
		return exitError(exitFailed)
	}
	return nil
}
