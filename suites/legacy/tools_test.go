package legacy

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func TestOtherCase(t *testing.T) {
	for _, c := range []struct {
		name, others, want string
	}{
		{"status", "", "Status"},
		{"Status", "status", "STatus"},
		{"1-é_a", "", "1-é_A"},
		{"123", "", ""},
		{"a", "A", ""},
		{"@[`{", "", ""},
	} {
		tools := []kit.Tool{{Name: c.name}, {Name: c.others}}
		if got, _ := otherCase(tools, c.name); got != c.want {
			t.Errorf("%q beside %q becomes %q, want %q", c.name, c.others, got, c.want)
		}
	}
}
