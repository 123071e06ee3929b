package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/live"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
	"github.com/mcpcheck/mcpcheck/watch"
)

// watchOptions are those of mcpcheck watch.
type watchOptions struct {
	options
	paths, ignored []string
	open           bool
}

// watchFlags are those of a run, and its own.
func watchFlags(o *watchOptions) *pflag.FlagSet {
	f := newFlags("mcpcheck watch")
	f.StringArrayVar(&o.paths, "watch", nil, "")
	f.StringArrayVar(&o.ignored, "ignore", nil, "")
	f.BoolVar(&o.open, "open", false, "")
	f.AddFlagSet(checkFlags(&o.options))
	return f
}

// A watcher checks one server again and again.
type watcher struct {
	c       *command
	o       *watchOptions
	suite   *suites.Suite
	run     *suites.Options
	outputs []output
	server  []string // the command that starts it, if there is one
	files   *watch.Files
	page    *live.Page // nil without --open
	kept    *keeper    // nil until the server has been started
	noise   watch.Disturbances
	// tried: the server has been started once, so that its command can be one.
	tried bool
	// failing says why the last check did not come about, "" where it did.
	failing string
	// before is the last report; nil before there is one.
	before *report.Report
	// back: the last check was made because the server had been gone in the one before.
	back bool
}

// watch is mcpcheck watch [URL] [-- CMD].
func (c *command) watch(args []string) error {
	o := &watchOptions{}
	flags := watchFlags(o)
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case o.version:
		return c.version(nil)
	}
	cfg, chosen, server, err := c.meant(flags, &o.options)
	if err != nil {
		return err
	}
	switch {
	case len(chosen) != 1:
		return usagef("write it as mcpcheck watch URL, or mcpcheck watch URL -- COMMAND", "watch wants one server, and there are %d", len(chosen))
	case flags.ArgsLenAtDash() >= 0 && len(server) == 0:
		return usagef("write it as mcpcheck watch URL -- COMMAND [ARGUMENTS]", "-- wants the command that starts the server behind it")
	}
	targets, err := settle(flags, &o.options, cfg, chosen)
	if err != nil {
		return err
	}
	w := &watcher{c: c, o: o, server: server}
	if w.outputs, err = reporting(&o.options); err != nil {
		return err
	}
	if w.suite, err = suites.New(eras.All()...); err != nil {
		return err
	}
	if w.run, err = c.prepare(w.suite, &o.options, targets); err != nil {
		return err
	}
	for _, pattern := range o.ignored {
		if _, err := path.Match(pattern, ""); err != nil {
			return usagef("it is a name, or a pattern such as *.json", "--ignore %q: %w", pattern, err)
		}
	}
	if len(o.paths) == 0 {
		o.paths = []string{"."}
	}
	if w.files, err = watch.New(o.paths, w.ignores()); err != nil {
		return usagef("--watch PATH names a file or folder to watch; the default is this folder", "%w", err)
	}
	defer w.files.Close()
	if o.open {
		if w.page, err = live.Serve("mcpcheck " + shown(targets[0])); err != nil {
			return err
		}
		defer w.page.Close()
		fmt.Fprintln(c.stderr, "page:", w.page.URL)
		c.browse(w.page.URL)
	}
	// A signal ends a check in good order, and the watching with it.
	ctx, release := c.interrupts.context()
	defer release()
	defer func() {
		if w.kept != nil {
			w.kept.stop()
		}
	}()
	return w.loop(ctx)
}

// ignores tells which files are none of the author's: those that --ignore names, and those that this command writes, its own output too.
func (w *watcher) ignores() func(string) bool {
	var streams []fs.FileInfo
	for _, stream := range []any{w.c.stdout, w.c.stderr} {
		if f, ok := stream.(*os.File); ok {
			if info, err := f.Stat(); err == nil {
				streams = append(streams, info)
			}
		}
	}
	own := []string{w.o.transcript, w.o.writeBaseline}
	for _, out := range w.outputs {
		own = append(own, out.path)
	}
	for i, p := range own {
		if absolute, err := filepath.Abs(p); p != "" && err == nil {
			own[i] = absolute
		}
	}
	return func(file string) bool {
		absolute, err := filepath.Abs(file)
		if err == nil && slices.Contains(own, absolute) {
			return true
		}
		if info, err := os.Stat(file); err == nil && slices.ContainsFunc(streams, func(s fs.FileInfo) bool { return os.SameFile(s, info) }) {
			return true
		}
		return slices.ContainsFunc(w.o.ignored, func(pattern string) bool {
			name, _ := path.Match(pattern, filepath.Base(file))
			whole, _ := path.Match(strings.TrimSuffix(filepath.ToSlash(filepath.Clean(pattern)), "/"), filepath.ToSlash(filepath.Clean(file)))
			return name || whole
		})
	}
}

// loop checks, waits and checks again, until the context ends.
func (w *watcher) loop(ctx context.Context) error {
	for {
		changed, err := w.check(ctx)
		if ctx.Err() != nil || err != nil {
			return err
		}
		why := ""
		if len(changed) == 0 {
			if changed, why = w.wait(ctx); ctx.Err() != nil {
				return nil
			}
		}
		if len(changed) > 0 {
			why = changedText(changed)
		}
		if toTerminal(w.outputs) {
			fmt.Fprintf(w.c.stdout, "\n=== %s\n\n", report.Visible(why))
		}
		if len(changed) > 0 && w.kept != nil {
			w.kept.stop()
			w.kept = nil
		}
	}
}

// changedText names what changed, in a line.
func changedText(paths []string) string {
	if len(paths) == 1 {
		return paths[0] + " changed"
	}
	return fmt.Sprintf("%s and %d more changed", paths[0], len(paths)-1)
}

