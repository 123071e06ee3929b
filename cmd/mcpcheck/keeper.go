package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
)

// A keeper keeps the server that the run has started: it starts it again where it has ended, and remembers how it did.
type keeper struct {
	args     []string
	url      string
	patience func(ctx context.Context, done <-chan struct{}) bool // waits until something listens
	hurry    <-chan struct{}                                      // closed when there is no time to stop it gently

	mu      sync.Mutex
	current *child
	stopped bool
}

// await starts the server, if there is a command for it, and waits until something listens at the URL, as long as --wait allows. What
// does not listen then is for the survey to explain; a server that ended by itself is explained here.
func (c *command) await(ctx context.Context, run *suites.Options, o *options, server []string, progress *progress) (*keeper, error) {
	if len(server) == 0 {
		if o.wait > 0 {
			begun := time.Now()
			if awaitPort(ctx, run.Client.URL, o.wait, nil, progress.show) {
				awaitReady(ctx, run.Client.URL, o.wait-time.Since(begun), progress.show)
			}
		}
		return nil, nil
	}
	if awaitPort(ctx, run.Client.URL, pollEvery, nil, nil) {
		return nil, usagef("stop it, or leave out the command behind --", "something listens at %s already", run.Client.URL)
	}
	started, err := startChild(server)
	if err != nil {
		return nil, err
	}
	patience := childWait
	if o.wait > 0 {
		patience = o.wait
	}
	kept := &keeper{args: server, url: run.Client.URL, current: started, hurry: c.interrupts.hurry, patience: func(ctx context.Context, done <-chan struct{}) bool {
		return awaitPort(ctx, run.Client.URL, patience, done, progress.show)
	}}
	// From here on no signal may leave it behind.
	c.interrupts.onExit(kept.stop)
	if !kept.patience(ctx, started.done) && ctx.Err() == nil {
		progress.clear()
		how, ended := started.ended()
		if !ended {
			how = fmt.Sprintf("nothing listens at %s after %v", run.Client.URL, patience)
		}
		kept.stop()
		fmt.Fprintf(c.stderr, "error: the server did not start: %s\n%s\n", report.Visible(how), report.Visible(started.said()))
		return nil, exitError(exitUntestable)
	}
	return kept, nil
}

// Ended tells how the server ended, with its last lines; false while it runs. It gives a process that has just let go of its connections
// a moment to end.
func (k *keeper) Ended() (how string, ended bool) {
	k.mu.Lock()
	c := k.current
	k.mu.Unlock()
	c.settle()
	how, ended = c.ended()
	if !ended {
		return "", false
	}
	if last := c.lastLines(); last != "" {
		how += ", last lines: " + last
	}
	return how, true
}

// Restart starts the server again and waits until it listens.
func (k *keeper) Restart(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stopped {
		return errors.New("the server has been stopped")
	}
	k.current.stop(k.hurry)
	next, err := startChild(k.args)
	if err != nil {
		return fmt.Errorf("starting the server again: %w", err)
	}
	k.current = next
	if !k.patience(ctx, next.done) {
		return fmt.Errorf("starting the server again: nothing listens at %s", k.url)
	}
	return nil
}

// done is closed when the server that runs now has ended.
func (k *keeper) done() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.current.done
}

// stop ends the server for good; it may be called twice.
func (k *keeper) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.stopped {
		k.stopped = true
		k.current.stop(k.hurry)
	}
}

// shownLines is how many of the last lines of a server that ended are evidence.
const shownLines = 4

// lastLines are the last lines that a child wrote, in one line.
func (s *child) lastLines() string {
	lines := strings.Split(strings.TrimSpace(s.output.String()), "\n")
	lines = lines[max(0, len(lines)-shownLines):]
	return strings.Join(lines, " | ")
}
