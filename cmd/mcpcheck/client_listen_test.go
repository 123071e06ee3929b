//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	refclient "github.com/mcpcheck/mcpcheck/reference-client"
)

// A paper is what a command has written so far, and who waits for more of it.
type paper struct {
	mu   sync.Mutex
	text strings.Builder
	at   int
	more chan struct{}
}

func newPaper() *paper { return &paper{more: make(chan struct{}, 1)} }

func (s *paper) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.text.Write(p)
	s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
	return len(p), nil
}

// until waits for what a pattern says, behind what was waited for before, and returns the first group of it.
func (s *paper) until(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	deadline := time.After(hang)
	for {
		s.mu.Lock()
		text := s.text.String()
		found := re.FindStringSubmatchIndex(text[s.at:])
		if found != nil {
			at := s.at
			s.at += found[1]
			s.mu.Unlock()
			if len(found) < 4 || found[2] < 0 {
				return ""
			}
			return text[at+found[2] : at+found[3]]
		}
		s.mu.Unlock()
		select {
		case <-s.more:
		case <-deadline:
			t.Fatalf("nothing like %q came; there was:\n%s", pattern, text)
		}
	}
}

// byHand starts mcpcheck client --listen with these streams.
func byHand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"mcpcheck", "client", "--listen", "127.0.0.1:0"}, args...)
	cmd.Env = append(os.Environ(), "NO_PROXY=*", "NO_COLOR=1", "TERM=xterm")
	return cmd
}

// use has the reference client do all it can at a URL.
func use(t *testing.T, url string, switches ...string) {
	t.Helper()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := refclient.Client{URL: url, HTTP: &http.Client{Transport: transport}, Switches: switches}
	if err := client.Run(context.Background()); err != nil {
		t.Logf("the client: %v", err) // personas that refuse it are meant to
	}
}

// TestClientByHandOnATerminal: keys work without Enter, what is done is marked at once, the report comes when the person has seen enough,
// and the terminal is as it was.
func TestClientByHandOnATerminal(t *testing.T) {
	cmd, s := byHand(t, "--only", "lifecycle"), newPaper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: 40, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(int(slave.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(s, master) }()
	press := func(key string) {
		if _, err := io.WriteString(master, key); err != nil {
			t.Fatal(err)
		}
	}
	url := s.until(t, `Connect your client to  (http://127\.0\.0\.1:\d+/mcp)`)
	s.until(t, `1\. plain: [^\n]*\r\n  \[ \] connect your client\r\n`)
	s.until(t, `seen: nothing yet`)
	use(t, url)
	s.until(t, `\[x\] connect your client\r\n  \[x\] list the tools\r\n`)
	s.until(t, `\[x\] close the connection`)
	s.until(t, `seen: .*server/discover 2026-07-28, initialize 2025-11-25`)
	press("x") // means nothing
	press("a")
	s.until(t, `1\. plain`)
	s.until(t, `seen: nothing yet`)
	use(t, url)
	s.until(t, `\[x\] close the connection`)
	press("n")
	s.until(t, `2\. modern: [^\n]*\r\n  a client that does not speak 2026-07-28 cannot connect, as is its right`)
	press("s")
	s.until(t, `3 of \d+, `)
	press("q")
	s.until(t, `(PARTIAL|CONFORMANT)  a client at http`)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v", err)
	}
	if after, err := term.GetState(int(slave.Fd())); err != nil || !reflect.DeepEqual(before, after) {
		t.Errorf("the terminal was left in another state (%v)", err)
	}
}

// TestClientByHandIsInterrupted: Ctrl-C interrupts on a terminal whose keys are read one by one, and what was seen is reported.
func TestClientByHandIsInterrupted(t *testing.T) {
	cmd, s := byHand(t), newPaper()
	master, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	go func() { _, _ = io.Copy(s, master) }()
	s.until(t, `seen: nothing yet`)
	if _, err := master.Write([]byte{ctrlC}); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
		t.Errorf("ended with %v, not with %d", err, exitInterrupted)
	}
}

// TestClientByHandWithoutATerminal: lines do as well, each thing that is seen is one, and a client that goes on with an earlier session is
// not accused of that.
func TestClientByHandWithoutATerminal(t *testing.T) {
	cmd, s := byHand(t, "--only", "session", "--only", "lifecycle"), newPaper()
	out := newPaper()
	cmd.Stdout, cmd.Stderr = out, s
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	say := func(line string) {
		if _, err := fmt.Fprintln(in, line); err != nil {
			t.Fatal(err)
		}
	}
	url := s.until(t, `Connect your client to  (http://\S+)`)
	s.until(t, `do    call mcpcheck_echo, twice`)
	use(t, url, "asks-2025-03-26")
	s.until(t, `seen  tools/call mcpcheck_echo`)
	s.until(t, `seen  DELETE`)
	say("next")
	s.until(t, `2\. modern`)
	s.until(t, `note  a client that does not speak 2026-07-28`)
	// What a client still sends with what it had agreed on before.
	post(t, url, `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`, http.StatusNotFound)
	say("Skip")
	s.until(t, `3 of \d+, `)
	use(t, url, "asks-2025-03-26")
	s.until(t, `seen  DELETE`)
	say("what?")
	s.until(t, `n next`)
	if err := in.Close(); err != nil { // the end of the lines means that it is enough
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, out.text.String())
	}
	out.until(t, `(PARTIAL|CONFORMANT)  a client at http`)
}

// post sends a message as a client would and looks at the status only.
func post(t *testing.T, url, body string, want int) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != want {
		t.Errorf("HTTP %d, want %d", response.StatusCode, want)
	}
}
