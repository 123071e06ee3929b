// Package client records conversations with an MCP server over HTTP: it sends what a script asks for and keeps every byte that
// comes back, with times and with whoever ended an exchange. It never judges, knows no catalogue, and imports only wire
// of ours, where what it records is described.
//
// The recorder speaks HTTP/1.1 through tapped connections (see tapConn); a second, untapped transport speaks HTTP/2.
package client

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// Config says what to talk to and how.
type Config struct {
	// URL is the MCP endpoint (or, for HTTP+SSE, the stream). User information in it becomes an Authorization header.
	URL string
	// Header holds the user's own fields. They go to the URL's origin only and are redacted in what is recorded.
	Header http.Header
	// Timeout is how long an answer may take: up to its head, and from there to its end. Default 10 s.
	Timeout time.Duration
	// Window is how long streams are watched for what should not arrive. Default 300 ms.
	Window time.Duration
	// Concurrency bounds the requests in flight, and the conversations with sessions of their own (Place). Default 16 on loopback and 8 elsewhere, and up to four times as many where each answer
	// takes long and comes no later for it.
	Concurrency int
	// Shared bounds the requests in flight together with those of other clients; nil bounds nothing more.
	Shared *Shared
	// TLS is the TLS configuration; nil is Go's default.
	TLS *tls.Config
	// Dial makes the connections; nil is the network.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Proxy chooses the proxy; nil is http.ProxyFromEnvironment, or none where Dial is set.
	Proxy func(*http.Request) (*url.URL, error)
	// Limits bound what one answer may cost; zero fields are DefaultLimits.
	Limits Limits
	// UserAgent replaces "mcpcheck/<version> (<script>)" where it is not empty.
	UserAgent string
	// ClientName and ClientVersion are the clientInfo of initialize. Default "mcpcheck" and "dev".
	ClientName, ClientVersion string
	// HTTP2 uses the untapped transport for everything: for a TLS server that does not speak HTTP/1.1.
	HTTP2 bool
}

// A Client records conversations with one target. It is safe for concurrent use.
type Client struct {
	config Config
	target *url.URL
	origin string
	header http.Header
	tapped *http.Transport
	fresh  *http.Transport // tapped, a connection for each request
	plain  *http.Transport
	redact *wire.Redactor
	gate   *gate
	ledger ledger

	scratch wire.Scratch
	budget  budget
	ids     atomic.Int64
	bytes   atomic.Int64
	bodies  atomic.Int64

	pending     pending
	requests    atomic.Int64
	connections atomic.Int64

	ctx     context.Context
	cancel  context.CancelCauseFunc
	watch   watch
	cap     sessionCap
	hold    hold
	lending lending
	places  places
	listen  listeners
	still   standstills
	flying  sync.WaitGroup // exchanges under way

	mu sync.Mutex
	// insists is what the server wants beyond the specification.
	insists Insists
	// phase ends with a trouble that makes it pointless to go on; all conversations hang on it.
	phase    context.Context
	endPhase context.CancelCauseFunc
	conns    map[*tapConn]bool
	proxy    map[string]bool // addresses of the proxies that were chosen
	done     bool
}

// Stats are the totals of a run.
type Stats struct {
	Requests    int
	Connections int
	BytesIn     int64 // of tapped connections, heads included; TLS overhead is not
	// Sessions counts the session ids that were seen, SessionsAtOnce how many of them were open at a time at most.
	Sessions, SessionsAtOnce int
}

