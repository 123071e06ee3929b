package legacy_test

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// An oldPeer is a client of HTTP+SSE.
type oldPeer struct {
	*peer
	endpoint string
	in       *bufio.Reader
	close    context.CancelFunc
}

// connect opens a stream and takes the endpoint from its first event.
func connect(p *peer) *oldPeer {
	p.t.Helper()
	in, res, cancel := p.listen()
	p.t.Cleanup(cancel)
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != typeSSE || res.Header.Get(headerSession) != "" {
		p.t.Fatalf("%d %v", res.StatusCode, res.Header)
	}
	o := &oldPeer{peer: &peer{t: p.t, url: p.url, http: p.http}, in: in, close: cancel}
	e := o.event()
	if e.name != "endpoint" || e.id != "" {
		p.t.Fatalf("first event: %+v", e)
	}
	o.resolve(e.data)
	return o
}

func (o *oldPeer) resolve(reference string) {
	o.t.Helper()
	base, _ := url.Parse(o.url)
	u, err := base.Parse(reference)
	if err != nil {
		o.t.Fatal(err)
	}
	o.endpoint = u.String()
}

func (o *oldPeer) event() sseEvent {
	o.t.Helper()
	e, err := readEvent(o.in)
	if err != nil {
		o.t.Fatalf("the stream: %v", err)
	}
	return e
}

// next is the next message on the stream.
func (o *oldPeer) next() map[string]any {
	o.t.Helper()
	e := o.event()
	if e.name != "message" || e.id != "" {
		o.t.Fatalf("%+v", e)
	}
	return decode(o.t, e.data)
}

// silent tells that nothing comes for a while, for which time must be that of a bubble. It is the last that is asked of a stream.
func (o *oldPeer) silent() bool {
	got := make(chan error, 1)
	go func() { _, err := o.in.Peek(1); got <- err }()
	select {
	case err := <-got:
		return err != nil
	case <-time.After(time.Second):
		return true
	}
}

func (o *oldPeer) say(body string, header ...string) reply {
	o.t.Helper()
	there := *o.peer
	there.url = o.endpoint
	return there.post(body, append([]string{"Accept", ""}, header...)...)
}

// tell sends what must be accepted.
func (o *oldPeer) tell(body string) {
	o.t.Helper()
	if r := o.say(body); r.status != http.StatusAccepted || r.raw != "" || r.header.Get(headerSession) != "" {
		o.t.Fatalf("%s: %d %q", body, r.status, r.raw)
	}
}

const (
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	pinging     = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
)

func initializing(rev string) string {
	return `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + rev +
		`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
}

func (o *oldPeer) open(rev string) map[string]any {
	o.t.Helper()
	o.tell(initializing(rev))
	r := result(o.t, o.next())
	o.tell(initialized)
	return r
}

