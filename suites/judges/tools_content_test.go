package judges

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/schema"
)

// TestTimeStamps: a time stamp that a standard parser reads is never called odd.
func TestTimeStamps(t *testing.T) {
	for text, want := range map[string]bool{
		"2025-01-12T15:00:58Z": true, "2025-01-12T15:00:58.123456+02:00": true, "2025-01-12": true, "2025-01-12T15:00Z": true,
		"20250112T150058Z": true, "2025-W02-7": true, "2025-012": true, "2025-01": true, "2025-01-12T15:00:58": true,
		"2025-01-12T15:00:58+0200": true, "2025-01-12T24:00:00Z": true, "2025-01-12T15:00:58,5Z": true,
		"yesterday": false, "": false, "Sun, 12 Jan 2025 15:00:58 GMT": false, "1736694058": false, "12.01.2025": false,
		"2025-13-12": false, "2025-01-12T25:00:00Z": false,
	} {
		if got := isoTime.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestToolPlace: pointers into hostile lists are split without trouble.
func TestToolPlace(t *testing.T) {
	for path, want := range map[string]struct {
		index int
		place string
	}{
		"/result/tools/3/inputSchema/type": {3, "inputSchema/type"},
		"/result/tools/3":                  {3, ""},
		"/result/tools":                    {-1, ""},
		"":                                 {-1, ""},
		"/result/tools/x/name":             {-1, "name"},
	} {
		if index, place := toolPlace(path); index != want.index || place != want.place {
			t.Errorf("%q: %d %q", path, index, place)
		}
	}
}

// violation is one of a schema, by what stands at its place.
func violation(got string) schema.Violation { return schema.Violation{Got: got} }
