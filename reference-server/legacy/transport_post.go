package legacy

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// The switches of the streams that answer a POST.
var (
	switchKeepOpen    = switches.Add("keep-open", "leaves a POST stream open after the response")
	switchCloseEarly  = switches.Add("close-before-response", "ends a POST stream before the response")
	switchPrimeAlways = switches.Add("prime-always", "sends the priming event in every revision")
)

// post takes messages of the client (basic/transports#sending-messages-to-the-server).
func (s *Server) post(x *exchange) {
	if !x.readBody() || !x.enter() {
		return
	}
	defer x.leave()
	if m := x.Only(); m.Kind == jsonrpc.KindRequest && m.Method == methodInitialize {
		s.initialize(x, m)
		return
	}
	for _, m := range x.Messages {
		switch m.Kind {
		case jsonrpc.KindNotification:
			s.notified(x, m)
		case jsonrpc.KindResponse:
			x.session.answered(m)
		}
	}
	requests := x.Requests()
	if len(requests) == 0 {
		x.accepted()
		return
	}
	s.serve(x, requests)
}

// accepted answers notifications and responses: 202 without a body.
func (x *exchange) accepted() {
	outcome := "accepted-notification"
	switch m := x.Only(); {
	case x.Batch:
		outcome = "accepted-batch"
	case m.Kind == jsonrpc.KindResponse:
		outcome = "accepted-response"
	}
	x.Send(web.NewAnswer(outcome, http.StatusAccepted))
}

// serve answers requests, as one JSON document or on a stream of events: the server alone chooses which.
func (s *Server) serve(x *exchange, requests []jsonrpc.Message) {
	if x.Limited() {
		return
	}
	release, ok := x.Worker()
	if !ok {
		return
	}
	defer release()

	// Whatever needs no time is answered before a stream is opened, so that an error can do without one.
	calls := make([]*request, len(requests))
	streams := s.profile.SSE
	for i, m := range requests {
		calls[i] = s.prepare(x, m)
		streams = streams || calls[i].Pending()
	}
	if first := calls[0]; len(calls) == 1 && first.Err != nil {
		x.SendMessages(web.NewAnswer(web.OutcomeOfError(first.Err), http.StatusOK), first.Response())
		return
	}
	if streams {
		s.serveStream(x, "served-sse", http.Header{}, calls...)
		return
	}
	if x.HangsBeforeHead() {
		return
	}
	answers := make([]jsonrpc.Outgoing, len(calls))
	for i, c := range calls {
		answers[i] = c.swapped(c.Response())
	}
	if x.Only().Kind == jsonrpc.KindRequest {
		x.respondOnGet(answers[0])
	}
	x.SendMessages(web.NewAnswer(web.ServedJSON, http.StatusOK), answers...)
}

// serveStream answers calls on a stream of events: what belongs to a call goes ahead of its response, and after the last
// response the stream ends.
func (s *Server) serveStream(x *exchange, outcome string, header http.Header, calls ...*request) {
	if x.HangsBeforeHead() {
		return
	}
	st := x.session.log.open(x.Scene())
	s.prime(x, st)
	var pending sync.WaitGroup
	for _, c := range calls {
		c.stream = st
		if !c.Pending() {
			s.deliver(x, c)
			continue
		}
		ctx, done := x.session.begin(c.Message.ID)
		c.Ctx = ctx
		pending.Add(1)
		s.spawn(func() {
			defer pending.Done()
			defer done()
			c.Run()
			if ctx.Err() == nil || x.answersCancelled(c) {
				s.deliver(x, c)
			}
		})
	}
	finish := func() {
		pending.Wait()
		if !x.On(switchKeepOpen) {
			st.finish()
		}
	}
	if len(calls) == 1 && !calls[0].Pending() {
		finish()
	} else {
		s.spawn(finish)
	}
	x.stream(outcome, header, st, 0)
	x.gone(st, calls)
	if !s.profile.Store {
		x.session.log.forget(st)
	}
}

// deliver puts the response of a call on its stream.
func (s *Server) deliver(x *exchange, c *request) {
	out := c.swapped(c.Response())
	if x.On(switchCloseEarly) {
		c.stream.finish()
		return
	}
	if x.answeredOnGet(out) {
		c.stream.finish()
		return
	}
	s.emit(c.stream, c.scene, out)
	x.respondOnGet(out)
	x.respondElsewhere(c.stream, out)
}

// prime starts a stream with an event that has an id and no data, so that the client can come back before anything was
// said (2025-11-25: basic/transports#sending-messages-to-the-server).
func (s *Server) prime(x *exchange, st *stream) {
	if !s.profile.Store || !revision.AtLeast(x.session.revision, revision.V20251125) && !x.On(switchPrimeAlways) {
		return
	}
	s.emitEvent(st, deviation.Frame{Kind: deviation.FramePriming})
}

// notified takes a notification. What the server does not know it ignores.
func (s *Server) notified(x *exchange, m jsonrpc.Message) {
	switch m.Method {
	case "notifications/initialized":
		x.session.initialized()
	case "notifications/cancelled":
		var params struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		if jsonrpc.DecodeParams(m, &params) == nil && !x.session.cancelCall(params.RequestID) {
			x.ignored()
		}
	}
}