func TestHTTPSSEServesEveryRevision(t *testing.T) {
	for _, name := range []string{"http-sse", "unified"} {
		for _, rev := range refserver.LegacyRevisions() {
			t.Run(name+"/"+rev, func(t *testing.T) {
				inMemory(t, refserver.Config{Profile: profile(t, name)}, func(t *testing.T, s *refserver.Server, p *peer) {
					o := connect(p)
					if r := o.open(rev); r["protocolVersion"] != rev {
						t.Errorf("negotiated %v", r["protocolVersion"])
					}
					for method, params := range map[string]string{
						"ping": "{}", "tools/list": "{}", "resources/list": "{}", "prompts/list": "{}",
						"tools/call":          `{"name":"status"}`,
						"logging/setLevel":    `{"level":"debug"}`,
						"resources/subscribe": `{"uri":"ref://notes"}`,
					} {
						o.tell(`{"jsonrpc":"2.0","id":"` + method + `","method":"` + method + `","params":` + params + `}`)
						if m := o.next(); m["id"] != method || m["result"] == nil {
							t.Errorf("%s: %v", method, m)
						}
					}
					// Log messages and progress come ahead of the response, notifications of changes with it.
					for tool, want := range map[string]int{"slow": 0, "chatty": 4, "progressing": 4, "write-note": 4} {
						o.tell(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":{"text":"x"},"_meta":{"progressToken":7}}}`)
						n := 0
						for m := o.next(); m["id"] == nil; m = o.next() {
							n++
						}
						if n != want {
							t.Errorf("%s: %d notifications, want %d", tool, n, want)
						}
					}
					if open := s.OpenSessions(); len(open) != 1 {
						t.Errorf("open: %v", open)
					}
				})
			})
		}
	}
}

func TestHTTPSSECancellation(t *testing.T) {
	inMemory(t, refserver.Config{Profile: profile(t, "http-sse")}, func(t *testing.T, _ *refserver.Server, p *peer) {
		o := connect(p)
		o.open(revision.V20241105)
		o.tell(`{"jsonrpc":"2.0","id":"s","method":"tools/call","params":{"name":"slow","arguments":{"milliseconds":100}}}`)
		o.tell(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}}`)
		o.tell(pinging)
		if m := o.next(); m["id"] != float64(1) {
			t.Errorf("%v", m)
		}
		if !o.silent() {
			t.Error("the cancelled call was answered")
		}
	})
}

func TestHTTPSSETalks(t *testing.T) {
	prof := profile(t, "http-sse")
	prof.Talkative = true
	inMemory(t, refserver.Config{Profile: prof}, func(t *testing.T, _ *refserver.Server, p *peer) {
		o := connect(p)
		o.open(revision.V20241105)
		if m := o.next(); m["method"] != "notifications/message" {
			t.Errorf("%v", m)
		}
		m := o.next()
		if m["method"] != "ping" {
			t.Fatalf("%v", m)
		}
		o.tell(`{"jsonrpc":"2.0","id":"` + m["id"].(string) + `","result":{}}`)
	})
}

func TestHTTPSSERefusals(t *testing.T) {
	inMemory(t, refserver.Config{Profile: profile(t, "http-sse")}, func(t *testing.T, s *refserver.Server, p *peer) {
		o := connect(p)
		o.open(revision.V20250326)
		good := o.endpoint
		messages := strings.TrimSuffix(p.url, refserver.Path) + refserver.MessagePath
		for _, row := range []struct {
			name, method, url, body string
			header                  []string
			status, code            int
		}{
			{name: "POST on the endpoint", method: "POST", url: p.url, body: pinging, status: 405},
			{name: "initialize on the endpoint", method: "POST", url: p.url, body: initializing(revision.V20251125), status: 405},
			{name: "DELETE", method: "DELETE", url: p.url, status: 405},
			{name: "GET of messages", method: "GET", url: good, status: 405},
			{name: "GET of JSON", method: "GET", url: p.url, header: []string{"Accept", typeJSON}, status: 406},
			{name: "foreign origin on GET", method: "GET", url: p.url, header: []string{"Origin", "https://mcpcheck.invalid"}, status: 403},
			{name: "foreign host on GET", method: "GET", url: p.url, header: []string{"Host", "mcpcheck.invalid"}, status: 403},
			{name: "foreign origin", method: "POST", url: good, body: pinging, header: []string{"Origin", "https://mcpcheck.invalid"}, status: 403},
			{name: "foreign host", method: "POST", url: good, body: pinging, header: []string{"Host", "mcpcheck.invalid"}, status: 403},
			{name: "text", method: "POST", url: good, body: pinging, header: []string{"Content-Type", "text/plain"}, status: 415},
			{name: "no session", method: "POST", url: messages, body: pinging, status: 400},
			{name: "unknown session", method: "POST", url: messages + "?sessionId=x", body: pinging, status: 404},
			{name: "cut off", method: "POST", url: good, body: pinging[:20], status: 400, code: jsonrpc.CodeParse},
			{name: "a number", method: "POST", url: good, body: "42", status: 400, code: jsonrpc.CodeInvalidRequest},
			{name: "empty batch", method: "POST", url: good, body: "[]", status: 400, code: jsonrpc.CodeInvalidRequest},
			{name: "any version header", method: "POST", url: good, body: initialized, header: []string{headerVersion, "x"}, status: 202},
		} {
			there := &peer{t: t, url: row.url, http: p.http}
			r := there.do(row.method, row.body, row.header...)
			if r.status != row.status {
				t.Errorf("%s: %d %q", row.name, r.status, r.raw)
			}
			if row.code != 0 && (len(r.messages) != 1 || errorCode(r.messages[0]) != row.code) {
				t.Errorf("%s: %q", row.name, r.raw)
			}
		}

		// What is a request is answered on the stream, errors included.
		o.tell(initializing(revision.V20250618))
		if m := o.next(); errorCode(m) != jsonrpc.CodeInvalidRequest || m["id"] != "init" {
			t.Errorf("second initialize: %v", m)
		}
		o.tell(`{"jsonrpc":"2.0","id":5,"method":"no/such"}`)
		if m := o.next(); errorCode(m) != jsonrpc.CodeMethodNotFound {
			t.Errorf("%v", m)
		}
		o.tell("[" + pinging + `,` + initialized + `,7]`)
		if a, b := o.next(), o.next(); a["result"] == nil || errorCode(b) != jsonrpc.CodeInvalidRequest {
			t.Errorf("batch: %v %v", a, b)
		}

		early := connect(p)
		early.tell(`{"jsonrpc":"2.0","id":5,"method":"tools/list"}`)
		if m := early.next(); errorCode(m) != jsonrpc.CodeInvalidRequest {
			t.Errorf("before initialize: %v", m)
		}
		early.tell(pinging)
		result(t, early.next())
		early.open(revision.V20241105)
		if r := early.say("[" + pinging + "]"); r.status != http.StatusBadRequest {
			t.Errorf("a batch in 2024-11-05: %d", r.status)
		}

		early.close()
		synctest.Wait()
		if open := s.OpenSessions(); len(open) != 1 {
			t.Errorf("open: %v", open)
		}
		if r := early.say(pinging); r.status != http.StatusNotFound {
			t.Errorf("after the stream: %d", r.status)
		}
		o.tell(pinging)
		result(t, o.next())
	})
}

func TestHTTPSSEStreamsAreApart(t *testing.T) {
	inMemory(t, refserver.Config{Profile: profile(t, "http-sse")}, func(t *testing.T, _ *refserver.Server, p *peer) {
		a, b := connect(p), connect(p)
		if a.endpoint == b.endpoint {
			t.Errorf("both post to %s", a.endpoint)
		}
		a.open(revision.V20241105)
		b.open(revision.V20251125)
		a.tell(pinging)
		result(t, a.next())
		if !b.silent() {
			t.Error("something for the other one")
		}
	})
}

func TestUnifiedEndpoint(t *testing.T) {
	inMemory(t, refserver.Config{Profile: profile(t, "unified")}, func(t *testing.T, s *refserver.Server, p *peer) {
		old := connect(p)
		old.open(revision.V20241105)
		p.open(revision.V20251125)
		stream, res, closeStream := p.listen() // with a session id
		defer closeStream()
		if line, err := stream.ReadString('\n'); res.StatusCode != http.StatusOK || err != nil || !strings.HasPrefix(line, ": open") {
			t.Errorf("GET with a session: %d %q", res.StatusCode, line)
		}
		result(t, p.call("ping", ""))
		bare := &peer{t: t, url: p.url, http: p.http}
		for _, accept := range []string{typeJSON, "*/*", ""} {
			if r := bare.do(http.MethodGet, "", "Accept", accept); r.status != http.StatusNotAcceptable && r.status != http.StatusBadRequest {
				t.Errorf("GET that accepts %q: %d", accept, r.status)
			}
		}
		// The ids of one transport mean nothing to the other.
		u, _ := url.Parse(old.endpoint)
		bare.sid = u.Query().Get("sessionId")
		if r := bare.post(pinging); r.status != http.StatusNotFound {
			t.Errorf("the id of an old session: %d", r.status)
		}
		old.resolve(refserver.MessagePath + "?sessionId=" + p.sid)
		if r := old.say(pinging); r.status != http.StatusNotFound {
			t.Errorf("the id of a new session: %d", r.status)
		}
		if open := s.OpenSessions(); len(open) != 2 {
			t.Errorf("%v", open)
		}
		p.do(http.MethodDelete, "")
		if open := s.OpenSessions(); len(open) != 1 {
			t.Errorf("%v", open)
		}
	})
}
