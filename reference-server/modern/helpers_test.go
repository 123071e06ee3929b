package modern_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// What goes over the wire, spelled by these tests on their own.
const (
	version = "2026-07-28"
	prefix  = "io.modelcontextprotocol/"
)

// A peer is a client, just good enough for these tests.
type peer struct {
	t    testing.TB
	url  string
	http *http.Client
	// capabilities are declared in each request, extra is more of its _meta; both are JSON.
	capabilities, extra string
}

// start serves a profile.
func start(t testing.TB, profile string) *peer {
	t.Helper()
	_, p := startRunning(t, profile)
	return p
}

// startWith serves the profile modern as configured.
func startWith(t testing.TB, cfg refserver.Config) *peer {
	t.Helper()
	cfg.Profile, _ = refserver.ProfileByName("modern")
	_, p := serve(t, cfg)
	return p
}

func startRunning(t testing.TB, profile string) (*refserver.Running, *peer) {
	t.Helper()
	p, ok := refserver.ProfileByName(profile)
	if !ok {
		t.Fatalf("no profile %s", profile)
	}
	return serve(t, refserver.Config{Profile: p})
}

func serve(t testing.TB, cfg refserver.Config) (*refserver.Running, *peer) {
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
	return r, &peer{t: t, url: r.URL, http: client, capabilities: "{}"}
}

// A reply is an answer that was read to its end.
type reply struct {
	status   int
	header   http.Header
	raw      string
	messages []message
}

// A message is one of the server.
type message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// last is the message that ends an answer: the response.
func (r reply) last(t testing.TB) message {
	t.Helper()
	if len(r.messages) == 0 {
		t.Fatalf("no message in %d %q", r.status, r.raw)
	}
	return r.messages[len(r.messages)-1]
}

// code is that of the error; 0 for a result.
func (r reply) code(t testing.TB) int {
	t.Helper()
	if m := r.last(t); m.Error != nil {
		return m.Error.Code
	}
	return 0
}

// result reads the result into a value.
func (r reply) result(t testing.TB, into any) {
	t.Helper()
	m := r.last(t)
	if m.Result == nil {
		t.Fatalf("no result in %d %q", r.status, r.raw)
	}
	if err := json.Unmarshal(m.Result, into); err != nil {
		t.Fatalf("%v in %s", err, m.Result)
	}
}

// body is that of a request, with members of params beside _meta.
func (p *peer) body(method, members string) string {
	meta := `"_meta":{"` + prefix + `protocolVersion":"` + version + `","` + prefix + `clientCapabilities":` + p.capabilities + p.extra + `}`
	if members != "" {
		members = "," + members
	}
	return `{"jsonrpc":"2.0","id":"one","method":"` + method + `","params":{` + meta + members + `}}`
}

// ask sends a request with the headers that belong to it; header has names and values in turn, and an empty value takes one away.
func (p *peer) ask(method, members string, header ...string) reply {
	p.t.Helper()
	var named struct{ Name, URI string }
	_ = json.Unmarshal([]byte("{"+members+"}"), &named)
	all := []string{"MCP-Protocol-Version", version, "Mcp-Method", method}
	if name := named.Name + named.URI; name != "" {
		all = append(all, "Mcp-Name", name)
	}
	return p.do(http.MethodPost, p.body(method, members), append(all, header...)...)
}

func (p *peer) call(tool, arguments string, header ...string) reply {
	p.t.Helper()
	return p.ask("tools/call", `"name":"`+tool+`","arguments":`+arguments, header...)
}

func (p *peer) do(method, body string, header ...string) reply {
	p.t.Helper()
	res := p.send(context.Background(), method, body, header...)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
	r := reply{status: res.StatusCode, header: res.Header, raw: string(raw)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		r.messages = append(r.messages, p.decode(string(raw)))
	}
	for line := range strings.Lines(string(raw)) {
		if data, ok := strings.CutPrefix(line, "data: "); ok && strings.TrimSpace(data) != "" {
			r.messages = append(r.messages, p.decode(data))
		}
	}
	return r
}

func (p *peer) send(ctx context.Context, method, body string, header ...string) *http.Response {
	p.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, p.url, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		if header[i+1] == "" {
			req.Header.Del(header[i])
		} else {
			req.Header.Set(header[i], header[i+1])
		}
	}
	res, err := p.http.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	return res
}

func (p *peer) decode(text string) (m message) {
	p.t.Helper()
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		p.t.Fatalf("%v in %q", err, text)
	}
	return m
}

// An open stream is read one message at a time.
type open struct {
	p     *peer
	res   *http.Response
	lines *bufio.Reader
	close context.CancelFunc
}

// listen opens a subscription with an id and a filter in JSON.
func (p *peer) listen(id, filter string) *open {
	p.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	body := strings.Replace(p.body("subscriptions/listen", `"notifications":`+filter), `"one"`, id, 1)
	res := p.send(ctx, http.MethodPost, body, "MCP-Protocol-Version", version, "Mcp-Method", "subscriptions/listen")
	o := &open{p: p, res: res, lines: bufio.NewReader(res.Body), close: cancel}
	p.t.Cleanup(func() { cancel(); _ = res.Body.Close() })
	return o
}

// next is the next message; false at the end of the stream.
func (o *open) next() (message, bool) {
	o.p.t.Helper()
	for {
		line, err := o.lines.ReadString('\n')
		if err != nil {
			return message{}, false
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return o.p.decode(data), true
		}
	}
}
