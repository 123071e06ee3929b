package refserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	defaultIdle    = time.Hour
	maxBody        = 4 << 20
	keepAliveEvery = 15 * time.Second
)

// Config is what a Server is made of. The zero value is the default profile without a deviation.
type Config struct {
	Profile   Profile
	Deviation *Deviation       // nil: the server conforms
	Now       func() time.Time // for the tool status; default time.Now
	Idle      time.Duration    // after which an unused session ends; default one hour
	Hosts     []string         // host names accepted beside the loopback ones
	Origins   []string         // origins accepted beside loopback and the server's own, such as https://app.example
}

// A Server is an http.Handler that serves MCP at whatever path it is mounted. Use New.
type Server struct {
	profile  Profile
	dev      *deviator
	now      func() time.Time
	idle     time.Duration
	hosts    []string
	origins  []string
	sessions *sessions
	links    *links // of HTTP+SSE

	ctx    context.Context // done when the server is closed
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup // running calls and the talkative loops; none of them touches a connection
}

// New makes a server. A deviation that names something unknown is an error which lists the possibilities.
func New(cfg Config) (*Server, error) {
	if cfg.Profile.Name == "" {
		cfg.Profile, _ = ProfileByName(DefaultProfile)
	}
	if err := cfg.Profile.settleTransport(); err != nil {
		return nil, err
	}
	dev, err := newDeviator(cfg.Deviation)
	if err != nil {
		return nil, fmt.Errorf("deviation: %w", err)
	}
	if cfg.Profile.Store && !cfg.Profile.Sessions {
		return nil, errors.New("profile: events are stored in sessions, so Store needs Sessions")
	}
	s := &Server{
		profile: cfg.Profile,
		dev:     dev,
		now:     cfg.Now,
		idle:    cfg.Idle,
		hosts:   cfg.Hosts,
		origins: cfg.Origins,
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.idle <= 0 {
		s.idle = defaultIdle
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.sessions = newSessions(s.ctx, s.idle)
	s.links = &links{ctx: s.ctx}
	return s, nil
}

// Close ends every session, stream and running call, and waits for the goroutines that the server started itself.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.sessions.endAll()
	s.work.Wait()
}

// OpenSessions returns the ids of the sessions that nobody has ended, in no order. On HTTP+SSE these are the open streams.
func (s *Server) OpenSessions() []string { return append(s.sessions.ids(), s.links.ids()...) }

// ServeHTTP answers one HTTP request: guards first, then the transport's three methods. Where the profile has HTTP+SSE the
// server has to be mounted at MessagePath too.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.serveAuth(w, r) {
		return
	}
	if s.profile.isHTTPSSE(r) {
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
