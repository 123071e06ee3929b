package refserver

import (
	"context"
	"time"
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
			if sess.wants("info") {
				s.push(sess, logMessage("info", "still here"))
			}
			s.ping(ctx, sess)
			sleep(ctx.Done(), pingEvery)
		}
	})
	return cancel
}

// ping asks the client whether it is there (basic/utilities/ping). A request has a time-out; when it passes, the server
// stops waiting and says so by a cancellation (basic/lifecycle#timeouts).
func (s *Server) ping(ctx context.Context, sess *session) {
	id := s.dev.requestID(sess.nextRequestID())
	key, answered := string(encode(id)), make(chan struct{})
	sess.mu.Lock()
	sess.pending[key] = answered
	sess.mu.Unlock()
	s.push(sess, outgoing{kind: outRequest, method: "ping", body: rpcCall{JSONRPC: "2.0", ID: id, Method: "ping"}})

	timeout := time.NewTimer(s.dev.pingTimeout(pingTimeout))
	defer timeout.Stop()
	select {
	case <-answered:
		return
	case <-ctx.Done():
	case <-timeout.C:
		if s.dev.hangsUp(sess) {
			break
		}
		s.push(sess, notification("notifications/cancelled", map[string]any{"requestId": id, "reason": "no answer in time"}))
	}
	sess.mu.Lock()
	delete(sess.pending, key)
	sess.mu.Unlock()
}
