package evidence

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// TestHider: session ids are left out, also where one is the beginning of another; what we made up ourselves and what is too short to be
// a secret stays.
func TestHider(t *testing.T) {
	const short, ours = "1234567", "mcpcheck-no-such-session"
	long := "session-1" + strings.Repeat("a", 200_000)
	transcript := &wire.Transcript{Session: wire.SessionInfo{ID: "session-1"}, Exchanges: []*wire.Exchange{
		{Request: wire.Request{Header: http.Header{"mcp-session-id": {long}}}},
		{Request: wire.Request{Header: http.Header{"Mcp-Session-Id": {ours}}}},
		{Response: &wire.Response{Header: http.Header{"Mcp-Session-Id": {short}}}},
	}}
	hide := Hider(transcript)
	for text, want := range map[string]string{
		"Mcp-Session-Id: " + long:        "Mcp-Session-Id: [session sess…]",
		"session-1 and session-1 again":  "[session sess…] and [session sess…] again",
		"Mcp-Session-Id: " + ours:        "Mcp-Session-Id: " + ours,
		"Mcp-Session-Id: " + short:       "Mcp-Session-Id: " + short,
		"nothing of the kind, session-2": "nothing of the kind, session-2",
	} {
		if got := hide(text); got != want {
			t.Errorf("%.60q: %.60q", text, got)
		}
	}
}

// TestHeadsAreCut: an endless field does not make a report endless, and the report says that it was cut.
func TestHeadsAreCut(t *testing.T) {
	x := &wire.Exchange{EndedBy: wire.ByServer, Response: &wire.Response{Status: 200, Header: http.Header{"X-Short": {"short"}}}}
	if e := Of(kit.Place{Exchange: x, Event: -1}, ""); e.Truncated || len(e.Response.Header) != 1 {
		t.Errorf("a short head: truncated %v, %d fields", e.Truncated, len(e.Response.Header))
	}
	for _, letter := range "ABCDEFGHIJKLMNOP" {
		x.Response.Header["X-Long-"+string(letter)] = []string{strings.Repeat("ü", 100_000)}
	}
	e := Of(kit.Place{Exchange: x, Event: -1}, "")
	size := 0
	for _, line := range e.Response.Header {
		size += len(line)
		if strings.ToValidUTF8(line, "?") != line {
			t.Errorf("a letter was cut in two: %q", line[len(line)-4:])
		}
	}
	if !e.Truncated || size > maxHead || len(e.Response.Header[0]) > maxField {
		t.Errorf("truncated %v, %d bytes", e.Truncated, size)
	}
}
