package legacy

import (
	"net/http"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
	headerLastID  = "Last-Event-Id"
)

// An exchange is one HTTP request and the answer to it, in a session.
type exchange struct {
	web.Exchange
	s       *Server
	sid     string   // the session id that the client sent
	session *session // never nil after the guards: without sessions it lasts for this exchange only

	standalone *stream // what a GET opened
	link       *link   // only on HTTP+SSE, and there nil where the client names none
}

// exchange makes one that belongs to no session yet.
func (s *Server) exchange(w http.ResponseWriter, r *http.Request, revision string) *exchange {
	x := &exchange{Exchange: web.Exchange{Site: s.site, W: w, R: r, Revision: revision}, s: s}
	x.Describe = func(sc *deviation.Scene) {
		if x.session != nil {
			sc.Revision = x.session.revision
			sc.Ready = x.session.isReady()
		}
	}
	return x
}

// newExchange makes one of Streamable HTTP.
func (s *Server) newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	x := s.exchange(w, r, revision.Assumed)
	if s.profile.Sessions {
		x.sid = r.Header.Get(headerSession)
		x.session = s.sessions.get(x.sid)
		if x.session != nil && x.session.worn(s.profile.Lifetime) {
			s.sessions.end(x.session, expired)
			x.session = nil
		}
	}
	switch version := r.Header.Get(headerVersion); {
	case x.session != nil:
		x.Revision = x.session.revision
	case s.profile.Supports(version):
		x.Revision = version
	}
	return x
}

// readBody reads the messages of a POST. An initialize decides by whose rules it is answered.
func (x *exchange) readBody() bool {
	if !x.ReadBody() {
		return false
	}
	if x.isInitialize() {
		x.Revision = x.s.profile.Negotiate(requestedVersion(x.Only()))
	}
	return true
}

// isInitialize tells whether the POST is an initialize request.
func (x *exchange) isInitialize() bool {
	m := x.Only()
	return m.Kind == jsonrpc.KindRequest && m.Method == methodInitialize
}

// pass runs the guards and answers with the first refusal.
func (x *exchange) pass(guards []web.Guard[*exchange]) bool {
	guard := web.Refused(&x.Exchange, x, guards)
	if guard != "" {
		x.refused(guard)
	}
	return guard == ""
}

// shared makes a check of sessions from one that every era has.
func shared(check func(*web.Exchange) *web.Answer) func(*exchange) *web.Answer {
	return func(x *exchange) *web.Answer { return check(&x.Exchange) }
}
