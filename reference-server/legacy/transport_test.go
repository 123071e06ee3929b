package legacy_test

import (
	"net/http"
	"strings"
	"testing"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

func TestEveryProfileServesEveryRevision(t *testing.T) {
	for _, name := range refserver.Profiles() {
		prof := profile(t, name)
		if prof.Lifetime > 0 {
			continue // sessions end on the way
		}
		for _, rev := range prof.Spoken() {
			t.Run(name+"/"+rev, func(t *testing.T) {
				inMemory(t, refserver.Config{Profile: prof}, func(t *testing.T, s *refserver.Server, p *peer) {
					init := result(t, p.open(rev).messages[0])
					if init["protocolVersion"] != rev {
						t.Errorf("negotiated %v", init["protocolVersion"])
					}
					for method, params := range map[string]string{
						"ping": "", "tools/list": "", "resources/list": "{}", "resources/templates/list": "", "prompts/list": "",
						"tools/call":          `{"name":"status"}`,
						"resources/read":      `{"uri":"ref://about"}`,
						"prompts/get":         `{"name":"hello"}`,
						"completion/complete": `{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"name","value":"a"}}`,
					} {
						feature, _, _ := strings.Cut(method, "/")
						if prof.ToolsOnly && feature != "ping" && feature != "tools" {
							continue
						}
						if prof.Failing && (method == "prompts/get" || feature == "completion") {
							continue
						}
						result(t, p.call(method, params))
					}
					for _, tool := range []string{"slow", "chatty", "progressing"} {
						r := result(t, p.call("tools/call", `{"name":"`+tool+`","_meta":{"progressToken":7}}`))
						if r["isError"] != nil {
							t.Errorf("%s: %v", tool, r)
						}
					}
					if p.sid != "" && prof.DELETE {
						if r := p.do(http.MethodDelete, ""); r.status != http.StatusNoContent {
							t.Errorf("DELETE: %d", r.status)
						}
						if open := s.OpenSessions(); len(open) > 0 {
							t.Errorf("still open: %v", open)
						}
					}
				})
			})
		}
	}
}

func TestRefusals(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	rows := []struct {
		name     string
		profile  string
		revision string
		method   string
		body     string
		header   []string
		status   int
		code     int // of a JSON-RPC error in the body
		contains string
	}{
		{name: "control", body: ping, status: 200},
		{name: "no session id", body: ping, header: []string{headerSession, ""}, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "no session id on GET", method: "GET", header: []string{headerSession, ""}, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "no session id on DELETE", method: "DELETE", header: []string{headerSession, ""}, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "unknown session id", body: ping, header: []string{headerSession, strings.Repeat("0", 32)}, status: 404, code: jsonrpc.CodeInvalidRequest},
		{name: "unsupported version", body: ping, header: []string{headerVersion, "1900-01-01"}, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "unsupported version on GET", method: "GET", header: []string{headerVersion, "mcpcheck"}, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "unsupported version on DELETE", method: "DELETE", header: []string{headerVersion, "x"}, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "header of no concern", revision: revision.V20250326, body: ping, header: []string{headerVersion, "1900-01-01"}, status: 200},
		{name: "no version", body: ping, header: []string{headerVersion, ""}, status: 200},
		{name: "other version", body: ping, header: []string{headerVersion, revision.V20250326}, status: 200},
		{name: "accepts anything", body: ping, header: []string{"Accept", "*/*"}, status: 200},
		{name: "accepts with weights", body: ping, header: []string{"Accept", "text/*;q=0.1, application/json;q=0.9, */*;q=0"}, status: 200},
		{name: "accepts JSON only", body: ping, header: []string{"Accept", typeJSON}, status: 406},
		{name: "refuses JSON", body: ping, header: []string{"Accept", "application/json;q=0, */*"}, status: 406},
		{name: "accepts nothing", body: ping, header: []string{"Accept", ""}, status: 406},
		{name: "GET accepts JSON", method: "GET", header: []string{"Accept", typeJSON}, status: 406},
		{name: "text", body: ping, header: []string{"Content-Type", "text/plain"}, status: 415},
		{name: "charset", body: ping, header: []string{"Content-Type", "application/json; charset=UTF-8"}, status: 200},
		{name: "foreign origin", body: ping, header: []string{"Origin", "https://mcpcheck.invalid"}, status: 403},
		{name: "null origin", body: ping, header: []string{"Origin", "null"}, status: 403},
		{name: "foreign origin on GET", method: "GET", header: []string{"Origin", "https://mcpcheck.invalid"}, status: 403},
		{name: "foreign origin on DELETE", method: "DELETE", header: []string{"Origin", "https://mcpcheck.invalid"}, status: 403},
		{name: "local origin", body: ping, header: []string{"Origin", "http://localhost:8080"}, status: 200},
		{name: "foreign host", body: ping, header: []string{"Host", "mcpcheck.invalid:80"}, status: 403},
		{name: "local host", body: ping, header: []string{"Host", "[::1]:3000"}, status: 200},
		{name: "PUT", method: "PUT", status: 405},
		{name: "OPTIONS", method: "OPTIONS", header: []string{"Origin", "https://mcpcheck.invalid"}, status: 403},
		{name: "GET without stream", profile: "no-get", method: "GET", status: 405},
		{name: "GET without sessions", profile: "stateless", method: "GET", status: 405},
		{name: "DELETE without sessions", profile: "stateless", method: "DELETE", status: 405},
		{name: "cut off", body: ping[:20], status: 400, code: jsonrpc.CodeParse},
		{name: "nothing", body: "", status: 400, code: jsonrpc.CodeParse},
		{name: "not UTF-8", body: "\"\xff\"", status: 400, code: jsonrpc.CodeParse},
		{name: "version 1.0", body: `{"jsonrpc":"1.0","id":1,"method":"ping"}`, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "method is a number", body: `{"jsonrpc":"2.0","id":1,"method":5}`, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "a number", body: `42`, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "id null", body: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "batch too late", body: "[" + ping + "]", status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "empty batch", revision: revision.V20250326, body: "[]", status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "batched initialize", revision: revision.V20250326, body: `[{"jsonrpc":"2.0","id":1,"method":"initialize"}]`, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "second initialize", body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, status: 400, code: jsonrpc.CodeInvalidRequest},
		{name: "unknown method", body: `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, status: 200, code: jsonrpc.CodeMethodNotFound},
		{name: "params no object", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, status: 200, code: jsonrpc.CodeInvalidParams},
		{name: "unknown tool", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no"}}`, status: 200, code: jsonrpc.CodeInvalidParams},
		{name: "unknown resource", body: `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"no:///such"}}`, status: 200, code: jsonrpc.CodeResourceNotFound},
		{name: "bad cursor", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"no"}}`, status: 200, code: jsonrpc.CodeInvalidParams},
		{name: "unknown notification", body: `{"jsonrpc":"2.0","method":"notifications/no-such"}`, status: 202},
		{name: "unknown response", body: `{"jsonrpc":"2.0","id":"none","result":{}}`, status: 202},
		{name: "too large", body: `"` + strings.Repeat("x", 4<<20) + `"`, status: 413},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			cfg := refserver.Config{}
			if row.profile != "" {
				cfg.Profile = profile(t, row.profile)
			}
			_, p := start(t, cfg)
			if row.revision == "" {
				row.revision = revision.V20251125
			}
			if row.method == "" {
				row.method = "POST"
			}
			p.open(row.revision)
			r := p.do(row.method, row.body, row.header...)
			if r.status != row.status {
				t.Fatalf("status %d, want %d: %s", r.status, row.status, r.raw)
			}
			code := 0
			if len(r.messages) > 0 {
				code = errorCode(r.messages[len(r.messages)-1])
			}
			if code != row.code {
				t.Errorf("code %d, want %d: %s", code, row.code, r.raw)
			}
			if row.status == 405 && r.header.Get("Allow") == "" {
				t.Error("405 without Allow")
			}
			if row.status == 202 && r.raw != "" {
				t.Errorf("202 with a body: %q", r.raw)
			}
			if r.header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("CORS is open")
			}
		})
	}
}

func TestNegotiation(t *testing.T) {
	_, p := start(t, refserver.Config{})
	for asked, want := range map[string]string{
		revision.V20241105: revision.V20241105, revision.V20250326: revision.V20250326, "2099-12-31": revision.V20251125, "1900-01-01": revision.V20251125,
	} {
		if got := result(t, p.initialize(asked).messages[0])["protocolVersion"]; got != want {
			t.Errorf("asked for %s: %v", asked, got)
		}
	}
	if r := p.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`); errorCode(r.messages[0]) != jsonrpc.CodeInvalidParams {
		t.Errorf("without params: %s", r.raw)
	}
}

