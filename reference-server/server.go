package refserver

import (
	"context"
	"net/http"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/legacy"
	"github.com/mcpcheck/mcpcheck/reference-server/modern"
	"github.com/mcpcheck/mcpcheck/reference-server/profile"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// Config is what a Server is made of. The zero value is the default profile without a deviation.
type Config struct {
	Profile   profile.Profile
	Deviation *deviation.Deviation // nil: the server conforms
	Now       func() time.Time     // for the tool status; default time.Now
	Idle      time.Duration        // after which an unused session ends; default one hour
	Hosts     []string             // host names accepted beside the loopback ones
	Origins   []string             // origins accepted beside loopback and the server's own, such as https://app.example
}

// A Server is an http.Handler that serves MCP at whatever path it is mounted. Use New.
type Server struct {
	profile profile.Profile
	dev     *deviation.Deviator
	legacy  *legacy.Server
	modern  *modern.Server
	cancel  context.CancelFunc
}

// New makes a server. A deviation that names something unknown is an error which lists the possibilities.
func New(cfg Config) (*Server, error) {
	if cfg.Profile.Name == "" {
		cfg.Profile, _ = profile.ByName(profile.Default)
	}
	if err := cfg.Profile.Settle(); err != nil {
		return nil, err
	}
	dev, err := deviation.New(cfg.Deviation, words())
	if err != nil {
		return nil, err
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	p := cfg.Profile
	ctx, cancel := context.WithCancel(context.Background())
	methods := &core.Server{Dev: dev, Now: cfg.Now, PageSize: p.PageSize, Tasks: p.Tasks, Task: p.Task, Reports: p.Reports, ToolsOnly: p.ToolsOnly, NoTools: p.NoTools, Completes: p.Completes, Failing: p.Failing, Tools: p.Tools, Prompts: p.Prompts, Inputs: p.Inputs, State: p.State, Parks: p.Parks, Pages: p.Pages, Streams: p.SSE, Official: p.Official}
	site := web.NewSite(ctx, dev, cfg.Hosts, cfg.Origins, p.Auth)
	return &Server{profile: p, dev: dev, legacy: legacy.New(p, methods, site, cfg.Idle), modern: modern.New(p, methods, site), cancel: cancel}, nil
}

// Close ends every session, stream and running call, and waits for the goroutines that the server started itself.
func (s *Server) Close() {
	s.cancel()
	s.legacy.Close()
}

// OpenSessions returns the ids of the sessions that nobody has ended, in no order. On HTTP+SSE these are the open streams.
func (s *Server) OpenSessions() []string { return s.legacy.OpenSessions() }

// ServeHTTP answers one HTTP request. Where the profile has HTTP+SSE the server has to be mounted at MessagePath too.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.isModern(r) {
		s.modern.ServeHTTP(w, r)
		return
	}
	s.legacy.ServeHTTP(w, r)
}
