package mock

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A gate stands before the recorder. What comes from the page of a foreign site, or belongs to an earlier start, is turned away: it is
// none of the client's doing.
type gate struct {
	next           http.Handler
	hosts, origins []string // beside those of loopback
	earlier        *earlier // nil where no start was before at this URL

	mu     sync.Mutex
	begun  bool
	turned map[string]int // sentences, and how often each was true
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	origin := r.Header.Get("Origin")
	switch {
	case !isLoopback(hostname(r.Host)) && !slices.Contains(g.hosts, hostname(r.Host)):
		g.turn(w, http.StatusMisdirectedRequest, fmt.Sprintf("with the host %.100q, which is not that of this URL", r.Host))
	case origin != "" && !g.ours(origin, r.Host):
		g.turn(w, http.StatusForbidden, fmt.Sprintf("with the origin %.100q: where it is the client's, --allow-origin lets it in", origin))
	case origin != "" && r.Method == http.MethodOptions:
		// The browser asks on behalf of the client.
		g.share(w, origin)
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
		w.Header().Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
		w.WriteHeader(http.StatusNoContent)
	case g.belongsEarlier(r):
		g.turn(w, http.StatusNotFound, "that went on with what an earlier start had begun")
	default:
		if origin != "" {
			g.share(w, origin)
		}
		g.next.ServeHTTP(w, r)
	}
}

// share lets a page of an origin read the answer.
func (g *gate) share(w http.ResponseWriter, origin string) {
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id")
	w.Header().Add("Vary", "Origin")
}

// maxTurned is how many different sentences are kept.
const maxTurned = 8

func (g *gate) turn(w http.ResponseWriter, status int, what string) {
	g.mu.Lock()
	if g.turned == nil {
		g.turned = map[string]int{}
	}
	if _, known := g.turned[what]; known || len(g.turned) < maxTurned {
		g.turned[what]++
	}
	g.mu.Unlock()
	http.Error(w, "mcpcheck: a request "+what, status)
}

// told are the sentences about what was turned away.
func (g *gate) told() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []string
	for _, what := range slices.Sorted(maps.Keys(g.turned)) {
		requests := "a request"
		if n := g.turned[what]; n > 1 {
			requests = fmt.Sprintf("%d requests", n)
		}
		all = append(all, requests+" "+what)
	}
	return all
}

func (g *gate) ours(origin, host string) bool {
	if slices.Contains(g.origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && (u.Host == host || isLoopback(u.Hostname()))
}

func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// earlier is what starts at the same URL have left: their sessions.
type earlier struct {
	mu       sync.Mutex
	sessions map[string]bool
	starts   int
}

// add takes note of a start that is over.
func (e *earlier) add(t *wire.Transcript) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.starts++
	for _, x := range t.Exchanges {
		for _, id := range x.ResponseSession() {
			e.sessions[id] = true
		}
	}
}

// has tells whether there were starts, and whether one of them gave this session its id.
func (e *earlier) has(session string) (any, thisSession bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.starts > 0, session != "" && e.sessions[session]
}

// belongsEarlier tells that a request goes on with what was begun before this start: with a session of then, or, until the client has
// begun anew, without saying with what.
func (g *gate) belongsEarlier(r *http.Request) bool {
	if g.earlier == nil {
		return false
	}
	any, known := g.earlier.has(r.Header.Get("Mcp-Session-Id"))
	g.mu.Lock()
	begun := g.begun
	g.mu.Unlock()
	switch {
	case known:
		return true
	case !any || begun || r.Method == http.MethodGet: // clients probe by GET
		return false
	case r.Method != http.MethodPost:
		return true
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxSent))
	rest := r.Body
	r.Body = readCloser{io.MultiReader(bytes.NewReader(body), failing{err}, rest), rest}
	x := wire.Exchange{Request: wire.Request{Method: wire.Text(r.Method), Body: wire.NewBody(body)}}
	m := x.RequestMessage()
	begins := func(m wire.Message) bool {
		return m.Method == "initialize" || m.Method == "server/discover" || modernVersion(m) != ""
	}
	if !begins(m) && !slices.ContainsFunc(m.Elements, begins) {
		return true
	}
	g.mu.Lock()
	g.begun = true
	g.mu.Unlock()
	return false
}

// failing has nothing to read and hands on an error, nil for none.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

type readCloser struct {
	io.Reader
	io.Closer
}
