package main

import (
	"bytes"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// mcpcheck prepares a process of the command under test.
func mcpcheck(ts *testscript.TestScript, args []string) *exec.Cmd {
	self, err := os.Executable()
	ts.Check(err)
	cmd := exec.Command(self)
	cmd.Args = append([]string{"mcpcheck"}, args...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "NO_PROXY", "NO_COLOR", "SystemRoot", "GOCOVERDIR"} {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	return cmd
}

// hang is how long something that has to happen may take on the busiest machine; no test that passes waits for it.
const hang = 3 * time.Minute

// ends waits for a process to exit, and kills it when it hangs.
func ends(ts *testscript.TestScript, cmd *exec.Cmd) (code int) {
	kill := time.AfterFunc(hang, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	if !kill.Stop() {
		ts.Fatalf("%s did not end within %v", strings.Join(cmd.Args, " "), hang)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	return cmd.ProcessState.ExitCode()
}

// served is a running mcpcheck serve.
type served struct {
	cmd    *exec.Cmd
	stdout *lineWriter
}

// lineWriter hands over the first line as soon as it is complete.
type lineWriter struct {
	text  bytes.Buffer
	first chan string
}

func (w *lineWriter) Write(p []byte) (int, error) {
	before := bytes.Contains(w.text.Bytes(), []byte("\n"))
	w.text.Write(p)
	if line, _, found := strings.Cut(w.text.String(), "\n"); found && !before {
		w.first <- line
	}
	return len(p), nil
}

// cmdServe starts mcpcheck serve and puts the first line of its output into a variable.
func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1, "serve VARIABLE [ARGUMENT…]")
	s := &served{cmd: mcpcheck(ts, append([]string{"serve"}, args[1:]...)), stdout: &lineWriter{first: make(chan string, 1)}}
	s.cmd.Stdout = s.stdout
	ts.Check(s.cmd.Start())
	ts.Defer(func() { _ = s.cmd.Process.Kill() })
	select {
	case line := <-s.stdout.first:
		ts.Setenv(args[0], line)
	case <-time.After(hang):
		ts.Fatalf("no line came")
	}
	labOf(ts).served[args[0]] = s
}

// cmdHalt interrupts mcpcheck serve, which has to end in order. It is not called stop: that word of testscript ends a script early.
func cmdHalt(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1, "halt VARIABLE")
	s := labOf(ts).served[args[0]]
	ts.Check(s.cmd.Process.Signal(os.Interrupt))
	if code := ends(ts, s.cmd); code != exitOK {
		ts.Fatalf("exit code %d", code)
	}
}

// lastRequests is how many requests an interrupted run may still send, of more than a thousand: it deletes its sessions, up to ninety
// here, and what it was about to send when the signal came may still arrive.
const lastRequests = 300

// cmdInterrupt runs mcpcheck, sends it a signal once the site has seen so many requests, and demands exit code 130 before the run has
// sent much more. What it printed is in the files stdout and stderr. No clock is looked at: a run that waits for what will not come,
// with a --timeout beyond the limit of a hang, does hang.
func cmdInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 3, "interrupt SITE REQUESTS SIGNAL [ARGUMENT…]")
	s, after := labOf(ts).sites[args[0]], int64(number(ts, args[1]))
	signal := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}[args[2]]
	cmd := mcpcheck(ts, args[3:])
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	ts.Check(cmd.Start())
	for deadline := time.Now().Add(hang); s.requests.Load() < after; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			ts.Fatalf("%d requests after %v", s.requests.Load(), hang)
		}
	}
	ts.Check(cmd.Process.Signal(signal))
	before := s.requests.Load()
	code := ends(ts, cmd)
	more := s.requests.Load() - before
	ts.Logf("interrupted after %d requests, ended %d requests later", before, more)
	ts.Check(os.WriteFile(ts.MkAbs("stdout"), stdout.Bytes(), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("stderr"), stderr.Bytes(), 0o600))
	if code != exitInterrupted || more > lastRequests {
		ts.Fatalf("exit code %d after %d requests more\n%s%s", code, more, &stdout, &stderr)
	}
}

// cmdFreePort puts the address of a port on which nothing listens into a variable.
func cmdFreePort(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1, "free-port VARIABLE")
	u, err := url.Parse(refusedURL(ts))
	ts.Check(err)
	ts.Setenv(args[0], u.Host)
}

// cmdEndAt runs mcpcheck, sends it a signal once a file is there, which shows what it is about and is followed by something that never
// ends, and demands exit code 130. What it started has to be gone by then.
func cmdEndAt(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 4, "end-at FILE SIGNAL PROGRAM [ARGUMENT…]")
	signal := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}[args[1]]
	cmd := mcpcheck(ts, args[3:])
	cmd.Args[0] = args[2]
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	ts.Check(cmd.Start())
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			break
		}
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			ts.Fatalf("no %s after a minute\n%s%s", args[0], &stdout, &stderr)
		}
	}
	ts.Check(cmd.Process.Signal(signal))
	if code := ends(ts, cmd); code != exitInterrupted {
		ts.Fatalf("exit code %d\n%s%s", code, &stdout, &stderr)
	}
}
