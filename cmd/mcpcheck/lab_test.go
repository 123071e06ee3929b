package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// A lab is what one script has running.
type lab struct {
	sites  map[string]*site
	served map[string]*served
}

type labKey struct{}

func labOf(ts *testscript.TestScript) *lab { return ts.Value(labKey{}).(*lab) }

// scriptCommands are the words of the scripts beside those of testscript itself.
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"exits":        cmdExits,
		"site":         cmdSite,
		"serve":        cmdServe,
		"halt":         cmdHalt,
		"interrupt":    cmdInterrupt,
		"no-sessions":  cmdNoSessions,
		"free-port":    cmdFreePort,
		"end-at":       cmdEndAt,
		"field":        cmdField,
		"same-results": cmdSameResults,
		"narrow":       cmdNarrow,
		"smaller":      cmdSmaller,
		"expand":       cmdExpand,
	}
}

// arguments demands that a command stands plain in the script and has at least so many arguments.
func arguments(ts *testscript.TestScript, neg bool, args []string, least int, usage string) {
	if neg || len(args) < least {
		ts.Fatalf("usage: %s", usage)
	}
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

// cmdExits runs a program and demands an exit code; stdout and stderr look at what it printed.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "exits CODE PROGRAM [ARGUMENT…]")
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if want := number(ts, args[0]); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmdSmaller demands that a file has fewer bytes than so many.
func cmdSmaller(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] smaller FILE BYTES")
	}
	size := len(ts.ReadFile(args[0]))
	if (size < number(ts, args[1])) == neg {
		ts.Fatalf("%s has %d bytes", args[0], size)
	}
}

// cmdExpand writes a file with the variables of the script put into it.
func cmdExpand(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "expand FROM TO")
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

// A site is a server in the test's own process.
type site struct {
	reference *refserver.Server // nil for sites that are no MCP server
	requests  atomic.Int64
	underWay  atomic.Int64 // requests that are not answered yet
}

// cmdSite starts a server and puts its URL into a variable.
func cmdSite(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "site VARIABLE KIND")
	kind := args[1]
	if kind == "refused" {
		ts.Setenv(args[0], refusedURL(ts))
		return
	}
	s := &site{}
	handler := s.handler(ts, kind)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		s.underWay.Add(1)
		defer s.underWay.Add(-1)
		handler.ServeHTTP(w, r)
	}))
	ts.Defer(func() {
		if s.reference != nil {
			s.reference.Close()
		}
		server.CloseClientConnections()
		server.Close()
	})
	labOf(ts).sites[args[0]] = s
	ts.Setenv(args[0], server.URL+"/mcp")
}

// refusedURL is that of a port on which nothing listens any more.
func refusedURL(ts *testscript.TestScript) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Check(ln.Close())
	return "http://" + ln.Addr().String() + "/mcp"
}

func (s *site) handler(ts *testscript.TestScript, kind string) http.Handler {
	answer := func(status int, header, value, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, value)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	switch kind {
	case "html":
		return answer(http.StatusOK, "Content-Type", "text/html; charset=utf-8", "<!doctype html><title>Welcome</title>")
	case "404":
		return http.NotFoundHandler()
	case "401":
		return answer(http.StatusUnauthorized, "WWW-Authenticate", `Bearer realm="here"`, "")
	case "redirect":
		return answer(http.StatusPermanentRedirect, "Location", "https://example.com/mcp", "")
	case "text":
		return answer(http.StatusOK, "Content-Type", "text/plain", "It works!")
	case "hang":
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // net/http notices that a client has gone once the body is read
			<-r.Context().Done()
		})
	}
	server, err := refserver.New(refserver.Config{})
	ts.Check(err)
	s.reference = server
	switch kind {
	case "reference":
		return server
	case "slow":
		// Like many servers it does not notice that a client has gone, and opens the session all the same.
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(100 * time.Millisecond)
			server.ServeHTTP(w, r)
		})
	case "slash":
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == refserver.Path {
				http.Redirect(w, r, refserver.Path+"/", http.StatusTemporaryRedirect)
				return
			}
			r.URL.Path = refserver.Path
			server.ServeHTTP(w, r)
		})
	case "guarded":
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer hunter2" || r.Header.Get("X-Tenant") != "blue" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			server.ServeHTTP(w, r)
		})
	}
	ts.Fatalf("no site is called %q", kind)
	return nil
}

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

// cmdNoSessions demands that a site has been used and no session is open on it.
func cmdNoSessions(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1, "no-sessions SITE")
	s := labOf(ts).sites[args[0]]
	if s.requests.Load() == 0 {
		ts.Fatalf("nothing was sent")
	}
	// A request that was under way when its client ended is still served.
	for deadline := time.Now().Add(hang); s.underWay.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("%d requests are under way", s.underWay.Load())
		}
	}
	if open := s.reference.OpenSessions(); len(open) > 0 {
		ts.Fatalf("%d sessions are open", len(open))
	}
}

// cmdField compares a member of a JSON file, such as summary.fail, with a JSON value.
func cmdField(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 3, "field FILE PATH JSON")
	var at, want any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &at))
	ts.Check(json.Unmarshal([]byte(args[2]), &want))
	for _, name := range strings.Split(args[1], ".") {
		if list, ok := at.([]any); ok {
			if i := number(ts, name); i >= 0 && i < len(list) {
				at = list[i]
				continue
			}
			ts.Fatalf("a list of %d has no %s", len(list), name)
		}
		object, ok := at.(map[string]any)
		if !ok {
			ts.Fatalf("no object holds %s", name)
		}
		if at, ok = object[name]; !ok {
			ts.Fatalf("no member %s", name)
		}
	}
	if !reflect.DeepEqual(at, want) {
		ts.Fatalf("%s is %v, want %v", args[1], at, want)
	}
}

// cmdSameResults demands that two JSON reports differ in nothing.
func cmdSameResults(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "same-results FILE FILE")
	var reports [2]map[string]any
	for i, name := range args[:2] {
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(name)), &reports[i]))
	}
	for name, value := range reports[0] {
		if !reflect.DeepEqual(value, reports[1][name]) {
			ts.Fatalf("%s differs", name)
		}
	}
	if results := reports[0]["results"].([]any); len(results) == 0 || len(reports[0]) != len(reports[1]) {
		ts.Fatalf("%d results, %d and %d members", len(results), len(reports[0]), len(reports[1]))
	}
}

// cmdNarrow demands that no line of a file is wider than 80 columns, links and commands to copy aside.
func cmdNarrow(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1, "narrow FILE")
	for i, line := range strings.Split(ts.ReadFile(args[0]), "\n") {
		if len([]rune(line)) > 80 && !strings.Contains(line, "https://") && !strings.Contains(line, "curl ") {
			ts.Fatalf("line %d has %d columns: %s", i+1, len([]rune(line)), line)
		}
	}
}
