// Package legacy serves the revisions with an initialize handshake, 2024-11-05 to 2025-11-25: sessions, the stream that GET opens,
// events that are kept and replayed, and the older HTTP+SSE. What the methods do is in core.
package legacy

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/profile"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

const (
	defaultIdle    = time.Hour
	keepAliveEvery = 15 * time.Second
)

// A Server serves the revisions with an initialize handshake, over Streamable HTTP and over HTTP+SSE.
type Server struct {
	profile  profile.Profile
	core     *core.Server
	site     *web.Site
	dev      *deviation.Deviator // that of the site
	ctx      context.Context     // that of the site
	sessions *sessions
	links    *links // of HTTP+SSE
	former   former

	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup // running calls and the talkative loops; none of them touches a connection
}

// New makes a server of a profile. Sessions that are not used for the time idle end; zero is an hour.
func New(p profile.Profile, methods *core.Server, site *web.Site, idle time.Duration) *Server {
	if idle <= 0 {
		idle = defaultIdle
	}
	return &Server{profile: p, core: methods, site: site, dev: site.Dev, ctx: site.Ctx,
		sessions: newSessions(site.Ctx, idle), links: &links{ctx: site.Ctx}}
}

// Close ends every session and running call, and waits for the goroutines that the server started itself. The context of the
// site has to be done.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.sessions.endAll()
	s.work.Wait()
}

// OpenSessions returns the ids of the sessions that nobody has ended, in no order. On HTTP+SSE these are the open streams.
func (s *Server) OpenSessions() []string { return append(s.sessions.ids(), s.links.ids()...) }

// ServeHTTP answers one HTTP request: guards first, then the transport's three methods.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.site.ServesAuth(r) {
		s.newExchange(w, r).ServeAuth()
		return
	}
	if s.isHTTPSSE(r) {
		s.serveHTTPSSE(w, r)
		return
	}
	x := s.newExchange(w, r)
	if !x.pass(headGuards) {
		return
	}
	if x.session != nil {
		x.session.touch()
	}
	switch r.Method {
	case http.MethodPost:
		s.post(x)
	case http.MethodGet:
		s.get(x)
	case http.MethodDelete:
		s.delete(x)
	}
}

// spawn runs f beside the request that caused it; after Close it does nothing. f ends soon after the server's context.
func (s *Server) spawn(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.work.Go(f)
	}
}
