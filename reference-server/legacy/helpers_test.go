package legacy_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// What goes over the wire, spelled by these tests on their own.
const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
	headerLastID  = "Last-Event-Id"

	typeJSON = "application/json"
	typeSSE  = "text/event-stream"
)

// A peer is a client of one session, just good enough for these tests.
type peer struct {
	t       testing.TB
	url     string
	http    *http.Client
	sid     string
	version string // sent as MCP-Protocol-Version
	ids     int
}

// reply is an answer that was read to its end.
type reply struct {
	status   int
	header   http.Header
	raw      string
	messages []map[string]any // of a JSON answer or of the events
	events   []sseEvent
}

type sseEvent struct {
	id, name, retry, data string
	lines                 int
}

func start(t testing.TB, cfg refserver.Config) (*refserver.Server, *peer) {
	t.Helper()
	s, err := refserver.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r, err := refserver.Listen("127.0.0.1:0", s)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, &peer{t: t, url: r.URL, http: client}
}

func profile(t testing.TB, name string) refserver.Profile {
	t.Helper()
	p, ok := refserver.ProfileByName(name)
	if !ok {
		t.Fatalf("no profile %s", name)
	}
	return p
}

// open initializes a session of a revision.
func (p *peer) open(rev string) reply {
	p.t.Helper()
	r := p.initialize(rev)
	p.sid = r.header.Get(headerSession)
	if revision.AtLeast(rev, revision.V20250618) {
		p.version = rev
	}
	if n := p.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); n.status != http.StatusAccepted || n.raw != "" {
		p.t.Fatalf("initialized: %d %q", n.status, n.raw)
	}
	return r
}

func (p *peer) initialize(revision string, header ...string) reply {
	p.t.Helper()
	return p.post(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"`+revision+
		`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`, header...)
}

// call sends a request and returns its response.
func (p *peer) call(method, params string, header ...string) map[string]any {
	p.t.Helper()
	r := p.request(method, params, header...)
	if len(r.messages) == 0 {
		p.t.Fatalf("%s: no message in %d %q", method, r.status, r.raw)
	}
	return r.messages[len(r.messages)-1]
}

func (p *peer) request(method, params string, header ...string) reply {
	p.t.Helper()
	p.ids++
	id, _ := json.Marshal(p.ids)
	if params != "" {
		params = `,"params":` + params
	}
	return p.post(`{"jsonrpc":"2.0","id":`+string(id)+`,"method":"`+method+`"`+params+`}`, header...)
}

func (p *peer) post(body string, header ...string) reply {
	p.t.Helper()
	return p.do(http.MethodPost, body, header...)
}

// do sends an HTTP request; header is a list of names and values, and an empty value removes.
func (p *peer) do(method, body string, header ...string) reply {
	p.t.Helper()
	res := p.send(context.Background(), method, body, header...)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
	r := reply{status: res.StatusCode, header: res.Header, raw: string(raw)}
	switch {
	case strings.HasPrefix(res.Header.Get("Content-Type"), typeSSE):
		in := bufio.NewReader(bytes.NewReader(raw))
		for {
			e, err := readEvent(in)
			if err != nil {
				break
			}
			r.events = append(r.events, e)
			if e.data != "" {
				r.messages = append(r.messages, decode(p.t, e.data))
			}
		}
	case strings.HasPrefix(res.Header.Get("Content-Type"), typeJSON) && bytes.HasPrefix(raw, []byte("[")):
		if err := json.Unmarshal(raw, &r.messages); err != nil {
			p.t.Fatal(err)
		}
	case strings.HasPrefix(res.Header.Get("Content-Type"), typeJSON):
		r.messages = append(r.messages, decode(p.t, string(raw)))
	}
	return r
}

func (p *peer) send(ctx context.Context, method, body string, header ...string) *http.Response {
	p.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, p.url, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	switch method {
	case http.MethodPost:
		req.Header.Set("Content-Type", typeJSON)
		req.Header.Set("Accept", typeJSON+", "+typeSSE)
	case http.MethodGet:
		req.Header.Set("Accept", typeSSE)
	}
	if p.sid != "" {
		req.Header.Set(headerSession, p.sid)
	}
	if p.version != "" {
		req.Header.Set(headerVersion, p.version)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
			continue
		}
		req.Header.Del(header[i])
		if header[i+1] != "" {
			req.Header.Set(header[i], header[i+1])
		}
	}
	res, err := p.http.Do(req)
	if err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
	return res
}

// listen opens a GET stream.
func (p *peer) listen(header ...string) (*bufio.Reader, *http.Response, context.CancelFunc) {
	p.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	res := p.send(ctx, http.MethodGet, "", header...)
	return bufio.NewReader(res.Body), res, func() {
		cancel()
		res.Body.Close()
	}
}

// readEvent returns the next event that has an id or data; blocks of comments are skipped.
func readEvent(in *bufio.Reader) (sseEvent, error) {
	var e sseEvent
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return e, err
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			if e.lines > 0 {
				return e, nil
			}
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "":
			continue
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "retry":
			e.retry = value
		case "data":
			e.data += value
		}
		e.lines++
	}
}

func decode(t testing.TB, text string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return m
}

// errorCode of a response; 0 for a result.
func errorCode(m map[string]any) int {
	if e, ok := m["error"].(map[string]any); ok {
		return int(e["code"].(float64))
	}
	return 0
}

// result member of a response.
func result(t testing.TB, m map[string]any) map[string]any {
	t.Helper()
	r, ok := m["result"].(map[string]any)
	if !ok {
		t.Fatalf("no result: %v", m)
	}
	return r
}

// memory is a listener whose connections are pipes, for synctest.
type memory struct {
	conns chan net.Conn
	done  chan struct{}
}

func newMemory() *memory { return &memory{make(chan net.Conn), make(chan struct{})} }

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	close(m.done)
	return nil
}

func (m *memory) Addr() net.Addr { return memoryAddr{} }

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }
func (memoryAddr) String() string  { return "127.0.0.1:3000" }

func (m *memory) client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			select {
			case m.conns <- there:
				return here, nil
			case <-m.done:
				return nil, net.ErrClosed
			}
		},
		DisableCompression: true,
		IdleConnTimeout:    time.Minute,
	}}
}