func TestIDsComeBackAsTheyWere(t *testing.T) {
	for _, name := range []string{"json", "sse"} {
		_, p := start(t, refserver.Config{Profile: profile(t, name)})
		p.open(revision.V20250618)
		for _, id := range []string{"7", "0", "-3", `"a"`, `"7"`, `"äö✓"`, "9007199254740991"} {
			if r := p.post(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`); !strings.Contains(r.raw, `"id":`+id+`,`) {
				t.Errorf("%s: id %s: %s", name, id, r.raw)
			}
		}
	}
}

func TestBatches(t *testing.T) {
	for _, name := range []string{"json", "sse"} {
		t.Run(name, func(t *testing.T) {
			_, p := start(t, refserver.Config{Profile: profile(t, name)})
			p.open(revision.V20250326)
			r := p.post(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled"},{"jsonrpc":"2.0","id":"b","method":"no"},7]`)
			if len(r.messages) != 3 || r.status != 200 {
				t.Fatalf("%d: %s", r.status, r.raw)
			}
			if errorCode(r.messages[1]) != jsonrpc.CodeMethodNotFound || errorCode(r.messages[2]) != jsonrpc.CodeInvalidRequest {
				t.Errorf("%s", r.raw)
			}
			if r := p.post(`[{"jsonrpc":"2.0","method":"notifications/cancelled"},{"jsonrpc":"2.0","id":9,"result":{}}]`); r.status != 202 || r.raw != "" {
				t.Errorf("only notifications: %d %q", r.status, r.raw)
			}
		})
	}
}
