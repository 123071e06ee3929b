package legacy

import (
	"net/http"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// getGuards need to know the streams of the session.
var getGuards = []web.Guard[*exchange]{
	{Name: "unknown-event-id", Check: checkEventID},
	{Name: "second-stream", Check: checkSingleStream},
}

// checkEventID refuses to resume from an event that the session does not have. The specification is silent about it.
func checkEventID(x *exchange) *web.Answer {
	last := x.R.Header.Get(headerLastID)
	if last == "" || !x.s.profile.Store {
		return nil
	}
	if st, _ := x.find(last); st != nil {
		return nil
	}
	return web.RefuseText(http.StatusBadRequest, "no event %q to resume from", last)
}

// checkSingleStream allows one standalone stream at a time, as the official SDKs do: with several, each message would have
// to choose one.
func checkSingleStream(x *exchange) *web.Answer {
	if x.R.Header.Get(headerLastID) != "" && x.s.profile.Store {
		return nil
	}
	x.standalone = x.session.log.openStandalone(x.Scene(), false)
	if x.standalone != nil {
		return nil
	}
	return web.RefuseText(http.StatusConflict, "the session has a stream already")
}

// get opens the stream for messages of the server, or resumes a stream
// (basic/transports#listening-for-messages-from-the-server).
func (s *Server) get(x *exchange) {
	if !x.enter() {
		return
	}
	defer x.leave()
	if !x.pass(getGuards) {
		return
	}
	if x.HangsBeforeHead() {
		return
	}
	if last := x.R.Header.Get(headerLastID); last != "" && s.profile.Store {
		if st, next := x.resume(last); st != nil {
			if x.isStandalone(st) {
				defer s.talk(x)()
			}
			x.stream("resumed-stream", nil, st, next)
			return
		}
	}
	if x.standalone == nil {
		x.standalone = x.session.log.openStandalone(x.Scene(), true)
	}
	defer s.talk(x)()
	x.stream("get-stream", nil, x.standalone, 0)
	if !s.profile.Store {
		x.session.log.forget(x.standalone)
	}
}

func (x *exchange) isStandalone(st *stream) bool {
	x.session.log.mu.Lock()
	defer x.session.log.mu.Unlock()
	return x.session.log.standalone == st
}

// push sends a message that belongs to no request of the client. It goes to the standalone stream and nowhere else
// (basic/transports#multiple-connections); without such a stream nobody hears it.
func (s *Server) push(sess *session, out jsonrpc.Outgoing) {
	sess.log.mu.Lock()
	st := sess.log.standalone
	listening := st != nil && (st.attached || s.profile.Store && sess.log.link == nil)
	var others []*stream
	for _, o := range sess.log.streams {
		if o != st && o.attached {
			others = append(others, o)
		}
	}
	sess.log.mu.Unlock()
	if !listening {
		return
	}
	sc := st.scene
	if sess.log.link != nil {
		sc.Revision, sc.Ready = sess.revision, sess.isReady() // the stream is older than the session
	}
	s.emit(st, sc, out)
	s.broadcast(others, out)
}
