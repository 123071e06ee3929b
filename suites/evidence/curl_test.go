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
