package judges

import "testing"

func TestInternalFailure(t *testing.T) {
	for message, want := range map[string]bool{
		"Internal error": true,
		"MCP error -32603: Internal Server Error":     true,
		"an internal failure":                         true,
		"Unknown prompt: internal-guidelines":         false,
		"the argument internal_id is required":        false,
		"prompt internal not found; this is an error": false,
		"": false,
	} {
		if got := internalFailure.MatchString(message); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}
