package mock

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/wire"
)

// transport is what all personas speak so far.
const transport = "streamable-http"

// A Start is one run of the client against one persona.
type Start struct {
	Persona Persona
	Attempt int
	// Transcript is what was said; its exchanges are whole.
	Transcript *wire.Transcript
	Ending     Ending
	// Excess counts the requests that came beyond those that are kept.
	Excess int
}

// A Runner is how a client is started against a URL; it returns when it is done, or the context ends. An error means that it could not be started.
type Runner interface {
	Run(ctx context.Context, url, tool string) (Ending, error)
}

// An Ending is how a client ended.
type Ending struct {
	// How says it in a phrase, Output is the end of what the client wrote.
	How, Output string
	// Cut tells that it did not come to its end by itself: it was stopped, or a signal ended it. What it left undone says nothing then.
	Cut bool
}

// start lets a client meet a persona, on a port of its own on loopback.
func start(ctx context.Context, o Options, p Persona, attempt int) (*Start, error) {
	listener, err := o.Listen()
	if err != nil {
		return nil, fmt.Errorf("listening for the client: %w", err)
	}
	p = p.At("http://" + listener.Addr().String())
	server, err := refserver.New(refserver.Config{Profile: p.Profile, Deviation: p.Deviation})
	if err != nil {
		_ = listener.Close()
		return nil, fmt.Errorf("making the persona %s: %w", p.Name, err)
	}
	defer server.Close()
	mux := http.NewServeMux()
	mux.Handle(refserver.Path, server)
	if p.Profile.HasHTTPSSE() {
		mux.Handle(refserver.MessagePath, server)
	}
	recorder := newRecorder(mux)
	web := &http.Server{
		Handler: recorder, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: maxHead,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return withConn(ctx, c) },
		// Clients that break connections are nothing to print.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = web.Serve(newTappedListener(listener)) // returns when it is closed
	}()
	ctx, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	s := &Start{Persona: p, Attempt: attempt}
	s.Ending, err = o.Client.Run(ctx, "http://"+listener.Addr().String()+refserver.Path, EchoTool)
	// Streams that the client left open end with the server, connections with the listener.
	server.Close()
	_ = web.Close()
	<-done
	if err != nil {
		return nil, err
	}
	s.Transcript = &wire.Transcript{
		Subject: wire.ClientSubject, Script: p.Name, Attempt: attempt, Transport: transport,
		Started: recorder.started, Exchanges: recorder.stop(), Duration: time.Since(recorder.started),
	}
	if s.Ending.Cut {
		s.Transcript.Aborted = s.Ending.How
	}
	s.Transcript.Revision = revisionOf(p, s.Transcript)
	overHTTPSSE(p, s.Transcript)
	s.Transcript.Settle()
	s.Excess = recorder.excess
	return s, nil
}
