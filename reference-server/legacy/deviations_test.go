package legacy_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

func TestFlakyEdit(t *testing.T) {
	_, p := start(t, refserver.Config{Deviation: &refserver.Deviation{Edits: []refserver.Edit{{On: "served-sse", When: &refserver.Condition{RPC: []string{"ping"}}, Every: 3, Status: 201}}}})
	p.open(revision.V20250618)
	var got []int
	for range 6 {
		got = append(got, p.request("ping", "").status)
	}
	if want := []int{200, 200, 201, 200, 200, 201}; string(jsonrpc.Encode(got)) != string(jsonrpc.Encode(want)) {
		t.Errorf("%v", got)
	}
}

func TestEditsOfAMessageReachItsAnswer(t *testing.T) {
	value := json.RawMessage("null")
	place := "/result/extra"
	edit := refserver.Edit{On: "result ping", Set: &place, Value: value, Status: 203, Splice: []refserver.Splice{{Find: "null", Base64: "MQ=="}}}
	_, p := start(t, refserver.Config{Profile: profile(t, "json"), Deviation: &refserver.Deviation{Edits: []refserver.Edit{edit}}})
	p.open(revision.V20250618)
	if r := p.request("ping", ""); r.status != 203 || !strings.Contains(r.raw, `"extra":1`) {
		t.Errorf("%d %s", r.status, r.raw)
	}
}

func TestHangs(t *testing.T) {
	for _, row := range []struct{ profile, hang, want string }{
		{"sse", "hang-before-head", ""},
		{"sse", "hang-before-first-event", "head"},
		{"json", "hang-in-body", "half"},
	} {
		cfg := refserver.Config{Profile: profile(t, row.profile), Deviation: &refserver.Deviation{Switches: []string{row.hang}, When: &refserver.Condition{RPC: []string{"ping"}}}}
		inMemory(t, cfg, func(t *testing.T, s *refserver.Server, p *peer) {
			p.open(revision.V20250618)
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
	deviation := &refserver.Deviation{Switches: []string{"single-session", "rate-limit", "one-worker"}}
	inMemory(t, refserver.Config{Deviation: deviation}, func(t *testing.T, s *refserver.Server, p *peer) {
		p.open(revision.V20250618)
		first := *p
		p.sid, p.version = "", ""
		p.open(revision.V20250618)
		if r := first.request("ping", ""); r.status != http.StatusNotFound || len(s.OpenSessions()) != 1 {
			t.Errorf("the former session: %d", r.status)
		}
		time.Sleep(2 * time.Second)
		limited := 0
		for range 8 {
			if r := p.request("ping", ""); r.status == http.StatusTooManyRequests && r.header.Get("Retry-After") == "1" {
				limited++
			}
		}
		if limited != 3 {
			t.Errorf("%d of eight requests at once were refused, and five a second are served", limited)
		}
	})
}
