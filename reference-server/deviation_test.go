package refserver

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestWhatADeviationMayNotSay(t *testing.T) {
	place := "/x"
	for want, d := range map[string]Deviation{
		"skip GUARD":          {Switches: []string{"no-such"}},
		"missing-session":     {Switches: []string{"skip no-such"}},
		"delete-done":         {Edits: []Edit{{On: "no-such"}}},
		"event priming":       {Edits: []Edit{{On: "result METHOD"}}},
		"server-request":      {Generate: map[string]string{"no-such": "constant"}},
		"non-ascii":           {Generate: map[string]string{"session": "no-such"}},
		"2025-11-25":          {Revisions: []string{"no-such"}, Switches: []string{switchKeepOpen}},
		"one length":          {Wire: []WireEdit{{Find: "a", Replace: "bc"}}},
		"value, from or":      {Edits: []Edit{{On: "any answer", Set: &place}}},
		"deviates in nothing": {},
		"mixed":               {Edits: []Edit{{On: "any answer", When: &Condition{Batch: "odd"}}}},
		"invalid duration":    {Edits: []Edit{{On: "any answer", Delay: "soon"}}},
	} {
		if _, err := New(Config{Deviation: &d}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", d, err, want)
		}
	}
}

func TestPaths(t *testing.T) {
	const doc = `{"a":[{"b":1},{"b":2}],"c/d":null}`
	rows := []struct{ op, pointer, want string }{
		{"set", "/a/1/b", `{"a":[{"b":1},{"b":"new"}],"c/d":null}`},
		{"set", "/a/*/b", `{"a":[{"b":"new"},{"b":"new"}],"c/d":null}`},
		{"set", "/a/-", `{"a":[{"b":1},{"b":2},"new"],"c/d":null}`},
		{"set", "/c~1d", `{"a":[{"b":1},{"b":2}],"c/d":"new"}`},
		{"set", "/e", `{"a":[{"b":1},{"b":2}],"c/d":null,"e":"new"}`},
		{"set", "/no/such/parent", `{"a":[{"b":1},{"b":2}],"c/d":null}`},
		{"set", "", `"new"`},
		{"remove", "/a/0", `{"a":[{"b":2}],"c/d":null}`},
		{"remove", "/a/*/b", `{"a":[{},{}],"c/d":null}`},
		{"remove", "/no", `{"a":[{"b":1},{"b":2}],"c/d":null}`},
	}
	for _, row := range rows {
		v, err := decodeAny([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		if row.op == "set" {
			v = parsePath(row.pointer).set(v, "new")
		} else {
			v = parsePath(row.pointer).remove(v)
		}
		if got := string(encode(v)); got != row.want {
			t.Errorf("%s %s: %s", row.op, row.pointer, got)
		}
	}
}

func TestFlakyEdit(t *testing.T) {
	_, p := start(t, Config{Deviation: &Deviation{Edits: []Edit{{On: "served-sse", When: &Condition{RPC: []string{"ping"}}, Every: 3, Status: 201}}}})
	p.open(Rev20250618)
	var got []int
	for range 6 {
		got = append(got, p.request("ping", "").status)
	}
	if want := []int{200, 200, 201, 200, 200, 201}; string(encode(got)) != string(encode(want)) {
		t.Errorf("%v", got)
	}
}

func TestEditsOfAMessageReachItsAnswer(t *testing.T) {
	value := json.RawMessage("null")
	place := "/result/extra"
	edit := Edit{On: "result ping", Set: &place, Value: value, Status: 203, Splice: []Splice{{Find: "null", Base64: "MQ=="}}}
	_, p := start(t, Config{Profile: profile(t, "json"), Deviation: &Deviation{Edits: []Edit{edit}}})
	p.open(Rev20250618)
	if r := p.request("ping", ""); r.status != 203 || !strings.Contains(r.raw, `"extra":1`) {
		t.Errorf("%d %s", r.status, r.raw)
	}
}

func TestHangs(t *testing.T) {
	for _, row := range []struct{ profile, hang, want string }{
		{"sse", switchHangHead, ""},
		{"sse", switchHangEvent, "head"},
		{"json", switchHangBody, "half"},
	} {
		cfg := Config{Profile: profile(t, row.profile), Deviation: &Deviation{Switches: []string{row.hang}, When: &Condition{RPC: []string{"ping"}}}}
		inMemory(t, cfg, func(t *testing.T, s *Server, p *peer) {
			p.open(Rev20250618)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			req, _ := http.NewRequestWithContext(ctx, "POST", p.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
			req.Header.Set("Content-Type", typeJSON)
			req.Header.Set("Accept", "*/*")
			req.Header.Set(headerSession, p.sid)
			got := ""
			if res, err := p.http.Do(req); err == nil {
				got = "head"
				var b [512]byte
				if n, _ := res.Body.Read(b[:]); n > 0 && n < 30 {
					got = "half"
				}
				res.Body.Close()
			}
			if got != row.want {
				t.Errorf("%s: %q", row.hang, got)
			}
		})
	}
}

func TestSwitchesOfWholeServers(t *testing.T) {
	s, p := start(t, Config{Deviation: &Deviation{Switches: []string{switchSingleSession, switchRateLimit, switchOneWorker}}})
	p.open(Rev20250618)
	first := *p
	p.sid, p.version = "", ""
	p.open(Rev20250618)
	if r := first.request("ping", ""); r.status != http.StatusNotFound || len(s.OpenSessions()) != 1 {
		t.Errorf("the former session: %d", r.status)
	}
	limited := 0
	for range 2 * ratePerSec {
		if r := p.request("ping", ""); r.status == http.StatusTooManyRequests && r.header.Get("Retry-After") == "1" {
			limited++
		}
	}
	if limited == 0 {
		t.Error("no limit")
	}
}
