package kit

import (
	"encoding/json"
	"testing"
)

// TestCursors: only a string that is not empty leads on.
func TestCursors(t *testing.T) {
	for raw, want := range map[string]string{
		`"a"`: "a", `""`: "", `null`: "", `7`: "", `{}`: "", `["a"]`: "", "": "",
	} {
		if got := (Page{Cursor: json.RawMessage(raw)}).Next(); got != want {
			t.Errorf("%s: %q", raw, got)
		}
	}
}

// TestSamePages: empty pages say nothing, and what is no tool has no key.
func TestSamePages(t *testing.T) {
	page := func(items ...string) (p Page) {
		for _, i := range items {
			p.Items = append(p.Items, json.RawMessage(i))
		}
		return p
	}
	a := page(`{"name":"a"}`, `null`, `{"name":7}`, `5`, `{"Name":"b"}`)
	if !a.Same(a) || a.Same(page(`{"name":"a"}`)) || page().Same(page()) {
		t.Error("pages are compared by their items, empty ones never")
	}
	if keys := a.Keys("name"); len(keys) != 1 || keys[0] != "a" {
		t.Errorf("keys %q", keys)
	}
}
