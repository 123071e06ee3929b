package evidence

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

// TestLines: an exchange has lines that repeat it, unless what was seen came of time or of many requests, which they do not repeat.
func TestLines(t *testing.T) {
	tr := wiretest.Transcript(t, "== ping\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n< 400\n")
	place := kit.Place{Transcript: tr, Exchange: tr.Exchange("ping"), Event: -1}
	if Curl(place) == "" {
		t.Error("there is no line for a ping")
	}
	place.Exchange.Request.Header = http.Header{"Connection": {"close"}}
	if line := Curl(place); !strings.Contains(line, "-H 'Connection: close'") {
		t.Errorf("the connection of its own is not in %q", line)
	}
	back := wiretest.Transcript(t, "== back\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/get\",\"params\":{\"requestState\":\"s\"}}\n< 400\n")
	if line := Curl(kit.Place{Transcript: back, Exchange: back.Exchange("back"), Event: -1}); line != "" {
		t.Errorf("who comes back with an old state has the line %q", line)
	}
	place.Late = true
	if line := Curl(place); line != "" {
		t.Errorf("what comes late has the line %q", line)
	}
}

// TestSessions: the lines open the session that an exchange was in, which need not be the last of its conversation.
func TestSessions(t *testing.T) {
	tr := wiretest.Transcript(t, `session: second
== initialize
> POST
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
< 200 application/json
< Mcp-Session-Id: first
< {"jsonrpc":"2.0","id":1,"result":{}}
== wrong delete
> DELETE
> Mcp-Session-Id: first
< 204
== initialize anew
> POST
> {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
< 200 application/json
< Mcp-Session-Id: second
< {"jsonrpc":"2.0","id":2,"result":{}}
== delete
> DELETE
> Mcp-Session-Id: second
< 204
== after delete
> POST
> Mcp-Session-Id: second
> {"jsonrpc":"2.0","id":3,"method":"ping"}
< 200
== altered
> POST
> Mcp-Session-Id: third
> {"jsonrpc":"2.0","id":4,"method":"ping"}
< 200
`)
	for label, want := range map[string][]string{
		"wrong delete": {`"id":1`, `-X DELETE`},
		"after delete": {`"id":2`, `-X DELETE`, `"id":3`},
		"altered":      {`"id":4`},
	} {
		lines := strings.Split(Curl(kit.Place{Transcript: tr, Exchange: tr.Exchange(label), Event: -1}), "\n")
		if len(lines) != len(want) {
			t.Errorf("%s has the lines %q", label, lines)
			continue
		}
		for i, line := range lines {
			if !strings.Contains(line, want[i]) || strings.Contains(line, "Mcp-Session-Id: first") || strings.Contains(line, "Mcp-Session-Id: second") {
				t.Errorf("line %d of %s is %q, without %s or not in the session that was opened", i+1, label, line, want[i])
			}
		}
	}
}
