// Package wiretest helps tests of others to conversations that are written as text.
package wiretest

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/wire"
)

// Transcript is a conversation that is written as text, see wire.Dialogue.
func Transcript(t testing.TB, text string) *wire.Transcript {
	t.Helper()
	d, err := wire.ReadDialogue(text)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := d.Transcript()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}
