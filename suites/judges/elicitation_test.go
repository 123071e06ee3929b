package judges

import (
	"strings"
	"testing"
)

// TestWords: a name is split where its words are, however it is written.
func TestWords(t *testing.T) {
	long := strings.Repeat("a", maxName)
	for name, want := range map[string]string{
		"api_key": "api key", "apiKey": "api key", "API key": "api key", "cvv2": "cvv2", "": "", "__": "", "Straße 2": "straße 2",
		long + "b": long + "b", long + "bc": long + "b",
	} {
		if got := words(name); got != want {
			t.Errorf("%.20q: %.40q", name, got)
		}
	}
}
