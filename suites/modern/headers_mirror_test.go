package modern

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/kit"
)

const forecast = `{"name":"forecast","inputSchema":{"properties":{
	"region":{"type":"string","x-mcp-header":"Region"},"days":{"type":["integer","null"],"x-mcp-header":"Days"},
	"alerts":{"type":"boolean","x-mcp-header":"Alerts"},"units":{"type":"string"},
	"place":{"properties":{"city":{"type":"string","x-mcp-header":"City"}}},
	"list":{"items":{"type":"string","x-mcp-header":"List"}},"odd":{"type":"string","x-mcp-header":"O dd"}}}}`

// TestMirrored: what headers say of arguments, by type; nothing of what has no value, or whose annotation cannot be followed.
func TestMirrored(t *testing.T) {
	mirror := mirrored(&kit.Facts{Tools: []kit.Tool{{Name: "forecast", Raw: json.RawMessage(forecast)}}})
	for arguments, want := range map[string]string{
		`{"region":"a","days":3,"alerts":true,"place":{"city":"b"},"units":"c","list":["d"],"odd":"e"}`: "Alerts: true, City: b, Days: 3, Region: a",
		`{"region":" \u00e9","days":-42.0}`:   "Days: -42, Region:  é",
		`{"days":4.2e1,"region":""}`:          "Days: 42, Region: ",
		`{"days":9007199254740993}`:           "Days: 9007199254740993",
		`{"days":1e999999999}`:                "Days: 1e999999999",
		`{"days":1.5}`:                        "Days: 1.5",
		`{"days":null,"place":7,"region":{}}`: "",
		`{"City":"b"}`:                        "",
		`[]`:                                  "",
		``:                                    "",
	} {
		found := mirror("forecast", json.RawMessage(arguments))
		var got []string
		for _, name := range slices.Sorted(maps.Keys(found)) {
			got = append(got, name+": "+found[name])
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q", arguments, got)
		}
	}
	if found := mirror("another", json.RawMessage(`{"region":"a"}`)); len(found) > 0 {
		t.Errorf("of a tool that is not listed: %v", found)
	}
}

// TestSamples: values that schemas admit, and none in doubt.
func TestSamples(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"string"}`:                                           `"mcpcheck"`,
		`{"type":"string","pattern":"^a$"}`:                           "",
		`{"type":"string","pattern":"^a$","default":"a"}`:             `"a"`,
		`{"type":"string","enum":[null,"b","c"]}`:                     `"b"`,
		`{"type":"string","enum":[null]}`:                             "",
		`{"type":"string","format":"date","examples":["2026-07-28"]}`: `"2026-07-28"`,
		`{"type":"string","const":"x","default":"y"}`:                 `"x"`,
		`{"type":"string","default":null}`:                            `"mcpcheck"`,
		`{"type":"integer"}`:                                          `1`,
		`{"type":"integer","minimum":5,"maximum":9}`:                  `5`,
		`{"type":"integer","maximum":9}`:                              "",
		`{"type":["null","boolean"]}`:                                 `true`,
		`{"type":"object"}`:                                           "",
		`{}`:                                                          "",
	} {
		var p parameter
		if err := json.Unmarshal([]byte(schema), &p.schema); err != nil {
			t.Fatal(err)
		}
		if got := string(p.sample()); got != want {
			t.Errorf("%s: %s", schema, got)
		}
	}
}

// TestAnother: another value of the same type.
func TestAnother(t *testing.T) {
	for text, want := range map[string]string{"true": "false", "false": "true", "1": "7", "7": "8", "a": "a-mcpcheck", "": "-mcpcheck"} {
		if got := another(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
