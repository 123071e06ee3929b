package legacy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// maxToolName is how many characters a tool name should have at most (2025-11-25, server/tools#tool-names).
const maxToolName = 128

// toolsNames is about the names of tools. A name that is no string is reported by tools.list.shape and skipped here.
func toolsNames(s *kit.Section) {
	s.Check("tools.list.unique-names", inventory, func(t *kit.T) {
		judgeUnique(t, toolPages(t), toolList)
	}, kit.Tools)

	s.Check("tools.name.length", inventory, func(t *kit.T) {
		judgeNames(t, fmt.Sprintf("names of 1 to %d characters", maxToolName), func(name string) string {
			switch n := utf8.RuneCountInString(name); {
			case n == 0:
				return "an empty name"
			case n > maxToolName:
				return fmt.Sprintf("a name of %d characters, %s", n, kit.Quote([]byte(name)))
			}
			return ""
		})
	}, kit.Tools)

	s.Check("tools.name.charset", inventory, func(t *kit.T) {
		judgeNames(t, "names of ASCII letters, digits, underscore, hyphen and dot", func(name string) string {
			for _, r := range name {
				if !nameCharacter(r) {
					return fmt.Sprintf("%q (%U) in the name %s", r, r, kit.Quote([]byte(name)))
				}
			}
			return ""
		})
	}, kit.Tools)
}

// judgeNames judges the name of every tool and writes down one finding.
func judgeNames(t *kit.T, expected string, wrong func(name string) string) {
	t.Says(expected)
	var at *wire.Exchange
	var first string
	bad, good := 0, 0
	pages := toolPages(t)
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
		t.Blocked("tools.list.shape", "no listed tool has a name that is a string")
	default:
		t.OK(pages[0].Exchange, "%s, all with such names", counted(pages, "tool"))
	}
}

func nameCharacter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.'
}

// toolName reads the name of a listed tool.
func toolName(raw json.RawMessage) (name string, ok bool) { return kit.Text(raw, "name") }

// demandEnd demands that the inventory read a list to its end: what it says of the whole list is worth nothing otherwise.
func demandEnd(t *kit.T, list kit.List) {
	pages := kit.Pages(t.Transcript(), list)
	last := pages[len(pages)-1]
	kind := kit.JSONType(last.Cursor)
	switch {
	// A null or an empty string ends the walk of every client; pagination.next-cursor reports them.
	case last.Readable && last.Next() == "" && (kind == "" || kind == "null" || kind == "string"):
	case last.Readable && last.Next() == "":
		t.Blocked("pagination.next-cursor", list.Method+" was not read to its end: nextCursor is "+kit.JSON(last.Cursor))
	case last.Readable && len(pages) >= maxPages:
		t.NotObserved(kit.Limited, "%s was not read to its end: mcpcheck reads %d pages at most", list.Method, maxPages)
	default:
		t.Blocked("pagination.cursor-accepted", list.Method+" was not read to its end")
	}
}

// changedDuring says in a phrase what shows that a list is not what it was when the inventory read it: an announcement, or another
// first page; "" where nothing does.
func changedDuring(t *kit.T, list kit.List) string { return changedSince(t, list.Method, list) }

// changedSince is the same for the first page that the check's script read under a label.
func changedSince(t *kit.T, label string, list kit.List) string {
	announced := "notifications/" + list.Capability + "/list_changed"
	first := keySet(kit.ReadPage(t.Answered(label), list), list)
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			for _, m := range x.Messages() {
				if m.Kind == wire.KindNotification && m.Method == announced {
					return announced + " came"
				}
			}
			sent := x.RequestMessage()
			if sent.Method != list.Method || x.Broken != "" || !x.Served() {
				continue
			}
			if _, later := sent.Pointer("/params/cursor"); later {
				continue
			}
			if p := kit.ReadPage(x, list); p.Readable && !slices.Equal(keySet(p, list), first) {
				return "its first page was another at another time"
			}
		}
	}
	return ""
}

// keySet is what identifies the items of a page, in an order of its own.
func keySet(p kit.Page, list kit.List) []string {
	keys := p.Keys(list.Key)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// overlapping returns the first page that repeats an item of an earlier one as it stands there, nil where none does.
func overlapping(pages []kit.Page) *kit.Page {
	list := listFor(pages[0].RequestMessage().Method)
	type place struct {
		page int
		raw  json.RawMessage
	}
	seen := map[string]place{}
	for i, p := range pages {
		for _, raw := range p.Items {
			key, ok := kit.Text(raw, list.Key)
			if !ok {
				continue
			}
			if before, ok := seen[key]; ok && before.page != p.Number && sameJSON(before.raw, raw) {
				return &pages[i]
			}
			seen[key] = place{p.Number, raw}
		}
	}
	return nil
}

func sameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, okX := anyJSON(a)
	y, okY := anyJSON(b)
	return okX && okY && equalJSON(x, y)
}
