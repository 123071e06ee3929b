package kit

import (
	"encoding/json"
	"testing"
)

// TestIncompleteCall: what is left out is an argument that the tool demands: of a tool that only reads, or else of one that the user named,
// whose other arguments stay.
func TestIncompleteCall(t *testing.T) {
	schema := json.RawMessage(`{"inputSchema":{"required":["a"],"properties":{"a":{"type":"string"}}}}`)
	reads, writes := Tool{Name: "reads", ReadOnly: true, Raw: schema}, Tool{Name: "writes", Raw: schema}
	named := func(arguments any) []ToolCall { return []ToolCall{{Name: "writes", Arguments: arguments}} }
	for name, row := range map[string]struct {
		tools []Tool
		calls []ToolCall
		want  string // the call as JSON, and the argument
	}{
		"one that reads":                 {[]Tool{writes, reads}, named(map[string]any{"a": "1"}), `reads {} without a`},
		"one that writes":                {[]Tool{writes}, nil, ""},
		"one that writes, named":         {[]Tool{writes}, named(map[string]any{"a": "1", "b": 2}), `writes {"b":2} without a`},
		"named without the argument":     {[]Tool{writes}, named(map[string]any{"b": 2}), ""},
		"named with what is no object":   {[]Tool{writes}, named([]int{1}), ""},
		"named with nothing":             {[]Tool{writes}, named(nil), ""},
		"named, and not listed any more": {nil, named(map[string]any{"a": "1"}), ""},
	} {
		c := &C{Facts: &Facts{Tools: row.tools}}
		c.Calls = row.calls
		got := ""
		if call, argument, ok := c.IncompleteCall(); ok {
			text, err := json.Marshal(call.Arguments)
			if err != nil {
				t.Fatal(err)
			}
			got = call.Name + " " + string(text) + " without " + argument
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}
