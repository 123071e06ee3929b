package legacy_test

import (
	"net/http"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

func TestSessionLife(t *testing.T) {
	s, p := start(t, refserver.Config{})
	first := p.open(revision.V20251125)
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(p.sid) {
		t.Fatalf("session id %q", p.sid)
	}
	if first.header.Get("Content-Type") != typeSSE {
		t.Errorf("initialize as %s", first.header.Get("Content-Type"))
	}
	other := &peer{t: t, url: p.url, http: p.http}
	other.open(revision.V20250618)
	if n := len(s.OpenSessions()); n != 2 {
		t.Fatalf("%d sessions", n)
	}
	if r := p.do(http.MethodDelete, ""); r.status != http.StatusNoContent {
		t.Fatalf("DELETE: %d", r.status)
	}
	for _, method := range []string{"POST", "GET", "DELETE"} {
		if r := p.do(method, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); r.status != http.StatusNotFound {
			t.Errorf("%s to an ended session: %d", method, r.status)
		}
	}
	result(t, other.call("ping", ""))
	other.do(http.MethodDelete, "")
	if open := s.OpenSessions(); len(open) > 0 {
		t.Errorf("still open: %v", open)
	}
}

func TestNoDeleteProfile(t *testing.T) {
	_, p := start(t, refserver.Config{Profile: profile(t, "no-delete")})
	p.open(revision.V20250618)
	if r := p.do(http.MethodDelete, ""); r.status != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", r.status)
	}
	result(t, p.call("ping", ""))
}

// inMemory runs f in a bubble where time is free, with a client over pipes.
func inMemory(t *testing.T, cfg refserver.Config, f func(*testing.T, *refserver.Server, *peer)) {
	synctest.Test(t, func(t *testing.T) {
		s, err := refserver.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		ln := newMemory()
		running := refserver.Serve(ln, s)
		p := &peer{t: t, url: running.URL, http: ln.client()}
		defer func() {
			p.http.CloseIdleConnections()
			if err := running.Close(); err != nil {
				t.Error(err)
			}
		}()
		f(t, s, p)
	})
}

func TestIdleSessionsExpire(t *testing.T) {
	inMemory(t, refserver.Config{Idle: time.Minute}, func(t *testing.T, s *refserver.Server, p *peer) {
		p.open(revision.V20251125)
		time.Sleep(50 * time.Second)
		result(t, p.call("ping", ""))
		time.Sleep(50 * time.Second)
		result(t, p.call("ping", ""))
		time.Sleep(2 * time.Minute)
		if r := p.request("ping", ""); r.status != http.StatusNotFound {
			t.Errorf("after the idle time: %d", r.status)
		}
	})
}

func TestTalkativeServerPings(t *testing.T) {
	inMemory(t, refserver.Config{Profile: profile(t, "talkative")}, func(t *testing.T, s *refserver.Server, p *peer) {
		init := p.initialize(revision.V20251125)
		p.sid, p.version = init.header.Get(headerSession), revision.V20251125
		stream, _, closeStream := p.listen()
		defer closeStream()
		next := func() map[string]any {
			e, err := readEvent(stream)
			if err != nil {
				t.Fatal(err)
			}
			return decode(t, e.data)
		}
		began := time.Now()
		go func() {
			time.Sleep(time.Second)
			p.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		}()
		if m := next(); m["method"] != "notifications/message" || time.Since(began) < time.Second {
			t.Errorf("%v after %v, before the client was ready", m, time.Since(began))
		}
		ping, second := next(), next()
		if ping["method"] != "ping" || ping["id"] == nil || second["method"] != "ping" {
			t.Fatalf("%v and %v", ping, second)
		}
		token := func(m map[string]any) any {
			return m["params"].(map[string]any)["_meta"].(map[string]any)["progressToken"]
		}
		if second["id"] == ping["id"] || token(second) == token(ping) {
			t.Errorf("the same id or token in %v and %v", ping, second)
		}
		if r := p.post(`{"jsonrpc":"2.0","id":"` + ping["id"].(string) + `","result":{}}`); r.status != http.StatusAccepted {
			t.Errorf("response: %d", r.status)
		}
		// Nobody answers the second: the server gives up and says so.
		cancelled := next()
		if cancelled["method"] != "notifications/cancelled" || cancelled["params"].(map[string]any)["requestId"] != second["id"] {
			t.Errorf("%v", cancelled)
		}
		next() // the log message of the next round
		if third := next(); third["id"] == ping["id"] || third["id"] == second["id"] {
			t.Errorf("the id %v again", third["id"])
		}
	})
}

func TestCancelledCallIsNotAnswered(t *testing.T) {
	inMemory(t, refserver.Config{}, func(t *testing.T, s *refserver.Server, p *peer) {
		p.open(revision.V20250618)
		go func() {
			time.Sleep(time.Second)
			p.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}`)
		}()
		began := time.Now()
		r := p.post(`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"slow","arguments":{"milliseconds":9000}}}`)
		if len(r.messages) != 0 || time.Since(began) > 2*time.Second {
			t.Errorf("after %v: %s", time.Since(began), r.raw)
		}
	})
}

func TestCloseEndsStreamsAndCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := refserver.New(refserver.Config{Profile: profile(t, "talkative")})
		if err != nil {
			t.Fatal(err)
		}
		ln := newMemory()
		running := refserver.Serve(ln, s)
		p := &peer{t: t, url: running.URL, http: ln.client()}
		p.open(revision.V20251125)
		stream, _, _ := p.listen()
		done := make(chan reply)
		go func() {
			done <- p.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"milliseconds":9000}}}`)
		}()
		synctest.Wait()
		closed := make(chan error)
		go func() { closed <- running.Close() }()
		<-done
		for err == nil {
			_, err = readEvent(stream)
		}
		p.http.CloseIdleConnections()
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if open := s.OpenSessions(); len(open) > 0 {
			t.Errorf("still open: %v", open)
		}
	})
}
