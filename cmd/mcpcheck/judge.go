package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
	"github.com/mcpcheck/mcpcheck/suites/starts"
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
	in, err := c.transcriptFile(flags.Arg(0))
	if err != nil {
		return usagef(transcriptHint, "%w", err)
	}
	defer in.Close()
	if in.client {
		return c.judgeClient(in, flags, &o, outputs)
	}
	suite, err := suites.New(eras.All()...)
	if err != nil {
		return err
	}
	record, err := suites.Load(in)
	if err != nil {
		return usagef(transcriptHint, "%s: %w", flags.Arg(0), err)
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

// transcriptHint is what is said of a file that is no transcript.
const transcriptHint = "a transcript is what mcpcheck --transcript FILE URL writes"

// A transcriptFile is one that is open, of which it is known who was under test.
type transcriptFile struct {
	io.Reader
	io.Closer
	client bool
	first  []byte // the first line, which Reader begins with
}

// transcriptFile opens a transcript and looks into its first line.
func (c *command) transcriptFile(path string) (*transcriptFile, error) {
	file := io.NopCloser(c.stdin)
	if path != standardOutput {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		file = f
	}
	lines := bufio.NewReader(file)
	first, err := lines.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	var header struct {
		Payload json.RawMessage `json:"payload"`
	}
	_ = json.Unmarshal(first, &header) // whoever reads it says what is wrong
	return &transcriptFile{Reader: io.MultiReader(bytes.NewReader(first), lines), Closer: file, client: starts.Holds(header.Payload), first: first}, nil
}

// judgeClient judges the transcript of a client.
func (c *command) judgeClient(in io.Reader, flags *pflag.FlagSet, o *options, outputs []output) error {
	if o.row != "" {
		return usagef("leave --row out", "--row is for transcripts of servers")
	}
	suite, err := starts.New(eras.Clients()...)
	if err != nil {
		return err
	}
	record, err := starts.Load(in)
	if err != nil {
		return usagef(transcriptHint, "%s: %w", flags.Arg(0), err)
	}
	o.more = moreOfFile(flags)
	return c.deliver(record.Report(suite, record.Judge(suite)), o, outputs)
}
