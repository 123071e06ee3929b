package evidence

import (
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
	place.Late = true
	if line := Curl(place); line != "" {
		t.Errorf("what comes late has the line %q", line)
	}
}
