package deviation

import (
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// TestPauses: a time among the messages of an edit holds back the one behind it, and no other.
func TestPauses(t *testing.T) {
	ping := map[string]any{"jsonrpc": "2.0", "id": 1, "method": "ping"}
	d, err := New(&Deviation{Edits: []Edit{{On: "result tools/call", Before: []any{ping, "1s", "500ms", ping, "same"}}}}, Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	var pauses []time.Duration
	for _, f := range d.Frames(Scene{}, jsonrpc.Outgoing{Kind: jsonrpc.OutResult, Method: "tools/call", Body: map[string]any{"id": 2}}) {
		pauses = append(pauses, f.Delay)
	}
	want := []time.Duration{0, 1500 * time.Millisecond, 0, 0}
	if len(pauses) != len(want) {
		t.Fatalf("%d messages, and not %d", len(pauses), len(want))
	}
	for i := range want {
		if pauses[i] != want[i] {
			t.Errorf("message %d waits %v, and not %v", i+1, pauses[i], want[i])
		}
	}
}
