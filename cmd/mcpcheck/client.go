package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/mock"
	refclient "github.com/mcpcheck/mcpcheck/reference-client"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/suites/starts"
)

// bundledClient is what a report calls the client that is checked where no command is named.
const bundledClient = "the bundled reference client"

// clientFlags are the flags of mcpcheck client.
func clientFlags(o *options) *pflag.FlagSet {
	f := newFlags("mcpcheck client")
	f.StringArrayVar(&o.only, "only", nil, "")
	f.StringArrayVar(&o.skip, "skip", nil, "")
	f.StringVar(&o.transcript, "transcript", "", "")
	f.DurationVar(&o.startTimeout, "start-timeout", 30*time.Second, "")
	f.IntVar(&o.parallel, "parallel", 4, "")
	f.DurationVar(&o.onRequest.ClientTimeout, "client-timeout", 0, "")
	f.StringSliceVar(&o.onRequest.Provoke, "provoke", nil, "")
	f.StringArrayVar(&o.onRequest.Revisions, "revision", nil, "")
	f.StringVar(&o.onRequest.Token, "auth", "", "")
	f.BoolVar(&o.onRequest.Rough, "rough", false, "")
	f.StringVar(&o.listen, "listen", "", "")
	f.BoolVar(&o.remote, "allow-remote", false, "")
	f.StringArrayVar(&o.origins, "allow-origin", nil, "")
	reportFlags(f, o)
	return f
}

// client is mcpcheck client [-- CMD]: mcpcheck stands in as the server, and what the client sends is judged.
func (c *command) client(args []string) error {
	var o options
	flags := clientFlags(&o)
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.ArgsLenAtDash() > 0 || flags.ArgsLenAtDash() < 0 && flags.NArg() > 0:
		return usagef("write it as mcpcheck client -- COMMAND {url} {tool}", "%q stands before the command of the client", flags.Arg(0))
	case flags.ArgsLenAtDash() == 0 && flags.NArg() == 0:
		return usagef("leave -- out to check the bundled client", "-- wants the command of the client behind it")
	case o.startTimeout <= 0:
		return usagef("give the longest time that one start of the client may take, such as 30s", "--start-timeout %v is no time to wait", o.startTimeout)
	case o.parallel <= 0:
		return usagef("give how many starts run at a time, such as 4", "--parallel %d starts nothing", o.parallel)
	case flags.Changed("client-timeout") && o.onRequest.ClientTimeout <= 0:
		return usagef("give how long the client waits for an answer, such as 5s", "--client-timeout %v is no time to wait", o.onRequest.ClientTimeout)
	case slices.ContainsFunc(o.onRequest.Provoke, unknownProvocation):
		return usagef("give one of "+strings.Join(mock.Provocations(), " and ")+", or both with a comma between them",
			"--provoke %s is nothing that a client declares", strings.Join(o.onRequest.Provoke, ","))
	case flags.Changed("auth") && len(o.onRequest.Token) < shortestToken:
		return usagef("choose one for this test, such as a-token-for-tests, and have the client send it: {token} stands for it in its command",
			"--auth wants a token of %d characters or more", shortestToken)
	case o.listen != "" && flags.NArg() > 0:
		return usagef("leave one of them out", "with --listen a person starts the client, and -- COMMAND would start one too")
	case o.remote && o.listen == "":
		return usagef("a client that is started by a command comes over loopback", "--allow-remote is for --listen")
	}
	outputs, err := reporting(&o)
	if err != nil {
		return err
	}
	suite, err := starts.New(eras.Clients()...)
	if err != nil {
		return err
	}
	for _, r := range o.onRequest.Revisions {
		if !revision.Known(r) {
			return usagef("it is one of: "+strings.Join(revision.All(), ", "), "unknown revision %q", r)
		}
	}
	selection := suites.Selection{Only: o.only, Skip: o.skip}
	if err := c.selectable(suite.Suite, selection); err != nil {
		return err
	}
	if o.transcript != "" {
		if err := writable(o.transcript); err != nil {
			return usagef(writableHint, "transcript: %w", err)
		}
	}
	o.more = "the same command with -v"
	record, err := c.meet(suite, selection, &o, flags.Args())
	if err != nil {
		return err
	}
	if o.transcript != "" {
		if err := named(record.Save(o.transcript), o.transcript); err != nil {
			return fmt.Errorf("writing the transcript: %w", err)
		}
	}
	return c.deliver(record.Report(suite, record.Judge(suite)), &o, outputs)
}

// meet has the client meet every persona.
func (c *command) meet(suite *starts.Suite, selection suites.Selection, o *options, args []string) (*starts.Record, error) {
	record := &starts.Record{Tool: report.Tool{Name: "mcpcheck", Version: version()}, Command: bundledClient, Started: time.Now()}
	var err error
	if record.Checks, record.Filtered, err = suite.Select(selection); err != nil {
		return nil, err
	}
	run := mock.Options{
		Client: bundled{o.onRequest}, Limit: o.startTimeout, AtOnce: o.parallel, Origins: o.origins, OnRequest: o.onRequest,
	}
	ctx, release := c.interrupts.context()
	defer release()
	switch {
	case o.listen != "":
		return record, c.meetByHand(ctx, record, run, o)
	case len(args) > 0:
		record.Command = strings.Join(args, " ")
		run.Client = mock.Command{Args: args, Started: func(kill func()) func() { return c.interrupts.onExit(kill) }}
	}
	progress := c.progress(o)
	run.Progress = func(done, planned int, persona string) {
		progress.show(suites.Progress{Phase: "client", Done: done, Total: planned})
	}
	met, err := mock.Run(ctx, run)
	progress.clear()
	if err != nil {
		record.Unstarted = err.Error()
	}
	file(record, met, ctx.Err() != nil)
	return record, nil
}

// file puts what was recorded into a record.
func file(record *starts.Record, met []*mock.Start, interrupted bool) {
	for _, s := range met {
		record.Starts = append(record.Starts, starts.Start{
			Persona: s.Persona.Name, Attempt: s.Attempt, Ended: s.Ending.How, Output: s.Ending.Output, Excess: s.Excess, Turned: s.Turned,
		})
		record.Transcripts = append(record.Transcripts, s.Transcript)
	}
	record.Interrupted = interrupted
	record.Duration = time.Since(record.Started)
}

// shortestToken is how long a token has to be: it is looked for in all that is recorded, to be redacted, and shorter ones occur by chance.
const shortestToken = 8

func unknownProvocation(what string) bool { return !slices.Contains(mock.Provocations(), what) }

// bundled runs the reference client in this process. It is what the user says of it.
type bundled struct{ asked mock.OnRequest }

func (b bundled) Run(ctx context.Context, m mock.Meeting) (mock.Ending, error) {
	client := refclient.Client{URL: m.URL, Timeout: b.asked.ClientTimeout, Declares: b.asked.Provoke, Token: m.Token}
	if err := client.Run(ctx); err != nil {
		return mock.Ending{How: "it gave up", Output: err.Error()}, nil
	}
	return mock.Ending{How: "it came to its end"}, nil
}
