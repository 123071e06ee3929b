package suites

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// TestSameBreach: what was seen twice confirms itself wherever it stands, such as two sessions that got one id; what may be an accident
// has to come in the same place.
func TestSameBreach(t *testing.T) {
	at := func(script, label, expected string, status int) kit.Result {
		x := &wire.Exchange{Label: label, EndedBy: wire.ByServer, Response: &wire.Response{Status: status}}
		return kit.Result{Verdict: kit.Warn, Findings: []kit.Finding{{
			Verdict: kit.Warn, Expected: expected, Place: kit.Place{Transcript: &wire.Transcript{Script: script}, Exchange: x, Event: -1},
		}}}
	}
	for name, row := range map[string]struct {
		a, b kit.Result
		same bool
	}{
		"the same id, in other sessions":        {at("session/ended", "initialize", "ids that differ", 200), at("tools/call", "initialize", "ids that differ", 200), true},
		"another requirement of the check":      {at("session/ended", "initialize", "ids that differ", 200), at("tools/call", "initialize", "a longer id", 200), false},
		"a 500 in the same place":               {at("sse/streams", "first", "a result", 500), at("sse/streams", "first", "a result", 500), true},
		"a 500 elsewhere":                       {at("sse/streams", "first", "a result", 500), at("sse/streams", "second", "a result", 500), false},
		"a 429 elsewhere":                       {at("sse/streams", "first", "a result", 429), at("sse/streams", "second", "a result", 429), false},
		"the same place, for whatever is wrong": {at("sse/streams", "first", "a result", 200), at("sse/streams", "first", "an error", 200), true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := repeats(&row.a, row.b); got != row.same {
				t.Errorf("repeats: %v", got)
			}
		})
	}
}
