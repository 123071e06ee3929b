package legacy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func TestSaysTheSame(t *testing.T) {
	text := func(s string) string { b, _ := json.Marshal(s); return `{"type":"text","text":` + string(b) + `}` }
	for _, c := range []struct {
		item, value string
		want        bool
	}{
		{text(`{"a":1,"b":[true,null]}`), `{"b":[true,null],"a":1.0}`, true},
		{text("{\n  \"a\": \"x\"\n}\n"), `{"a":"x"}`, true},
		{text(`{"a":1}`), `{"a":2}`, false},
		{text(`{"a":1}`), `{"a":"1"}`, false},
		{text(`{"a":1} and more`), `{"a":1}`, false},
		{text(`{"a":1}`), `{"a":1,"b":2}`, false},
		{text(`{"a":1e999999999}`), `{"a":1e999999999}`, true},
		{text(`{"a":1e999999999}`), `{"a":2e999999999}`, false},
		{text(`{"a":[1,2]}`), `{"a":[2,1]}`, false},
		{text("all is well"), `{"a":1}`, false},
		{`{"type":"html","text":"{}"}`, `{}`, false},
		{`{"type":"text","text":5}`, `5`, false},
		{`"{}"`, `{}`, false},
		{`null`, `{}`, false},
		{text(strings.Repeat("[", 20000)), `[]`, false},
	} {
		if got := saysTheSame([]byte(c.item), []byte(c.value)); got != c.want {
			t.Errorf("%.60s and %s: %v", c.item, c.value, got)
		}
	}
}

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
