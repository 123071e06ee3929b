package legacy

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// maxEnded bounds the memory for ids of ended sessions; an older one is as good as unknown, and gets the same 404.
const maxEnded = 4096

// A session is what one client and the server agreed on in initialize, and all that the client left behind
// (basic/transports#session-management). A server without sessions makes one for each exchange.
type session struct {
	id       string
	revision string
	client   core.ClientCapabilities
	ctx      context.Context // done when the session has ended
	cancel   context.CancelFunc
	ready    chan struct{} // closed by notifications/initialized
	idle     *time.Timer   // nil in a session of one exchange
	idleFor  time.Duration
	log      *eventLog
	state    *core.State // what its methods keep

	mu       sync.Mutex
	running  map[string]context.CancelFunc   // calls that the client may cancel, by request id
	pending  map[string]chan jsonrpc.Message // requests of the server that wait for a response, by id
	requests int                             // of the server, so far
	served   int                             // exchanges, so far
	swap     chan swapped                    // only for the deviation that swaps answers
}

func newSession(parent context.Context, id, revision string) *session {
	s := &session{
		id:       id,
		revision: revision,
		ready:    make(chan struct{}),
		running:  map[string]context.CancelFunc{},
		pending:  map[string]chan jsonrpc.Message{},
		log:      &eventLog{},
		state:    core.NewState(),
		swap:     make(chan swapped),
	}
	s.ctx, s.cancel = context.WithCancel(parent)
	return s
}

// touch starts the idle time anew.
func (s *session) touch() {
	if s.idle != nil {
		s.idle.Reset(s.idleFor)
	}
}

// initialized notes that the client is ready. A second notification changes nothing.
func (s *session) initialized() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isReady() {
		close(s.ready)
	}
}

func (s *session) isReady() bool {
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

// begin registers a call under the id of its request, so that the client can cancel it.
func (s *session) begin(id json.RawMessage) (context.Context, func()) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[string(id)] = cancel
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, string(id))
	}
}

// cancelCall stops a running call. An unknown or finished one is ignored (basic/utilities/cancellation#behavior-requirements).
func (s *session) cancelCall(id json.RawMessage) (running bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cancel := s.running[string(id)]
	if cancel != nil {
		cancel()
	}
	return cancel != nil
}

// sessions are the live ones, and the ids of those that ended.
type sessions struct {
	ctx     context.Context
	idleFor time.Duration

	mu    sync.Mutex
	live  map[string]*session
	dead  map[string]string // how they ended: the name of the guard that refuses them
	order []string          // of dead, oldest first
	count int
}

func newSessions(ctx context.Context, idleFor time.Duration) *sessions {
	return &sessions{ctx: ctx, idleFor: idleFor, live: map[string]*session{}, dead: map[string]string{}}
}

// open starts a session. generate makes its id: it is unique, cannot be guessed and consists of visible ASCII
// (basic/transports#session-management).
func (ss *sessions) open(revision string, generate func(n int) string) *session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.count++
	s := newSession(ss.ctx, generate(ss.count), revision)
	s.idleFor = ss.idleFor
	s.idle = time.AfterFunc(ss.idleFor, func() { ss.end(s, expired) })
	ss.live[s.id] = s
	delete(ss.dead, s.id)
	return s
}

func (ss *sessions) get(id string) *session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.live[id]
}

// How a session ended; also the outcome of what is sent to it afterwards.
const (
	terminated = "terminated-session" // by the client
	expired    = "expired-session"    // by the server
)

// ended tells how a session ended; empty for one that lives or never was.
func (ss *sessions) ended(id string) string {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.dead[id]
}

func (ss *sessions) ids() []string {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return slices.Collect(maps.Keys(ss.live))
}

// end ends a session: its calls are cancelled and its streams closed.
func (ss *sessions) end(s *session, how string) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s.cancel()
	if s.idle != nil {
		s.idle.Stop()
	}
	if ss.live[s.id] != s {
		return
	}
	delete(ss.live, s.id)
	ss.dead[s.id] = how
	ss.order = append(ss.order, s.id)
	if len(ss.order) > maxEnded {
		delete(ss.dead, ss.order[0])
		ss.order = ss.order[1:]
	}
}

func (ss *sessions) endAll() {
	ss.mu.Lock()
	live := slices.Collect(maps.Values(ss.live))
	ss.mu.Unlock()
	for _, s := range live {
		ss.end(s, expired)
	}
}

// The switches of how sessions are ended.
var (
	switchDeleteNothing = switches.Add("delete-nothing", "answers DELETE but keeps the session")
	switchDeleteAll     = switches.Add("delete-all", "ends every session at any DELETE")
)

// delete ends the session of the exchange (basic/transports#session-management).
func (s *Server) delete(x *exchange) {
	if !x.enter() {
		return
	}
	defer x.leave()
	switch {
	case x.On(switchDeleteNothing):
	case x.On(switchDeleteAll):
		s.sessions.endAll()
	default:
		s.sessions.end(x.session, terminated)
	}
	x.Send(web.NewAnswer("delete-done", http.StatusNoContent))
}

// enter applies the guards that come after the body, and makes a session for the exchange where there is none.
func (x *exchange) enter() bool {
	if !x.pass(messageGuards) {
		return false
	}
	if x.session == nil {
		x.session = newSession(x.s.ctx, "", x.Revision)
		x.session.initialized()
	}
	if x.session.idle != nil {
		x.session.mu.Lock()
		x.session.served++
		x.session.mu.Unlock()
	}
	x.counted()
	return true
}

// worn tells that the session has had its share of exchanges: a server may end one at any time
// (basic/transports#session-management).
func (s *session) worn(lifetime int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return lifetime > 0 && s.served >= lifetime
}

// leave ends a session that was made for the exchange only.
func (x *exchange) leave() {
	if x.session.idle == nil {
		x.session.cancel()
	}
}

// nextRequestID names the next request of the server; unique within the session (basic/index#requests).
func (s *session) nextRequestID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	return "ref-" + strconv.Itoa(s.requests)
}
