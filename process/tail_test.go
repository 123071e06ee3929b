package process

import (
	"strings"
	"testing"
)

func TestTailKeepsTheEnd(t *testing.T) {
	tail := Tail{Most: 16}
	for _, text := range []string{"short", strings.Repeat("x", 40), "the end"} {
		if n, err := tail.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got, want := tail.String(), strings.Repeat("x", 9)+"the end"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