// check checks the server once, and starts it before where that is ours to do. When files change meanwhile it gives up, and returns them.
func (w *watcher) check(ctx context.Context) (changed []string, err error) {
	under, giveUp := context.WithCancel(ctx)
	defer giveUp()
	seen, watched := []string(nil), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			select {
			case paths := <-w.files.Changes:
				seen = append(seen, paths...)
				if changed = append(changed, w.noise.Counts(paths)...); len(changed) > 0 {
					giveUp()
				}
			case <-under.Done():
				return
			}
		}
	}()
	r, err := w.look(under)
	giveUp()
	<-watched
	if ctx.Err() != nil {
		return nil, nil
	}
	for _, path := range w.noise.Ran(seen) {
		fmt.Fprintf(w.c.stderr, "%s changes whenever the server is checked; from now on it counts between checks only\n", report.Visible(path))
	}
	if err != nil || r == nil || len(changed) > 0 {
		return changed, err
	}
	return nil, w.show(*r)
}

// look records and judges; nil where the server does not start, which has been said, or where the context ended.
func (w *watcher) look(ctx context.Context) (*report.Report, error) {
	progress := w.c.progress(&w.o.options)
	defer progress.clear()
	tell := func(p suites.Progress) {
		progress.show(p)
		w.tell("checking: " + progressText(p))
	}
	run := *w.run
	run.Progress = tell
	if w.server != nil && w.kept == nil {
		w.tell("starting the server")
		started, err := w.c.await(ctx, &run, &w.o.options, w.server, progress)
		var exit exitError
		switch {
		case errors.As(err, &exit):
			w.tried, w.failing = true, "the server did not start; "
			return nil, nil
		case err != nil && w.tried:
			// A program that is being built anew may not be there for a moment.
			exitCode(w.c.stderr, err)
			w.failing = "the server did not start; "
			return nil, nil
		case err != nil:
			return nil, err
		}
		w.kept, w.tried, w.failing = started, true, ""
	} else if w.server == nil && w.before == nil && w.o.wait > 0 {
		if _, err := w.c.await(ctx, &run, &w.o.options, nil, progress); err != nil {
			return nil, err
		}
	}
	if w.kept != nil {
		run.Child = w.kept
	}
	if ctx.Err() != nil {
		return nil, nil
	}
	record, err := suites.Run(ctx, w.suite, run)
	if err != nil {
		return nil, err
	}
	defer record.Close()
	defer w.c.interrupts.onExit(func() { _ = record.Close() })()
	if record.Interrupted {
		return nil, nil
	}
	if w.o.transcript != "" {
		if err := named(record.Save(w.o.transcript), w.o.transcript); err != nil {
			return nil, fmt.Errorf("writing the transcript: %w", err)
		}
	}
	r := record.Report(w.suite, record.JudgeAll(w.suite))
	r.Target.Name, r.Target.Group = w.o.name, w.o.group
	return &r, nil
}

// wait waits until there is a reason to check again, and says which: files, or why.
func (w *watcher) wait(ctx context.Context) (changed []string, why string) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var ended <-chan struct{}
	back := make(chan string, 1)
	if w.kept != nil {
		ended = w.kept.done()
	} else if w.server == nil {
		go func() { back <- w.restarted(ctx) }()
	}
	begun := time.Now()
	fmt.Fprintf(w.c.stderr, "waiting for changes%s; Ctrl-C ends it\n", map[bool]string{true: ", or for the server to start again"}[w.server == nil])
	w.tell(w.summary() + "waiting for changes")
	for {
		select {
		case paths := <-w.files.Changes:
			for _, path := range w.noise.Woke(paths, time.Since(begun)) {
				fmt.Fprintf(w.c.stderr, "%s changes by itself after each check; it is not watched any more\n", report.Visible(path))
			}
			if changed = w.noise.Authored(paths); len(changed) > 0 {
				return changed, ""
			}
		case why = <-back:
			return nil, why
		case <-ended:
			how, _ := w.kept.Ended()
			fmt.Fprintf(w.c.stderr, "the server ended: %s\n", report.Visible(how))
			w.tell("the server ended: " + how)
			ended = nil
		case <-ctx.Done():
			return nil, ""
		}
	}
}

// downEvery is how often it is tried whether a server that somebody else starts still listens.
const downEvery = 100 * time.Millisecond

// restarted waits until nothing listens at the URL any more, and then until something does.
func (w *watcher) restarted(ctx context.Context) (why string) {
	why = "the server has started again"
	gone := w.before != nil && slices.ContainsFunc(w.before.Troubles, func(t report.Trouble) bool { return t.Kind == string(client.Gone) })
	switch {
	case w.before != nil && w.before.Diagnosis != nil:
		why = "something listens now"
	case gone && !w.back:
		// It went away under the check, and may be there again already. Once: a check that ends it each time would go on for ever.
		w.back = true
		awaitPort(ctx, w.run.Client.URL, forever, nil, nil)
		return why
	}
	w.back = false
	for !refuses(ctx, w.run.Client.URL) {
		select {
		case <-ctx.Done():
			return ""
		case <-time.After(downEvery):
		}
	}
	fmt.Fprintln(w.c.stderr, "nothing listens there now")
	w.tell(w.summary() + "nothing listens there now")
	if awaitPort(ctx, w.run.Client.URL, forever, nil, nil) {
		awaitReady(ctx, w.run.Client.URL, childWait, nil)
	}
	return why
}

// forever is a patience that only the end of a context ends.
const forever = 1 << 40 * time.Millisecond
