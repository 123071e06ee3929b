package modern_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// acknowledged reads the first message of a subscription and returns what it agrees to.
func acknowledged(t *testing.T, o *open, id string) string {
	t.Helper()
	m, ok := o.next()
	var params struct {
		Notifications json.RawMessage
		Meta          map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &params)
	if !ok || m.Method != "notifications/subscriptions/acknowledged" || string(params.Meta[prefix+"subscriptionId"]) != id {
		t.Fatalf("first message: %s %s", m.Method, m.Params)
	}
	return string(params.Notifications)
}

// TestSubscriptions: who listens hears what was asked for and nothing else, by the id of the request.
func TestSubscriptions(t *testing.T) {
	p := start(t, "modern")
	const filter = `{"toolsListChanged":true,"promptsListChanged":false,"resourceSubscriptions":["ref://notes","ref://none"]}`
	some := p.listen("7", filter)
	if some.res.Header.Get("Content-Type") != "text/event-stream" || some.res.Header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("%v", some.res.Header)
	}
	if got := acknowledged(t, some, "7"); got != `{"resourceSubscriptions":["ref://notes"],"toolsListChanged":true}` {
		t.Errorf("agreed to %s", got)
	}
	all := p.listen(`"7"`, `{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}`)
	acknowledged(t, all, `"7"`)
	prompts := p.listen("8", `{"promptsListChanged":true}`)
	acknowledged(t, prompts, "8")
	none := p.listen(`"none"`, `{}`)
	if got := acknowledged(t, none, `"none"`); got != `{}` {
		t.Errorf("agreed to %s", got)
	}
	if r := p.call("write-note", `{"text":"a"}`); r.code(t) != 0 || len(r.messages) != 1 {
		t.Errorf("the call itself says: %s", r.raw)
	}
	for _, row := range []struct {
		stream *open
		id     string
		want   []string
	}{
		{some, "7", []string{"notifications/tools/list_changed", "notifications/resources/updated"}},
		{all, `"7"`, []string{"notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed"}},
		{prompts, "8", []string{"notifications/prompts/list_changed"}},
	} {
		var got []string
		for range row.want {
			m, ok := row.stream.next()
			if !ok || !strings.Contains(string(m.Params), `"`+prefix+`subscriptionId":`+row.id) || m.ID != nil {
				t.Errorf("%s: %s %s", row.id, m.Method, m.Params)
			}
			got = append(got, m.Method)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s heard %v", row.id, got)
		}
	}
	// Each note changes the list of tools, which says how many there are.
	p.call("write-note", `{"text":"b"}`)
	if m, _ := some.next(); m.Method != "notifications/tools/list_changed" {
		t.Errorf("then came %s", m.Method)
	}
	for _, filter := range []string{`null`, `[]`, `{"toolsListChanged":"yes"}`, `{"resourceSubscriptions":"ref://notes"}`} {
		if r := p.ask("subscriptions/listen", `"notifications":`+filter); r.code(t) != -32602 {
			t.Errorf("filter %s: %s", filter, r.raw)
		}
	}
}

// TestSubscriptionsEnd: the server says that it ends, and forgets who has gone.
func TestSubscriptionsEnd(t *testing.T) {
	running, p := startRunning(t, "modern")
	gone := p.listen(`"gone"`, `{"toolsListChanged":true}`)
	acknowledged(t, gone, `"gone"`)
	gone.close()
	o := p.listen("7", `{"toolsListChanged":true}`)
	acknowledged(t, o, "7")
	closed := make(chan error, 1)
	go func() { closed <- running.Close() }()
	m, ok := o.next()
	if !ok || string(m.ID) != "7" || !strings.Contains(string(m.Result), `"`+prefix+`subscriptionId":7`) || !strings.Contains(string(m.Result), `"resultType":"complete"`) {
		t.Errorf("last message: %s %s", m.ID, m.Result)
	}
	if m, more := o.next(); more {
		t.Errorf("after the end: %+v", m)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// TestNotificationsOfRequests: progress for who gave a token, log messages for who asked for them, ahead of the response.
func TestNotificationsOfRequests(t *testing.T) {
	for _, profile := range []string{"modern", "modern-json"} {
		p := start(t, profile)
		for _, row := range []struct {
			tool, extra string
			want        int // messages before the response
		}{
			{"progressing", ``, 0},
			{"progressing", `,"progressToken":"t"`, 4},
			{"progressing", `,"progressToken":7`, 4},
			{"chatty", ``, 0},
			{"chatty", `,"` + prefix + `logLevel":"debug"`, 4},
			{"chatty", `,"` + prefix + `logLevel":"error"`, 1},
			{"chatty", `,"` + prefix + `logLevel":"alert"`, 0},
		} {
			p.extra = row.extra
			r := p.call(row.tool, "{}")
			if r.code(t) != 0 || len(r.messages) != row.want+1 {
				t.Errorf("%s %s with %s: %s", profile, row.tool, row.extra, r.raw)
			}
		}
		p.extra = `,"` + prefix + `logLevel":"loud"`
		if r := p.ask("server/discover", ""); r.code(t) != -32602 {
			t.Errorf("a level that is none: %s", r.raw)
		}
	}
}

// exchange runs one request in the bubble of a test, where time passes only while everything waits, until the returned function is called.
func exchange(t *testing.T, method, members, extra string) (answered <-chan string, goAway func()) {
	t.Helper()
	profile, _ := refserver.ProfileByName("modern")
	s, err := refserver.New(refserver.Config{Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	p := &peer{t: t, capabilities: "{}", extra: extra}
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/mcp", strings.NewReader(p.body(method, members)))
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": version, "Mcp-Method": method,
	} {
		r.Header.Set(name, value)
	}
	if method == "tools/call" {
		r.Header.Set("Mcp-Name", "slow")
	}
	done := make(chan string, 1)
	go func() {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		done <- w.Body.String()
	}()
	return done, cancel
}

// TestCancellation: a client that goes away ends the call, whose tool would take ten seconds, and nothing is sent any more.
func TestCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		answered, goAway := exchange(t, "tools/call", `"name":"slow","arguments":{"milliseconds":10000}`, "")
		synctest.Wait()
		goAway()
		if body := <-answered; body != "" || time.Since(began) > 0 {
			t.Errorf("after %v: %q", time.Since(began), body)
		}
	})
}

// TestKeepAlive: a stream on which nothing happens is kept open by comments.
func TestKeepAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answered, goAway := exchange(t, "subscriptions/listen", `"notifications":{}`, "")
		time.Sleep(40 * time.Second)
		goAway()
		if body := <-answered; strings.Count(body, ": keep-alive\n\n") != 2 {
			t.Errorf("in 40 seconds: %q", body)
		}
	})
}
