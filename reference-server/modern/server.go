// Package modern serves 2026-07-28, in which every request stands on its own: its headers and its _meta say who speaks which revision,
// what the server wants to know of the client it asks for in a result, and changes are told on the stream of subscriptions/listen. What
// the methods do is in core.
package modern

import (
	"crypto/rand"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/profile"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// keepAliveEvery is how long a stream is silent before a comment says that it is still there
// (basic/transports/streamable-http#receiving-messages).
const keepAliveEvery = 15 * time.Second

// A Server serves 2026-07-28.
type Server struct {
	profile profile.Profile
	core    *core.Server
	site    *web.Site
	dev     *deviation.Deviator // that of the site
	state   *core.State         // of everybody: nothing is kept for one client
	hub     hub
	memory  memory      // only in a server that deviates
	met     atomic.Bool // a request came; only in a server that deviates
	key     [32]byte    // protects requestState; another server, or this one started again, does not take it
}

// New makes a server of a profile. It ends with the context of the site, and keeps nothing that has to be closed.
func New(p profile.Profile, methods *core.Server, site *web.Site) *Server {
	s := &Server{profile: p, core: methods, site: site, dev: site.Dev, state: core.NewState()}
	_, _ = rand.Read(s.key[:]) // never fails since Go 1.24
	return s
}

// ServeHTTP answers one HTTP request: guards first, then the message in it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := s.newExchange(w, r)
	if s.site.ServesAuth(r) {
		x.ServeAuth()
		return
	}
	if !x.pass(headGuards) || !x.readBody() || !x.pass(messageGuards) {
		x.remember(false)
		return
	}
	x.remember(true)
	if x.Only().Kind == jsonrpc.KindNotification {
		// There is none that means anything here: closing the stream is what cancels (basic/patterns/cancellation).
		x.Send(web.NewAnswer("accepted-notification", http.StatusAccepted))
		return
	}
	s.serve(x)
}

// serve answers a request that passed the guards.
func (s *Server) serve(x *exchange) {
	if x.Limited() {
		return
	}
	release, ok := x.Worker()
	if !ok {
		return
	}
	defer release()
	c := x.newRequest()
	defer c.leave()
	switch c.Message.Method {
	case methodDiscover:
		c.Result = s.discover(c)
	case methodListen:
		c.listen()
		return
	default:
		c.Answer()
	}
	if c.Pending() {
		c.run()
	}
	c.respond()
}