// New checks the configuration and returns a client. No connection is made.
func New(config Config) (*Client, error) {
	target, err := url.Parse(config.URL)
	if err != nil {
		return nil, fmt.Errorf("target URL: %w", err)
	}
	if target.Scheme != "http" && target.Scheme != "https" || target.Hostname() == "" {
		return nil, fmt.Errorf("target URL %q: want http:// or https:// and a host", target.Redacted())
	}
	header := http.Header{}
	for name, values := range config.Header {
		header[name] = append([]string(nil), values...)
	}
	if user := target.User; user != nil {
		password, _ := user.Password()
		if header.Get("Authorization") == "" {
			header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
		}
		target.User = nil
	}
	target.Fragment = ""
	if config.Timeout <= 0 {
		config.Timeout = 10 * time.Second
	}
	if config.Window <= 0 {
		config.Window = 300 * time.Millisecond
	}
	spare := 0
	if config.Concurrency <= 0 {
		config.Concurrency = 8
		if IsLoopback(target.Hostname()) {
			config.Concurrency = 16
		}
		spare = 3 * config.Concurrency
	}
	if config.ClientName == "" {
		config.ClientName = "mcpcheck"
	}
	if config.ClientVersion == "" {
		config.ClientVersion = "dev"
	}
	config.Limits = config.Limits.orDefault()
	c := &Client{
		config: config, target: target, origin: origin(target), header: header,
		redact: wire.NewRedactor(header),
		conns:  map[*tapConn]bool{}, proxy: map[string]bool{},
	}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.watch.client, c.still.client = c, c
	c.gate = newGate(config.Concurrency, spare, c.watch.pace)
	if c.gate.shared, c.gate.host = config.Shared, target.Hostname(); config.Shared != nil {
		c.budget.clients = config.Shared.clients
	}
	c.beginRun()
	c.makeTransports()
	return c, nil
}

// IsLoopback tells whether a host (without port) is this machine by its name or address.
func IsLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// origin is scheme, host and port, the port always spelt out.
func origin(u *url.URL) string { return u.Scheme + "://" + hostPort(u) }

// URL is the target without user information.
func (c *Client) URL() string { return c.target.String() }

// Timeout is how long an answer may take.
func (c *Client) Timeout() time.Duration { return c.config.Timeout }

// Stats returns the totals so far.
func (c *Client) Stats() Stats {
	seen, atOnce := c.ledger.totals()
	return Stats{
		Requests: int(c.requests.Load()), Connections: int(c.connections.Load()), BytesIn: c.bytes.Load(), Sessions: seen, SessionsAtOnce: atOnce,
	}
}

// Configured are the names of the header fields that the user configured and that may be credentials, sorted.
func (c *Client) Configured() []string { return c.redact.Configured() }

// NextID returns an id that no request of this client has used.
func (c *Client) NextID() int64 { return c.ids.Add(1) }

// credentials adds the user's header fields if the request goes to the target's origin.
func (c *Client) credentials(req *http.Request) {
	if origin(req.URL) != c.origin {
		return
	}
	for name, values := range c.header {
		if http.CanonicalHeaderKey(name) == "Host" {
			req.Host = values[0]
			continue
		}
		req.Header[name] = append([]string(nil), values...)
	}
}

func (c *Client) userAgent(script string) string {
	if agents := c.header["User-Agent"]; len(agents) > 0 {
		return agents[0]
	}
	if c.config.UserAgent != "" {
		return c.config.UserAgent
	}
	return "mcpcheck/" + c.config.ClientVersion + " (" + script + ")"
}

// drain reads a little and closes, so that the connection can be used again.
func drain(body io.ReadCloser) {
	io.CopyN(io.Discard, body, 64<<10)
	body.Close()
}

var errClientClosed = errors.New("the client is closed")

// begin counts an exchange that is about to start; it is false once the client was closed.
func (c *Client) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		return false
	}
	c.flying.Add(1)
	return true
}

// Close ends what is under way, closes all connections and removes the temporary files of large bodies: judge and render before.
func (c *Client) Close() error {
	c.mu.Lock()
	c.done = true
	c.mu.Unlock()
	c.cancel(errClientClosed)
	c.flying.Wait()
	c.tapped.CloseIdleConnections()
	c.plain.CloseIdleConnections()
	c.mu.Lock()
	var conns []*tapConn
	for conn := range c.conns {
		conns = append(conns, conn)
	}
	c.mu.Unlock()
	for _, conn := range conns {
		conn.Close()
	}
	return c.scratch.Remove()
}
