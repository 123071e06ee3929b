package legacy

import (
	"context"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

const (
	pingEvery   = 5 * time.Second
	pingTimeout = 3 * time.Second
)

// talk lets a talkative server speak on the GET stream of the exchange until the returned function is called: a log message
// and a ping, at once and every few seconds.
func (s *Server) talk(x *exchange) (stop func()) {
	if !s.profile.Talkative {
		return func() {}
	}
	ctx, cancel := context.WithCancel(x.session.ctx)
	sess := x.session
	s.spawn(func() {
		// Only pings may go ahead of the notification that the client is ready; waiting is simpler
		// (basic/lifecycle#initialization).
		select {
		case <-sess.ready:
		case <-ctx.Done():
			return
		}
		for ctx.Err() == nil {
			if sess.state.Wants("info") {
				s.push(sess, core.LogMessage("info", "still here"))
			}
			// Two at a time: each has to be told from the other.
			first, second := s.ping(sess), s.ping(sess)
			s.outlast(ctx, sess, first)
			s.outlast(ctx, sess, second)
			core.Sleep(ctx.Done(), pingEvery)
		}
	})
	return cancel
}

// A ping is a request of the server that waits for its response.
type ping struct {
	id       any
	answered <-chan jsonrpc.Message
	forget   func()
	deadline time.Time
}

// ping asks the client whether it is there (basic/utilities/ping). Its progress token is as unique as its id
// (basic/utilities/progress#progress-flow).
func (s *Server) ping(sess *session) ping {
	name := sess.nextRequestID()
	p := ping{id: s.requestID(name), deadline: time.Now().Add(s.pingTimeout())}
	p.answered, p.forget = sess.await(p.id)
	params := map[string]any{"_meta": map[string]any{"progressToken": "progress-of-" + name}}
	s.push(sess, jsonrpc.Request(p.id, "ping", params))
	return p
}

// outlast waits for the response. A request has a time-out; when it passes, the server stops waiting and says so by a cancellation
// (basic/lifecycle#timeouts).
func (s *Server) outlast(ctx context.Context, sess *session, p ping) {
	defer p.forget()
	timeout := time.NewTimer(time.Until(p.deadline))
	defer timeout.Stop()
	select {
	case <-p.answered:
	case <-ctx.Done():
	case <-timeout.C:
		if !s.hangsUp(sess) {
			s.push(sess, jsonrpc.Notification("notifications/cancelled", map[string]any{"requestId": p.id, "reason": "no answer in time"}))
		}
	}
}

// await registers a request of the server that waits for a response until it is forgotten.
func (s *session) await(id any) (answered <-chan jsonrpc.Message, forget func()) {
	key, response := string(jsonrpc.Encode(id)), make(chan jsonrpc.Message, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending[key] = response
	return response, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.pending[key] == response {
			delete(s.pending, key)
		}
	}
}
