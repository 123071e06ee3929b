package judges

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ChangedDuring says in a phrase what shows that a list is not what it was when the inventory read it: an announcement, or another
// first page; "" where nothing does.
func ChangedDuring(t *kit.T, list kit.List) string { return ChangedSince(t, list.Method, list) }

// ChangedSince is the same for the first page that the check's script read under a label.
func ChangedSince(t *kit.T, label string, list kit.List) string {
	announced := "notifications/" + list.Capability + "/list_changed"
	first := KeySet(kit.ReadPage(t.Answered(label), list), list)
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
			if p := kit.ReadPage(x, list); p.Readable && !slices.Equal(KeySet(p, list), first) {
				return "its first page was another at another time"
			}
		}
	}
	return ""
}

// KeySet is what identifies the items of a page, in an order of its own.
func KeySet(p kit.Page, list kit.List) []string {
	keys := p.Keys(list.Key)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Overlapping returns the first page that repeats an item of an earlier one as it stands there, nil where none does.
func Overlapping(pages []kit.Page) *kit.Page {
	list := kit.ListFor(pages[0].RequestMessage().Method)
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
			if before := seen[key]; before.page != p.Number && sameJSON(before.raw, raw) {
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
