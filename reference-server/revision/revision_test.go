package revision

import "testing"

func TestAtLeast(t *testing.T) {
	for _, row := range []struct {
		revision, other string
		want            bool
	}{
		{V20241105, V20241105, true},
		{V20241105, V20250326, false},
		{V20251125, V20250618, true},
		{V20250618, V20251125, false},
		{"", V20241105, false},
		{"2099-12-31", V20241105, false}, // what the server does not speak has no features that it knows
	} {
		if got := AtLeast(row.revision, row.other); got != row.want {
			t.Errorf("%q at least %q: %v", row.revision, row.other, got)
		}
	}
	if got := Newest([]string{V20250326, V20250618, V20241105}); got != V20250618 {
		t.Errorf("newest: %s", got)
	}
}
