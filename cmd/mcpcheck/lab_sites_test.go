package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

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
