package judges

import (
	"fmt"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ToolNameLengths judges how long the names of tools are.
func ToolNameLengths(t *kit.T, list Listing, shape string) {
	judgeNames(t, list, shape, fmt.Sprintf("names of 1 to %d characters", maxToolName), func(name string) string {
		switch n := utf8.RuneCountInString(name); {
		case n == 0:
			return "an empty name"
		case n > maxToolName:
			return fmt.Sprintf("a name of %d characters, %s", n, kit.Quote([]byte(name)))
		}
		return ""
	})
}

// ToolNameCharacters judges what the names of tools are made of.
func ToolNameCharacters(t *kit.T, list Listing, shape string) {
	judgeNames(t, list, shape, "names of ASCII letters, digits, underscore, hyphen and dot", func(name string) string {
		for _, r := range name {
			if !nameCharacter(r) {
				return fmt.Sprintf("%q (%U) in the name %s", r, r, kit.Quote([]byte(name)))
			}
		}
		return ""
	})
}

// maxToolName is how many characters a tool name should have at most (2025-11-25, server/tools#tool-names).
const maxToolName = 128

// judgeNames judges the name of every tool and writes down one finding. The shape is the requirement that reports what is no name.
func judgeNames(t *kit.T, list Listing, shape, expected string, wrong func(name string) string) {
	t.Says(expected)
	var at *wire.Exchange
	var first string
	bad, good := 0, 0
	pages := ToolPages(t, list)
	for _, p := range pages {
		for _, raw := range p.Items {
			name, ok := toolName(raw)
			if !ok {
				continue
			}
			switch problem := wrong(name); {
			case problem == "":
				good++
			default:
				if bad++; bad == 1 {
					at, first = p.Exchange, problem
				}
			}
		}
	}
	switch {
	case bad > 1:
		t.Warn(at, expected, fmt.Sprintf("%s, and %d more names like it", first, bad-1))
	case bad == 1:
		t.Warn(at, expected, first)
	case good == 0:
		t.Blocked(shape, "no listed tool has a name that is a string")
	default:
		t.OK(pages[0].Exchange, "%s, all with such names", Counted(pages, "tool"))
	}
}

func nameCharacter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.'
}
