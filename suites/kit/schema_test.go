package kit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

// TestShapes: results are judged by the schema of their method, long ones once however often they are asked for.
func TestShapes(t *testing.T) {
	long := `{"tools":[{"name":"a"},{"name":"b","inputSchema":{"type":"object"},"description":"` + strings.Repeat("a", longResult) + `"}]}`
	for name, row := range map[string]struct {
		method, came string
		want         int
	}{
		"a short one":       {"tools/list", `"result":{"tools":[{"name":"a"}]}`, 1},
		"one in order":      {"tools/list", `"result":{"tools":[]}`, 0},
		"a long one":        {"tools/list", `"result":` + long, 1},
		"an error":          {"tools/list", `"error":{"code":1,"message":"no"}`, 0},
		"an unknown method": {"x/y", `"result":{}`, 0},
	} {
		text := "== ping\n> POST\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + row.method + "\"}\n< 200 application/json\n< {\"jsonrpc\":\"2.0\",\"id\":1," + row.came + "}\n"
		var counts []int
		judged(wiretest.Transcript(t, text), nil, func(t *T) {
			for range 2 {
				counts = append(counts, len(t.Shape(t.Sent("ping"))))
			}
			// Whoever judges a recording made of this one asks no more.
			counts = append(counts, len((&T{recording: t.recording.With(nil)}).Shape(t.Sent("ping"))))
		})
		if len(counts) != 3 || counts[0] != row.want || counts[1] != row.want || counts[2] != row.want {
			t.Errorf("%s: %v violations, want %d", name, counts, row.want)
		}
	}
	got := judged(wiretest.Transcript(t, pingSent+"< 200\n"), nil, func(t *T) {
		t.recording.Revision = "1999-01-01"
		t.ResultShape("ping", json.RawMessage(`{}`))
	})
	if got.Verdict != Error {
		t.Errorf("a revision that does not exist: %s", got.Verdict)
	}
}
