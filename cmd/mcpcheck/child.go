package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/process"
	"github.com/mcpcheck/mcpcheck/suites"
)

const (
	// childWait is how long a server that we started may take to listen, without --wait.
	childWait = 30 * time.Second
	// pollEvery is how often a port is tried.
	pollEvery = 50 * time.Millisecond
	// childGrace is how long a server may take to end before it is killed.
	childGrace = 5 * time.Second
	// hurriedGrace is how long it may take where somebody waits for us to end.
	hurriedGrace = 500 * time.Millisecond
	// childSettles is how long a server that no longer listens may take to end.
	childSettles = time.Second
	// maxOutput is how much of its output is kept, the end of it.
	maxOutput = 64 << 10
)

// awaitPort tries until something listens where the URL points, or the time is up, or the context ends, and tells meanwhile that it
// does. It sends nothing: what the first request finds is for the survey to say.
func awaitPort(ctx context.Context, raw string, patience time.Duration, given <-chan struct{}, tell func(suites.Progress)) bool {
	address := addressOf(raw)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var d net.Dialer
	begun := time.Now()
	for {
		if tell != nil {
			tell(suites.Progress{Phase: "start", Waiting: address + " to listen", Waited: time.Since(begun)})
		}
		conn, err := d.DialContext(ctx, "tcp", address)
		if err == nil {
			_ = conn.Close()
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-given:
			return false
		case <-time.After(pollEvery):
		}
	}
}

// addressOf is where the server of a URL listens, with the port that goes without saying.
func addressOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// refuses tells that nothing listens where the URL points: a connection is refused, and not merely slow.
func refuses(ctx context.Context, raw string) bool {
	d := net.Dialer{Timeout: childGrace}
	conn, err := d.DialContext(ctx, "tcp", addressOf(raw))
	if err == nil {
		_ = conn.Close()
	}
	var slow net.Error
	return err != nil && ctx.Err() == nil && !(errors.As(err, &slow) && slow.Timeout())
}

// A child is a server that we started for one run, with all its children.
type child struct {
	cmd    *exec.Cmd
	name   string
	output process.Tail
	done   chan struct{}
	err    error // why it ended; valid when done is closed
}

// startChild starts a server. Its output is kept and shown when it helps.
func startChild(args []string) (*child, error) {
	s := &child{cmd: exec.Command(args[0], args[1:]...), name: args[0], done: make(chan struct{}), output: process.Tail{Most: maxOutput}}
	s.cmd.Stdout, s.cmd.Stderr = &s.output, &s.output
	process.OwnGroup(s.cmd)
	if err := s.cmd.Start(); err != nil {
		return nil, usagef("everything behind -- is the command that starts the server, such as -- npm start", "starting the server: %w", err)
	}
	go func() {
		s.err = s.cmd.Wait()
		close(s.done)
	}()
	return s, nil
}

// ended tells that the server has ended by itself, and how.
func (s *child) ended() (string, bool) {
	select {
	case <-s.done:
	default:
		return "", false
	}
	var exit *exec.ExitError
	switch {
	case s.err == nil:
		return "it ended with exit code 0", true
	case errors.As(s.err, &exit):
		return "it ended with " + exit.String(), true
	}
	return s.err.Error(), true
}

// settle waits a moment for a server to end that has let go of its connections.
func (s *child) settle() {
	select {
	case <-s.done:
	case <-time.After(childSettles):
	}
}

// stop ends the server and all its children: gently, then by force, and sooner where somebody is in a hurry.
func (s *child) stop(hurry <-chan struct{}) {
	_ = process.Terminate(s.cmd)
	select {
	case <-s.done:
	case <-time.After(childGrace):
	case <-hurry:
		select {
		case <-s.done:
		case <-time.After(hurriedGrace):
		}
	}
	// Children of a server that ended may still be there.
	_ = process.Kill(s.cmd)
	select {
	case <-s.done:
	case <-time.After(time.Second):
	}
}

// said is the end of its output, for people.
func (s *child) said() string {
	text := strings.TrimRight(s.output.String(), "\n")
	if text == "" {
		return fmt.Sprintf("%s wrote nothing", s.name)
	}
	return fmt.Sprintf("output of %s:\n%s", s.name, text)
}

// awaitReady waits, for as long as there is patience, while what listens answers 503: a server, or something in front of it, that is
// still starting. Any other answer, and none, is for the survey.
func awaitReady(ctx context.Context, raw string, patience time.Duration, tell func(suites.Progress)) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	direct := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	begun := time.Now()
	for {
		// HEAD asks for nothing that could be opened or changed.
		request, err := http.NewRequestWithContext(ctx, http.MethodHead, raw, nil)
		if err != nil {
			return
		}
		answer, err := direct.Do(request)
		if err != nil {
			return
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusServiceUnavailable {
			return
		}
		if tell != nil {
			tell(suites.Progress{Phase: "start", Waiting: request.URL.Host + " to answer anything but 503", Waited: time.Since(begun)})
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pollEvery):
		}
	}
}
