package clients

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// levelsValid: a level that the client sets is one of the eight. Where it stands is told by the era.
func levelsValid(t *kit.T, pointer string, here func(kit.Seen) bool) {
	const expected = "one of the eight names of log levels"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client set no log level")
	for _, m := range t.Messages() {
		raw, there := m.Pointer(pointer)
		if !here(m) || !there && m.Method != "logging/setLevel" {
			continue
		}
		var level string
		if m.Decode(pointer, &level) != nil || !slices.Contains(judges.LogLevels, level) {
			t.BreachAt(m, expected, m.Method+" with the level "+kit.JSON(raw))
			continue
		}
		t.Saw()
	}
}
