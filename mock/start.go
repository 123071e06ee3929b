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
	// Turned are sentences about requests that were turned away since they are not the client's, or not of this start.
	Turned []string
}

// A Runner is how a client is started against a persona; it returns when it is done, or the context ends. An error means that it could
// not be started.
type Runner interface {
	Run(ctx context.Context, m Meeting) (Ending, error)
}

// A Meeting is what has to be known to start the client once.
type Meeting struct {
	// URL is the endpoint, Tool a tool that may be called, Token what servers may want, "" where none does.
	URL, Tool, Token string
	Persona          Persona
	// Number counts the starts from one; Planned is how many there will be, 0 while that depends on what the client speaks.
	Number, Planned int
	// Watch has each request of the client told as it arrives, from the first one on; it is told by several goroutines, one at a time.
	Watch func(func(Arrival))
}

// An Arrival is a request of the client, for those who watch.
type Arrival struct {
	// HTTP is its method, Method that of the message in it, "" for none.
	HTTP, Method string
	// About is the version that it asks for or names, or the tool that it calls.
	About string
}

// An Ending is how a client ended.
type Ending struct {
	// How says it in a phrase, Output is the end of what the client wrote.
	How, Output string
	// Cut tells that it did not come to its end by itself: it was stopped, or a signal ended it. What it left undone says nothing then.
	Cut bool
	// Again and Skip tell that this start is to be forgotten: the persona is met anew, or is left out.
	Again, Skip bool
}

// start lets a client meet a persona until that counts, on a port of its own on loopback; nil where the persona is left out.
func (r *runner) start(ctx context.Context, m Meeting, attempt int) (*Start, error) {
	for {
		s, err := r.meet(ctx, m, attempt)
		switch {
		case err != nil || s.Ending.Skip:
			return nil, err
		case !s.Ending.Again || ctx.Err() != nil:
			return s, nil
		}
	}
}

// meet is one such meeting.
func (r *runner) meet(ctx context.Context, m Meeting, attempt int) (*Start, error) {
	listener, err := r.Listen()
	if err != nil {
		return nil, fmt.Errorf("listening for the client: %w", err)
	}
	p := m.Persona.At("http://" + listener.Addr().String())
	server, err := refserver.New(refserver.Config{Profile: p.Profile, Deviation: p.Deviation, Hosts: r.Hosts, Origins: r.Origins})
	if err != nil {
		_ = listener.Close()
		return nil, fmt.Errorf("making the persona %s: %w", p.Name, err)
	}
	defer server.Close()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	mux := http.NewServeMux()
	mux.Handle(r.Path, server)
	if p.Profile.HasHTTPSSE() {
		mux.Handle(refserver.MessagePath, server)
	}
	var handler http.Handler = mux
	if p.Auth != nil {
		handler = &doorman{Auth: *p.Auth, next: mux, path: r.Path}
	}
	recorder := newRecorder(handler, r.budget, r.OnRequest.Token, func() { stop(errFlood) })
	recorder.asks = p.Asks
	gate := &gate{next: recorder, hosts: r.Hosts, origins: r.Origins, earlier: r.earlier}
	web := &http.Server{
		Handler: gate, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: maxHead,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return withConn(ctx, c) },
		// Clients that break connections are nothing to print.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = web.Serve(newTappedListener(listener)) // returns when it is closed
	}()
	limited := ctx
	if r.Limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, r.Limit+p.takes())
		defer cancel()
	}
	m.URL, m.Tool, m.Token, m.Watch = r.URL, EchoTool, r.OnRequest.Token, recorder.watch
	if m.URL == "" {
		m.URL = "http://" + listener.Addr().String() + r.Path
	}
	s := &Start{Persona: p, Attempt: attempt}
	s.Ending, err = r.Client.Run(limited, m)
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
	if p.Auth != nil {
		s.Transcript.Exchanges = ofMCP(s.Transcript.Exchanges, r.Path)
	}
	s.Excess, s.Turned = recorder.excess, gate.told()
	switch {
	case s.Ending.Cut && context.Cause(ctx) == errFlood:
		s.Ending.How = errFlood.Error()
	case s.Excess > 0 && !s.Ending.Cut:
		// What it did in the end may not have been kept.
		s.Transcript.Aborted = "it sent more than is kept of one start"
	}
	if s.Ending.Cut {
		s.Transcript.Aborted = s.Ending.How
	}
	s.Transcript.Revision = revisionOf(p, s.Transcript)
	overHTTPSSE(p, s.Transcript)
	noteSilence(p, s.Transcript)
	s.Transcript.Settle()
	r.earlier.add(s.Transcript)
	return s, nil
}

// errFlood ends a start.
var errFlood = fmt.Errorf("it went on sending far more than is kept of one start, and was stopped")
