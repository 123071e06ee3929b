package mcpchecktest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

// clientName is what servers see in clientInfo.
const clientName = "mcpchecktest"

// check records and judges. Judging goes without Ginkgo, which the author's own suite may be run by.
func (s *settings) check(ctx context.Context, target any) (*Report, error) {
	suite, err := suites.New(eras.All()...)
	if err != nil {
		return nil, fmt.Errorf("mcpchecktest: %w", err)
	}
	baseline, err := s.verify(suite)
	if err != nil {
		return nil, err
	}
	address, stop, err := s.serve(target)
	if err != nil {
		return nil, err
	}
	defer stop()
	record, err := suites.Run(ctx, suite, suites.Options{
		Tool: report.Tool{Name: "mcpcheck", Version: version()}, Selection: s.selection, MaxTime: s.maxTime,
		Client: client.Config{
			URL: address, Header: s.header, Timeout: s.timeout, TLS: s.tls, ClientName: clientName, ClientVersion: version(),
		},
	})
	if err != nil {
		return nil, fmt.Errorf("mcpchecktest: %w", err)
	}
	defer record.Close()
	r := &Report{report: record.Report(suite, record.JudgeAll(suite)), strict: s.strict}
	if missing, listed := record.UnlistedCalls(suite); len(missing) > 0 {
		return nil, fmt.Errorf("mcpchecktest: Call: the server lists no tool %q; it lists %q", missing, listed)
	}
	r.unmatched = baseline.Apply(&r.report)
	if r.report.Incomplete != nil {
		r.report.Incomplete.Accepted = s.acceptIncomplete
	}
	for _, out := range s.outputs {
		var b bytes.Buffer
		if err := errors.Join(r.Write(&b, out.format), os.WriteFile(out.path, b.Bytes(), 0o644)); err != nil {
			return nil, fmt.Errorf("mcpchecktest: writing the %s report: %w", out.format, err)
		}
	}
	return r, nil
}

// serve gives the URL of a target, and serves it where it is a handler.
func (s *settings) serve(target any) (address string, stop func(), err error) {
	var handler http.Handler
	switch target := target.(type) {
	case string:
		u, err := url.Parse(target)
		if err != nil || u.Host == "" {
			return "", nil, fmt.Errorf("mcpchecktest: %q is no URL of an MCP endpoint, such as http://localhost:3000/mcp", target)
		}
		return target, func() {}, nil
	case http.Handler:
		handler = target
	case func(http.ResponseWriter, *http.Request):
		handler = http.HandlerFunc(target)
	}
	if handler == nil {
		return "", nil, fmt.Errorf("mcpchecktest: the target is a %T; it has to be a URL (string) or an http.Handler", target)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("mcpchecktest: serving the handler: %w", err)
	}
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: time.Minute,
		// Connections that break are part of the check.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() { _ = server.Serve(listener) }() // returns when it is closed
	return (&url.URL{Scheme: "http", Host: listener.Addr().String(), Path: s.path}).String(), func() {
		// Handlers get a moment to end; one that hangs keeps nobody.
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
	}, nil
}
