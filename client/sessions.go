package client

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A Session is what an initialize handshake opened; several conversations may share it. Safe for concurrent use.
type Session struct {
	mu       sync.Mutex
	info     wire.SessionInfo
	controls Controls
}

// Info returns the session's id, negotiated version and whether it was opened.
func (s *Session) Info() wire.SessionInfo {
	if s == nil {
		return wire.SessionInfo{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

// ID is the Mcp-Session-Id, empty where none was assigned.
func (s *Session) ID() string { return s.Info().ID }

// Negotiated is the protocol version that the server chose.
func (s *Session) Negotiated() string { return s.Info().Negotiated }

// Opened tells that initialize was answered with a result.
func (s *Session) Opened() bool { return s.Info().Opened }

// NewSession returns a session that was opened elsewhere, or one to try things with.
func NewSession(info wire.SessionInfo) *Session { return &Session{info: info} }

// sendable tells that a value can stand in a header.
func sendable(v string) bool {
	for i := range len(v) {
		if c := v[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return v == strings.TrimSpace(v)
}

// A ledger remembers every session id that any response carried, until it was deleted.
type ledger struct {
	mu    sync.Mutex
	order []string
	open  map[string]*ledgerEntry
	gone  int // of those in order
	most  int // that were open at a time
	// leaving counts the DELETEs under way of those that are open: the server may have ended them.
	leaving map[string]int
}

type ledgerEntry struct {
	url     string // where it was seen
	version string // the version header that its requests carry, or ""
	deleted bool
}

func (l *ledger) see(id, url, version string) {
	if id == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[string]*ledgerEntry{}
	}
	e := l.open[id]
	if e == nil {
		// A server that makes up an id for every answer must not make us remember them all.
		if len(l.order) >= 10_000 {
			return
		}
		e = &ledgerEntry{url: url}
		l.open[id] = e
		l.order = append(l.order, id)
		l.most = max(l.most, len(l.order)-l.gone)
	}
	if version != "" {
		e.version = version
	}
}

// total counts the sessions that were ever seen.
func (l *ledger) total() int {
	seen, _ := l.totals()
	return seen
}

// totals count the sessions that were ever seen, and how many of them were open at a time at most.
func (l *ledger) totals() (seen, atOnce int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.order), l.most
}

// count counts the sessions that were seen and not deleted.
func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.order) - l.gone
}

// sure counts the sessions that live as far as we know: no DELETE of theirs is under way.
func (l *ledger) sure() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.order) - l.gone
	for id := range l.leaving {
		if e := l.open[id]; e != nil && !e.deleted {
			n--
		}
	}
	return n
}

// leave notes that a DELETE is sent; the function that it returns is called when it was answered.
func (l *ledger) leave(id string) (stays func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.leaving == nil {
		l.leaving = map[string]int{}
	}
	l.leaving[id]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.leaving[id]--; l.leaving[id] == 0 {
			delete(l.leaving, id)
		}
	}
}

// deleted marks an id as gone: we deleted it, or the server told that there is nothing to delete.
func (l *ledger) deleted(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.open[id]; e != nil && !e.deleted {
		e.deleted = true
		l.gone++
	}
}

func (l *ledger) isDeleted(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.open[id]
	return e != nil && e.deleted
}

func (l *ledger) left() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(l.order), func(id string) bool { return l.open[id].deleted })
}

func (l *ledger) entry(id string) ledgerEntry {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.open[id]; e != nil {
		return *e
	}
	return ledgerEntry{}
}

// settled tells that after this status there is nothing to delete any more: it is gone, unknown, or the server lets nobody.
func settled(status int) bool {
	return status >= 200 && status <= 299 || status == http.StatusNotFound || status == http.StatusMethodNotAllowed
}

// ended files that a session is gone.
func (c *Client) ended(id string) {
	c.ledger.deleted(id)
	c.cap.free()
}

// Sessions returns the ids that were seen in any response and not deleted yet, in the order in which they were seen.
func (c *Client) Sessions() []string { return c.ledger.left() }

// How CleanUp goes about it.
const (
	minCleanUpTimeout  = 2 * time.Second
	cleanUpConcurrency = 32
	maxCleanUp         = 10 * time.Second
	minCleanUp         = time.Second
)

// cleanUpTimeout is how long a DELETE that no script asked for may take.
func (c *Client) cleanUpTimeout() time.Duration { return max(minCleanUpTimeout, c.Soon()) }

// CleanUpNeeds is how long deleting the sessions that are left may take at the latency that was seen, ten seconds at most.
func (c *Client) CleanUpNeeds() time.Duration {
	if c.deletesHang() {
		// One try for each of a few, in case that it has passed.
		return c.Soon()
	}
	rounds := (c.ledger.count() + cleanUpConcurrency - 1) / cleanUpConcurrency
	return min(max(minCleanUp, 4*c.gate.latency()*time.Duration(rounds)), maxCleanUp)
}

// CleanUp deletes every session that is left, each within two seconds, or more where answers take long. Call it at the end of a run and, with a context that is
// not cancelled, when the run is interrupted. It returns how many sessions are left.
func (c *Client) CleanUp(ctx context.Context) (left int) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, cleanUpConcurrency)
	for _, id := range c.ledger.left() {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			c.deleteSession(ctx, id)
		})
	}
	wg.Wait()
	return c.ledger.count()
}

// EndSession deletes one session now, so that a server that keeps only one can open the next.
func (c *Client) EndSession(ctx context.Context, s *Session) {
	if id := s.ID(); id != "" && !c.ledger.isDeleted(id) {
		c.deleteSession(ctx, id)
	}
}

// unrecorded sends a request that no transcript records.
func (c *Client) unrecorded(ctx context.Context, req *http.Request) (*http.Response, error) {
	t := &tap{method: req.Method, headLimit: int(c.config.Limits.Header)}
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if conn, ok := info.Conn.(*tapConn); ok {
			conn.bind(t)
		}
	}}
	c.requests.Add(1)
	return c.transport(false, false).RoundTrip(req.WithContext(httptrace.WithClientTrace(ctx, trace)))
}

// deleteSession sends a DELETE that no transcript records.
func (c *Client) deleteSession(ctx context.Context, id string) {
	if !sendable(id) {
		return
	}
	entry := c.ledger.entry(id)
	ctx, cancel := context.WithTimeout(ctx, c.deleteTimeout(c.cleanUpTimeout()))
	defer cancel()
	defer c.ledger.leave(id)()
	url := entry.url
	if url == "" {
		url = c.target.String()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, url, nil)
	if err != nil {
		return
	}
	c.credentials(req)
	req.Header["User-Agent"] = []string{c.userAgent("clean-up")}
	req.Header["Mcp-Session-Id"] = []string{id}
	if entry.version != "" {
		req.Header["MCP-Protocol-Version"] = []string{entry.version}
	}
	for try := range maxDeletes {
		res, err := c.unrecorded(ctx, req)
		switch {
		case err != nil && try > 0:
			return
		case err != nil:
			// A kept connection may have turned out to be closed.
			continue
		}
		drain(res.Body)
		switch {
		case settled(res.StatusCode):
			c.ended(id)
			return
		case !fromGateway(res.StatusCode):
			return
		}
	}
}

// maxDeletes is how often a session is deleted whose DELETE something in front of the server answers.
const maxDeletes = 4

// fromGateway tells the statuses of something in front of a server that could not reach it.
func fromGateway(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}
