package refserver

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
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

// silent tells that nothing comes for a while.
func (o *oldPeer) silent() bool {
	got := make(chan error, 1)
	go func() { _, err := o.in.Peek(1); got <- err }()
	select {
	case err := <-got:
		return err != nil
	case <-time.After(200 * time.Millisecond):
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

func initializing(revision string) string {
	return `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + revision +
		`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
}

func (o *oldPeer) open(revision string) map[string]any {
	o.t.Helper()
	o.tell(initializing(revision))
	r := result(o.t, o.next())
	o.tell(initialized)
	return r
}

func TestHTTPSSEServesEveryRevision(t *testing.T) {
	for _, name := range []string{"http-sse", "unified"} {
		for _, revision := range Revisions() {
			t.Run(name+"/"+revision, func(t *testing.T) {
				s, p := start(t, Config{Profile: profile(t, name)})
				o := connect(p)
				if r := o.open(revision); r["protocolVersion"] != revision {
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
				for tool, want := range map[string]int{"slow": 0, "chatty": 4, "progressing": steps, "write-note": 4} {
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
		}
	}
}

func TestHTTPSSECancellation(t *testing.T) {
	_, p := start(t, Config{Profile: profile(t, "http-sse")})
	o := connect(p)
	o.open(Rev20241105)
	o.tell(`{"jsonrpc":"2.0","id":"s","method":"tools/call","params":{"name":"slow","arguments":{"milliseconds":100}}}`)
	o.tell(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}}`)
	o.tell(pinging)
	if m := o.next(); m["id"] != float64(1) {
		t.Errorf("%v", m)
	}
	if !o.silent() {
		t.Error("the cancelled call was answered")
	}
}

func TestHTTPSSETalks(t *testing.T) {
	prof := profile(t, "http-sse")
	prof.Talkative = true
	_, p := start(t, Config{Profile: prof})
	o := connect(p)
	o.open(Rev20241105)
	if m := o.next(); m["method"] != "notifications/message" {
		t.Errorf("%v", m)
	}
	m := o.next()
	if m["method"] != "ping" {
		t.Fatalf("%v", m)
	}
	o.tell(`{"jsonrpc":"2.0","id":"` + m["id"].(string) + `","result":{}}`)
}

func TestHTTPSSERefusals(t *testing.T) {
	s, p := start(t, Config{Profile: profile(t, "http-sse")})
	o := connect(p)
	o.open(Rev20250326)
	good := o.endpoint
	messages := strings.TrimSuffix(p.url, Path) + MessagePath
	for _, row := range []struct {
		name, method, url, body string
		header                  []string
		status, code            int
	}{
		{name: "POST on the endpoint", method: "POST", url: p.url, body: pinging, status: 405},
		{name: "initialize on the endpoint", method: "POST", url: p.url, body: initializing(Rev20251125), status: 405},
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
		{name: "cut off", method: "POST", url: good, body: pinging[:20], status: 400, code: codeParse},
		{name: "a number", method: "POST", url: good, body: "42", status: 400, code: codeInvalidRequest},
		{name: "empty batch", method: "POST", url: good, body: "[]", status: 400, code: codeInvalidRequest},
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
	o.tell(initializing(Rev20250618))
	if m := o.next(); errorCode(m) != codeInvalidRequest || m["id"] != "init" {
		t.Errorf("second initialize: %v", m)
	}
	o.tell(`{"jsonrpc":"2.0","id":5,"method":"no/such"}`)
	if m := o.next(); errorCode(m) != codeMethodNotFound {
		t.Errorf("%v", m)
	}
	o.tell("[" + pinging + `,` + initialized + `,7]`)
	if a, b := o.next(), o.next(); a["result"] == nil || errorCode(b) != codeInvalidRequest {
		t.Errorf("batch: %v %v", a, b)
	}

	early := connect(p)
	early.tell(`{"jsonrpc":"2.0","id":5,"method":"tools/list"}`)
	if m := early.next(); errorCode(m) != codeInvalidRequest {
		t.Errorf("before initialize: %v", m)
	}
	early.tell(pinging)
	result(t, early.next())
	early.open(Rev20241105)
	if r := early.say("[" + pinging + "]"); r.status != http.StatusBadRequest {
		t.Errorf("a batch in 2024-11-05: %d", r.status)
	}

	early.close()
	for deadline := time.Now().Add(time.Minute); len(s.OpenSessions()) != 1 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
	}
	if r := early.say(pinging); r.status != http.StatusNotFound {
		t.Errorf("after the stream: %d", r.status)
	}
	o.tell(pinging)
	result(t, o.next())
}

func TestHTTPSSEStreamsAreApart(t *testing.T) {
	_, p := start(t, Config{Profile: profile(t, "http-sse")})
	a, b := connect(p), connect(p)
	if a.endpoint == b.endpoint {
		t.Errorf("both post to %s", a.endpoint)
	}
	a.open(Rev20241105)
	b.open(Rev20251125)
	a.tell(pinging)
	result(t, a.next())
	if !b.silent() {
		t.Error("something for the other one")
	}
}

func TestUnifiedEndpoint(t *testing.T) {
	s, p := start(t, Config{Profile: profile(t, "unified")})
	old := connect(p)
	old.open(Rev20241105)
	p.open(Rev20251125)
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
	bare.sid = u.Query().Get(queryID)
	if r := bare.post(pinging); r.status != http.StatusNotFound {
		t.Errorf("the id of an old session: %d", r.status)
	}
	old.resolve(MessagePath + "?sessionId=" + p.sid)
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
}

// firstEvent is what a client sees that opens the stream of a deviant server.
func firstEvent(t *testing.T, d Deviation) (sseEvent, *oldPeer) {
	t.Helper()
	_, p := start(t, Config{Profile: profile(t, "http-sse"), Deviation: &d})
	in, res, cancel := p.listen()
	t.Cleanup(cancel)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%d", res.StatusCode)
	}
	o := &oldPeer{peer: p, in: in, close: cancel}
	return o.event(), o
}

func TestEndpointDeviations(t *testing.T) {
	for way, want := range map[string]string{
		"absolute": "http://127.0.0.1:", "relative": "messages?", "foreign": "http://mcpcheck.invalid/messages?", "other-port": ":9/messages?",
		"other-scheme": "ftp://", "quoted": `"/messages?`, "object": `{"uri":"/messages?`, "two-lines": "/messages?", "no-session": "/messages",
		"not-found": "/no-such/messages?", "no-post": "/mcp?",
	} {
		e, o := firstEvent(t, Deviation{Generate: map[string]string{"endpoint": way}})
		if e.name != "endpoint" || !strings.Contains(e.data, want) {
			t.Errorf("%s: %+v", way, e)
		}
		if status := map[string]int{"absolute": 202, "relative": 202, "no-session": 400, "not-found": 404, "no-post": 405}[way]; status != 0 {
			o.resolve(e.data)
			if r := o.say(pinging); r.status != status {
				t.Errorf("%s: %d", way, r.status)
			}
		}
	}
	elsewhere := Deviation{Generate: map[string]string{"endpoint": "foreign"}, When: &Condition{Header: map[string]string{"User-Agent": "x"}}}
	if e, _ := firstEvent(t, elsewhere); !strings.HasPrefix(e.data, MessagePath) {
		t.Errorf("for another client: %+v", e)
	}
	name, lines := "message", []string{"event: message", `data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}`, ""}
	if e, _ := firstEvent(t, Deviation{Edits: []Edit{{On: "event endpoint", Event: &EventEdit{Type: &name}}}}); e.name != "message" {
		t.Errorf("wrong name: %+v", e)
	}
	e, o := firstEvent(t, Deviation{Edits: []Edit{{On: "event endpoint", Event: &EventEdit{Before: lines}}}})
	if second := o.event(); e.name != "message" || second.name != "endpoint" {
		t.Errorf("wrong order: %+v, %+v", e, second)
	}
	began := time.Now()
	if e, _ := firstEvent(t, Deviation{Edits: []Edit{{On: "event endpoint", Delay: "150ms"}}}); e.name != "endpoint" || time.Since(began) < 150*time.Millisecond {
		t.Errorf("late: %+v", e)
	}
	_, p := start(t, Config{Profile: profile(t, "http-sse"), Deviation: &Deviation{Edits: []Edit{{On: "event endpoint", Drop: true}}}})
	in, _, cancel := p.listen()
	defer cancel()
	if o := (&oldPeer{in: in}); !o.silent() {
		t.Error("missing: something came")
	}
}

func TestHTTPSSEDeviations(t *testing.T) {
	deviant := func(d Deviation) *peer {
		_, p := start(t, Config{Profile: profile(t, "http-sse"), Deviation: &d})
		return p
	}
	for _, row := range []struct {
		name   string
		stream bool // where it comes besides the body
	}{{switchInBody, false}, {switchBodyToo, true}} {
		o := connect(deviant(Deviation{Switches: []string{row.name}, When: &Condition{RPC: []string{"ping", "tools/call"}}}))
		o.open(Rev20241105)
		for _, body := range []string{pinging, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}`} {
			if r := o.say(body); r.status != http.StatusOK || len(r.messages) != 1 || r.messages[0]["result"] == nil {
				t.Errorf("%s: %d %q", row.name, r.status, r.raw)
			}
			if row.stream {
				result(t, o.next())
			}
		}
		if !o.silent() {
			t.Errorf("%s: the stream speaks", row.name)
		}
	}
	for _, row := range []struct {
		name string
		own  bool
	}{{switchOtherStream, false}, {switchEveryStream, true}} {
		p := deviant(Deviation{Switches: []string{row.name}, When: &Condition{RPC: []string{"ping"}}})
		a, b := connect(p), connect(p)
		a.open(Rev20241105)
		a.tell(pinging)
		result(t, b.next())
		if row.own {
			result(t, a.next())
		} else if !a.silent() {
			t.Errorf("%s: its own stream", row.name)
		}
	}
	for _, guard := range []string{"sse-missing-session", "sse-unknown-session"} {
		o := connect(deviant(Deviation{Switches: []string{"skip " + guard}}))
		query := map[string]string{"sse-missing-session": "", "sse-unknown-session": "?sessionId=x"}[guard]
		o.resolve(MessagePath + query)
		if r := o.say(pinging); r.status != http.StatusAccepted || !o.silent() {
			t.Errorf("%s: %d", guard, r.status)
		}
	}
	p := deviant(Deviation{Switches: []string{"skip sse-closed-session"}})
	o := connect(p)
	o.close()
	time.Sleep(50 * time.Millisecond)
	o.tell(pinging)

	// Edits of outcomes, and of events by what caused them.
	text, name := "Accepted", "other"
	o = connect(deviant(Deviation{Edits: []Edit{
		{On: "sse-post", Body: &text, Status: 200},
		{On: "event message", When: &Condition{RPC: []string{"ping"}}, Revisions: []string{Rev20250618}, Event: &EventEdit{Type: &name}},
		{On: "result tools/list", Remove: "/result/tools"},
		{On: "sse-open", Header: map[string]*string{"X-Test": &text}, Prefix: ": hello\n\n"},
	}}))
	say := func(body string) {
		if r := o.say(body); r.status != 200 || r.raw != text {
			t.Errorf("%d %q", r.status, r.raw)
		}
	}
	say(initializing(Rev20250618))
	result(t, o.next())
	say(pinging)
	if e := o.event(); e.name != "other" {
		t.Errorf("%+v", e)
	}
	say(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	if r := result(t, o.next()); len(r) != 0 {
		t.Errorf("%v", r)
	}
}
