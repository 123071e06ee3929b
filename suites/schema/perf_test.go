package schema

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestLargeList judges a tools/list of about 5 MB, good and bad.
func TestLargeList(t *testing.T) {
	set, err := For("2025-11-25")
	if err != nil {
		t.Fatal(err)
	}
	good := `{"name":"n","description":"` + strings.Repeat("x", 400) + `","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`
	for _, tool := range []string{good, `{}`, `1`} {
		n := min(5<<20/len(tool), 1_000_000)
		raw := json.RawMessage(`{"tools":[` + strings.Repeat(tool+",", n-1) + tool + `]}`)
		start := time.Now()
		found, _ := set.Result("tools/list", raw)
		t.Logf("%d bytes, %d violations, %v", len(raw), len(found), time.Since(start))
		if (len(found) > 0) == (tool == good) {
			t.Errorf("%.40s: %d violations", tool, len(found))
		}
	}
}
