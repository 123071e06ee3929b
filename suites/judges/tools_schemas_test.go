package judges

import (
	"testing"
)

// TestPlacesInTools: which places of a tool the protocol itself makes demands of.
func TestPlacesInTools(t *testing.T) {
	for place, want := range map[string]bool{
		"inputSchema/type": true, "inputSchema/properties": true, "inputSchema/required": true, "inputSchema/required/0": true, "inputSchema/other": false,
		"inputSchema": false, "type": false, "required/0": false, "outputSchema/type": false,
	} {
		if demanded(place, "inputSchema") != want {
			t.Errorf("%s is demanded: %v", place, !want)
		}
	}
	for place, want := range map[string]bool{
		"inputSchema/properties/a": true, "inputSchema/properties/a/b": false, "a": false, "outputSchema/properties/a": false,
	} {
		for got, boolean := range map[string]bool{"true": true, "false": true, "5": false} {
			if booleanProperty(violation(got), place) != (want && boolean) {
				t.Errorf("%s, which is %s, is a property that is a boolean: %v", place, got, !(want && boolean))
			}
		}
	}
}
