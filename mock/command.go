package mock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	// grace is how long a client has to end by itself after SIGINT and again after SIGTERM, before it is killed.
	grace = 2 * time.Second
	// maxOutput is how much of its output is kept, the end of it, in bytes.
	maxOutput = 16 << 10
)

// A Command is how a client is started: {url} and {tool} in its arguments stand for the endpoint and the tool that may be called. Both are
// in its environment too, as MCP_URL and MCP_TOOL.
type Command struct {
	Args []string
	// Started, where set, is told how to end a client at once, with its children; it returns what is called when it has ended.
	Started func(kill func()) (ended func())
}

// with returns the arguments for one start.
func (c Command) with(url, tool string) []string {
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = strings.NewReplacer("{url}", url, "{tool}", tool).Replace(a)
	}
	return args
}

// Run starts the client and waits until it has ended; when the context ends, it and its children are ended. How it ended is said in a
// phrase; an error means that it could not be started at all.
func (c Command) Run(ctx context.Context, url, tool string) (Ending, error) {
	args := c.with(url, tool)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "MCP_URL="+url, "MCP_TOOL="+tool)
	var said tail
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = grace // a grandchild may hold the pipe of its output
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return Ending{}, fmt.Errorf("starting the client: %w", err)
	}
	if c.Started != nil {
		defer c.Started(func() { signalGroup(cmd, kill) })()
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	end := Ending{}
	select {
	case err := <-ended:
		end = ending(err)
	case <-ctx.Done():
		end = Ending{How: "it was still running and was stopped", Cut: true}
		stop(cmd, ended)
	}
	signalGroup(cmd, kill) // what it left behind
	end.Output = said.String()
	return end, nil
}

// stop ends a client: as a person would, gently, by force.
func stop(cmd *exec.Cmd, ended <-chan error) {
	for _, signal := range signals {
		signalGroup(cmd, signal)
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

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - maxOutput; over > 0 {
		t.data = append([]byte(nil), t.data[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}
