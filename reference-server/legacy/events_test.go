package legacy_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

func TestStreamsStartAsTheRevisionSays(t *testing.T) {
	for _, rev := range []string{revision.V20250326, revision.V20250618, revision.V20251125} {
		_, p := start(t, refserver.Config{})
		p.open(rev)
		r := p.request("ping", "")
		primed := r.events[0].data == "" && r.events[0].id != ""
		if primed != (rev == revision.V20251125) {
			t.Errorf("%s: %q", rev, r.raw)
		}
		if r.header.Get("Cache-Control") != "no-cache" || r.header.Get("X-Accel-Buffering") != "no" {
			t.Errorf("%s: %v", rev, r.header)
		}
	}
}

func TestEventIDsAreUnique(t *testing.T) {
	_, p := start(t, refserver.Config{})
	p.open(revision.V20251125)
	seen := map[string]bool{}
	for range 3 {
		for _, e := range p.request("tools/call", `{"name":"chatty"}`).events {
			if seen[e.id] || e.id == "" {
				t.Errorf("event id %q", e.id)
			}
			seen[e.id] = true
		}
	}
}

func TestResumption(t *testing.T) {
	_, p := start(t, refserver.Config{})
	p.open(revision.V20251125)
	chatty := p.request("tools/call", `{"name":"chatty"}`)
	p.request("ping", "")
	for i, e := range chatty.events {
		r := p.do(http.MethodGet, "", headerLastID, e.id)
		if r.status != http.StatusOK || len(r.events) != len(chatty.events)-1-i {
			t.Fatalf("after event %d: %d %q", i, r.status, r.raw)
		}
		if i+1 < len(chatty.events) && r.events[0] != chatty.events[i+1] {
			t.Errorf("after event %d: %v", i, r.events[0])
		}
	}
	if r := p.do(http.MethodGet, "", headerLastID, "none"); r.status != http.StatusBadRequest {
		t.Errorf("unknown id: %d", r.status)
	}
	other := &peer{t: t, url: p.url, http: p.http}
	other.open(revision.V20251125)
	if r := other.do(http.MethodGet, "", headerLastID, chatty.events[0].id); r.status != http.StatusBadRequest {
		t.Errorf("id of another session: %d", r.status)
	}
}

func TestEarlyCloseIsResumed(t *testing.T) {
	inMemory(t, refserver.Config{}, func(t *testing.T, s *refserver.Server, p *peer) {
		p.open(revision.V20251125)
		r := p.request("tools/call", `{"name":"early-close"}`)
		last := r.events[len(r.events)-1]
		if len(r.messages) != 0 || last.retry == "" || last.id == "" {
			t.Fatalf("%q", r.raw)
		}
		resumed := p.do(http.MethodGet, "", headerLastID, last.id)
		if len(resumed.messages) != 1 || resumed.messages[0]["id"] != float64(p.ids) {
			t.Errorf("%q", resumed.raw)
		}
	})
}

func TestLostConnectionDoesNotCancel(t *testing.T) {
	inMemory(t, refserver.Config{}, func(t *testing.T, s *refserver.Server, p *peer) {
		p.open(revision.V20251125)
		res := p.send(t.Context(), http.MethodPost,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"milliseconds":2000}}}`)
		var head [64]byte
		n, err := res.Body.Read(head[:])
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		id, _, _ := strings.Cut(strings.TrimPrefix(string(head[:n]), "id: "), "\n")
		time.Sleep(time.Second)
		if r := p.do(http.MethodGet, "", headerLastID, id); len(r.messages) != 1 {
			t.Errorf("%q", r.raw)
		}
	})
}

func TestOneStandaloneStream(t *testing.T) {
	inMemory(t, refserver.Config{}, func(t *testing.T, s *refserver.Server, p *peer) {
		p.open(revision.V20251125)
		stream, res, closeStream := p.listen()
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != typeSSE {
			t.Fatalf("%d %v", res.StatusCode, res.Header)
		}
		if r := p.do(http.MethodGet, ""); r.status != http.StatusConflict {
			t.Errorf("second stream: %d", r.status)
		}
		line, err := stream.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, ":") {
			t.Errorf("first line %q, %v", line, err)
		}
		began := time.Now()
		_, _ = stream.ReadString('\n')
		if line, err = stream.ReadString('\n'); err != nil || line != ": keep-alive\n" || time.Since(began) != 15*time.Second {
			t.Errorf("%q, %v after %v", line, err, time.Since(began))
		}
		// A note changes the lists, which is said on this stream and not on that of the call.
		call := p.request("tools/call", `{"name":"write-note","arguments":{"text":"hello"}}`)
		if len(call.messages) != 1 {
			t.Errorf("%q", call.raw)
		}
		var methods []string
		var last string
		for range 3 {
			e, err := readEvent(stream)
			if err != nil {
				t.Fatal(err)
			}
			last = e.id
			methods = append(methods, decode(t, e.data)["method"].(string))
		}
		want := "notifications/tools/list_changed notifications/prompts/list_changed notifications/resources/list_changed"
		if strings.Join(methods, " ") != want {
			t.Errorf("%v", methods)
		}
		closeStream()
		time.Sleep(time.Second)
		p.request("tools/call", `{"name":"write-note","arguments":{"text":"while away"}}`)
		stream, _, closeStream = p.listen(headerLastID, last)
		defer closeStream()
		if e, err := readEvent(stream); err != nil || !strings.Contains(e.data, "resources/list_changed") {
			t.Errorf("resumed: %v %v", e, err)
		}
	})
}

func TestLevelsAndProgress(t *testing.T) {
	_, p := start(t, refserver.Config{})
	p.open(revision.V20250618)
	count := func(params, method string) (n int) {
		for _, m := range p.request("tools/call", params).messages {
			if m["method"] == method {
				n++
			}
		}
		return n
	}
	for level, want := range map[string]int{"debug": 4, "error": 1, "emergency": 0} {
		result(t, p.call("logging/setLevel", `{"level":"`+level+`"}`))
		if n := count(`{"name":"chatty"}`, "notifications/message"); n != want {
			t.Errorf("%s: %d messages", level, n)
		}
	}
	if n := count(`{"name":"progressing","_meta":{"progressToken":"t"}}`, "notifications/progress"); n != 4 {
		t.Errorf("%d steps", n)
	}
	if n := count(`{"name":"progressing"}`, "notifications/progress"); n != 0 {
		t.Errorf("%d steps without a token", n)
	}
}

func TestPagesJoinToTheList(t *testing.T) {
	_, all := start(t, refserver.Config{})
	_, paged := start(t, refserver.Config{Profile: profile(t, "paging")})
	all.open(revision.V20251125)
	paged.open(revision.V20251125)
	want := result(t, all.call("tools/list", ""))["tools"].([]any)
	var got []any
	params := ""
	for {
		r := result(t, paged.call("tools/list", params))
		got = append(got, r["tools"].([]any)...)
		next, ok := r["nextCursor"].(string)
		if !ok {
			break
		}
		params = `{"cursor":"` + next + `"}`
	}
	if len(got) != len(want) {
		t.Errorf("%d tools on pages, %d at once", len(got), len(want))
	}
}

func TestSecondInitializedIsNoHarm(t *testing.T) {
	_, p := start(t, refserver.Config{})
	p.open(revision.V20250326)
	if r := p.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); r.status != http.StatusAccepted {
		t.Errorf("%d", r.status)
	}
	res, err := p.http.Get(strings.TrimSuffix(p.url, refserver.Path) + "/elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("elsewhere: %d", res.StatusCode)
	}
}
