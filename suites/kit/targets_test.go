package kit

import (
	"encoding/json"
	"strings"
	"testing"
)

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
		if got := strings.Join((Tool{Raw: json.RawMessage(`{"inputSchema":` + schema + `}`)}).demanded(), ","); got != want {
			t.Errorf("%s demands %q, want %q", schema, got, want)
		}
	}
	if got := (Tool{}).demanded(); got != nil {
		t.Errorf("nothing demands %q", got)
	}
}
