package mock

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/process"
)

const (
	// grace is how long a client has to end by itself after SIGINT and again after SIGTERM, before it is killed.
	grace = 2 * time.Second
	// maxOutput is how much of its output is kept, the end of it, in bytes.
	maxOutput = 16 << 10
)

// A Command is how a client is started: {url}, {tool} and {token} in its arguments stand for the endpoint, the tool that may be called and
// the token that servers may want. They are in its environment too, as MCP_URL, MCP_TOOL and MCP_TOKEN.
type Command struct {
	Args []string
	// Started, where set, is told how to end a client at once, with its children; it returns what is called when it has ended.
	Started func(kill func()) (ended func())

	grace time.Duration // instead of the usual one, for tests
}

// with returns the arguments for one start.
func (c Command) with(m Meeting) []string {
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = strings.NewReplacer("{url}", m.URL, "{tool}", m.Tool, "{token}", m.Token).Replace(a)
	}
	return args
}

// Run starts the client and waits until it has ended; when the context ends, it and its children are ended. How it ended is said in a
// phrase; an error means that it could not be started at all.
func (c Command) Run(ctx context.Context, m Meeting) (Ending, error) {
	args := c.with(m)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "MCP_URL="+m.URL, "MCP_TOOL="+m.Tool)
	if m.Token != "" {
		cmd.Env = append(cmd.Env, "MCP_TOKEN="+m.Token)
	}
	said := process.Tail{Most: maxOutput}
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = grace // a grandchild may hold the pipe of its output
	process.OwnGroup(cmd)
	if err := cmd.Start(); err != nil {
		return Ending{}, fmt.Errorf("starting the client: %w", err)
	}
	if c.Started != nil {
		defer c.Started(func() { _ = process.Kill(cmd) })()
	}
	ended := make(chan struct{})
	var err error
	go func() { err = cmd.Wait(); close(ended) }()
	over := Ending{}
	select {
	case <-ended:
		over = ending(err)
	case <-ctx.Done():
		over = Ending{How: "it was still running and was stopped", Cut: true}
		stop(cmd, ended, cmp.Or(c.grace, grace))
	}
	_ = process.Kill(cmd) // what it left behind
	over.Output = said.String()
	return over, nil
}

// stop ends a client: as a person would, gently, by force.
func stop(cmd *exec.Cmd, ended <-chan struct{}, grace time.Duration) {
	for _, end := range []func(*exec.Cmd) error{process.Interrupt, process.Terminate, process.Kill} {
		_ = end(cmd) // what cannot be ended is waited for
		select {
		case <-ended:
			return
		case <-time.After(grace):
		}
	}
	<-ended
}

// ending says how a process ended.
func ending(err error) Ending {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return Ending{How: "it ended with exit code 0"}
	case errors.As(err, &exit):
		return Ending{How: "it ended with " + exit.String(), Cut: exit.ExitCode() < 0}
	case errors.Is(err, exec.ErrWaitDelay):
		return Ending{How: "it ended, and left a child behind that held its output"}
	}
	return Ending{How: err.Error(), Cut: true}
}
