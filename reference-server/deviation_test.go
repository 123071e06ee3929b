package refserver

import (
	"strings"
	"testing"
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
		"2025-11-25":          {Revisions: []string{"no-such"}, Switches: []string{"keep-open"}},
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
