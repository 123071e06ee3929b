package legacy

import (
	"encoding/json"
	"strings"
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

func TestDemanded(t *testing.T) {
	for schema, want := range map[string]string{
		`{"required":["a"],"properties":{"a":{"type":"string"}}}`:        "a",
		`{"required":["a","b"],"properties":{"a":{"default":1},"b":{}}}`: "b",
		`{"required":["a"]}`:                          "",
		`{"required":["a"],"properties":{"b":{}}}`:    "",
		`{"required":"a","properties":{"a":{}}}`:      "",
		`{"required":[null,1],"properties":{"a":{}}}`: "",
		`null`: "",
		`{"required":["a"],"properties":{"a":true}}`: "a",
	} {
		if got := strings.Join(demanded(kit.Tool{Raw: json.RawMessage(`{"inputSchema":` + schema + `}`)}), ","); got != want {
			t.Errorf("%s demands %q, want %q", schema, got, want)
		}
	}
	if got := demanded(kit.Tool{}); got != nil {
		t.Errorf("nothing demands %q", got)
	}
}
