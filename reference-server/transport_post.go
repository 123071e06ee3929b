package refserver

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
)

// post takes messages of the client (basic/transports#sending-messages-to-the-server).
func (s *Server) post(x *exchange) {
	if !x.readBody() || !x.enter() {
		return
	}
	defer x.leave()
	if m := x.only(); m.kind == kindRequest && m.method == methodInitialize {
		s.initialize(x, m)
		return
	}
	for _, m := range x.messages {
		switch m.kind {
		case kindNotification:
			s.notified(x, m)
		case kindResponse:
			x.session.answered(m)
		}
	}
	requests := x.requests()
	if len(requests) == 0 {
		x.accepted()
		return
	}
	s.serve(x, requests)
}

// readBody reads the messages of a POST, and answers itself where the body is too large.
func (x *exchange) readBody() bool {
	body, err := io.ReadAll(http.MaxBytesReader(x.w, x.r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		x.send(plain("too-large", http.StatusRequestEntityTooLarge, "the body is larger than 4 MiB"))
		return false
	}
	if err != nil {
		return false // the client has gone
	}
	strict := func(rule string) bool { return !x.s.dev.on(rule, x) }
	var fault *rpcError
	x.messages, x.batch, fault = readBody(body, strict)
	x.unread = fault != nil
	if x.isInitialize() {
		x.revision = x.s.profile.negotiate(x.only().requestedVersion())
	}
	return true
}

// accepted answers notifications and responses: 202 without a body.
func (x *exchange) accepted() {
	outcome := "accepted-notification"
	switch m := x.only(); {
	case x.batch:
		outcome = "accepted-batch"
	case m.kind == kindResponse:
		outcome = "accepted-response"
	}
	x.send(newAnswer(outcome, http.StatusAccepted))
}

// serve answers requests, as one JSON document or on a stream of events: the server alone chooses which.
func (s *Server) serve(x *exchange, requests []message) {
	if s.dev.limited(x) {
		return
	}
	release, ok := s.dev.worker(x)
	if !ok {
		return
	}
	defer release()

	// Whatever needs no time is answered before a stream is opened, so that an error can do without one.
	calls := make([]*request, len(requests))
	streams := s.profile.SSE
	for i, m := range requests {
		calls[i] = s.prepare(x, m)
		streams = streams || calls[i].streams()
	}
	if first := calls[0]; len(calls) == 1 && first.err != nil {
		x.sendMessages(newAnswer(outcomeOfError(first.err), http.StatusOK), first.response())
		return
	}
	if streams {
		s.serveStream(x, "served-sse", http.Header{}, calls...)
		return
	}
	if !s.dev.hang(x, switchHangHead) {
		return
	}
	answers := make([]outgoing, len(calls))
	for i, c := range calls {
		answers[i] = s.dev.swapped(c, c.response())
	}
	if x.only().kind == kindRequest {
		s.dev.respondOnGet(x, answers[0])
	}
	x.sendMessages(newAnswer("served-json", http.StatusOK), answers...)
}

// serveStream answers calls on a stream of events: what belongs to a call goes ahead of its response, and after the last
// response the stream ends.
func (s *Server) serveStream(x *exchange, outcome string, header http.Header, calls ...*request) {
	if !s.dev.hang(x, switchHangHead) {
		return
	}
	st := x.session.log.open(x.scene())
	s.prime(x, st)
	var pending sync.WaitGroup
	for _, c := range calls {
		c.stream = st
		if c.err != nil || c.tool == nil {
			s.deliver(x, c)
			continue
		}
		ctx, done := x.session.begin(c.message.id)
		c.ctx = ctx
		pending.Add(1)
		s.spawn(func() {
			defer pending.Done()
			defer done()
			c.run()
			if ctx.Err() == nil || s.dev.answersCancelled(x, c) {
				s.deliver(x, c)
			}
		})
	}
	finish := func() {
		pending.Wait()
		if !s.dev.on(switchKeepOpen, x) {
			st.finish()
		}
	}
	if len(calls) == 1 && calls[0].tool == nil {
		finish()
	} else {
		s.spawn(finish)
	}
	x.stream(outcome, header, st, 0)
	s.dev.gone(x, st, calls)
	if !s.profile.Store {
		x.session.log.forget(st)
	}
}

// deliver puts the response of a call on its stream.
func (s *Server) deliver(x *exchange, c *request) {
	out := s.dev.swapped(c, c.response())
	if s.dev.on(switchCloseEarly, x) {
		c.stream.finish()
		return
	}
	s.emit(c.stream, c.scene, out)
	s.dev.respondOnGet(x, out)
	s.dev.respondElsewhere(x, c.stream, out)
}

// prime starts a stream with an event that has an id and no data, so that the client can come back before anything was
// said (2025-11-25: basic/transports#sending-messages-to-the-server).
func (s *Server) prime(x *exchange, st *stream) {
	if !s.profile.Store || x.session.revision < Rev20251125 && !s.dev.on(switchPrimeAlways, x) {
		return
	}
	s.emitEvent(st, frame{kind: framePriming})
}

// notified takes a notification. What the server does not know it ignores.
func (s *Server) notified(x *exchange, m message) {
	switch m.method {
	case "notifications/initialized":
		x.session.initialized()
	case "notifications/cancelled":
		var params struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		if decodeParams(m, &params) == nil && !x.session.cancelCall(params.RequestID) {
			s.dev.ignored(x)
		}
	}
}

func outcomeOfError(err *rpcError) string {
	switch err.Code {
	case codeMethodNotFound:
		return "method-not-found"
	case codeInvalidParams:
		return "invalid-params"
	case codeResourceNotFound:
		return "resource-not-found"
	case codeInvalidRequest:
		return "invalid-element"
	}
	return "internal-error"
}
