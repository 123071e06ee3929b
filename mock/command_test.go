//go:build unix

package mock

import (
	"bufio"
	"context"
	"strings"
	"testing"
	"time"
)

// TestEndings: what a client left undone counts only where it came to its end by itself.
func TestEndings(t *testing.T) {
	for _, row := range []struct {
		script, how string
		cut         bool
	}{
		{"exit 0", "exit code 0", false},
		{"exit 3", "exit status 3", false},
		{"kill -9 $$", "signal: killed", true},
	} {
		end, err := Command{Args: []string{"sh", "-c", row.script}}.Run(t.Context(), Meeting{})
		if err != nil || !strings.Contains(end.How, row.how) || end.Cut != row.cut {
			t.Errorf("%s: %+v, %v", row.script, end, err)
		}
	}
	if _, err := (Command{Args: []string{"no-such-program"}}).Run(t.Context(), Meeting{}); err == nil {
		t.Error("a program that is not there was started")
	}
}

// TestStopped: when the time is up a client ends with its children, and is told to have been stopped.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	end, err := Command{Args: []string{"sh", "-c", "echo ready; sleep 600 & wait"}, Started: func(func()) func() { cancel(); return func() {} }}.Run(ctx, Meeting{})
	if err != nil || !end.Cut || !strings.Contains(end.How, "stopped") {
		t.Errorf("%+v, %v", end, err)
	}
}

// TestStubborn: one that does not listen to signals is killed, with the child that it waits for.
func TestStubborn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stubborn := Command{
		Args: []string{"sh", "-c", "trap '' INT TERM; sleep 600 & wait; while :; do wait; done"}, grace: time.Millisecond,
		Started: func(func()) func() { cancel(); return func() {} },
	}
	end, err := stubborn.Run(ctx, Meeting{})
	if err != nil || !end.Cut {
		t.Errorf("%+v, %v", end, err)
	}
}

// TestArguments: the endpoint and the tool stand in arguments and environment.
func TestArguments(t *testing.T) {
	end, err := Command{Args: []string{"sh", "-c", "echo $0 $1 $MCP_URL $MCP_TOOL", "{url}", "-t={tool}"}}.Run(t.Context(), Meeting{URL: "http://x/mcp", Tool: "echo"})
	line, _, _ := bufio.NewReader(strings.NewReader(end.Output)).ReadLine()
	if want := "http://x/mcp -t=echo http://x/mcp echo"; err != nil || string(line) != want {
		t.Errorf("%q, want %q, %v", line, want, err)
	}
}
