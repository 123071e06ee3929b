package catalogue

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// small are entries that a file of what rests on what can speak of.
func small() []Entry {
	var all []Entry
	for _, id := range []string{"jsonrpc.a", "jsonrpc.b", "tools.c", "tools.d"} {
		all = append(all, Entry{ID: id, Era: "legacy"})
	}
	return append(all, Entry{ID: "modern.tools.c", Era: "modern"})
}

func TestRests(t *testing.T) {
	entries := small()
	independent, err := loadRests(fstest.MapFS{restsFile: {Data: []byte(`
throughout:
  tools.d: [tools.c]
same-bytes:
  jsonrpc.b: [jsonrpc.a]
  tools.*: [jsonrpc.b]
  modern.*: [jsonrpc.b]
independent:
  - these: [tools.c, "jsonrpc.*"]
    because: It is about the head.
`)}}, entries)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		at          int
		rests, give []string
	}{
		{0, nil, nil},
		{1, nil, []string{"jsonrpc.a"}},
		// The most basic first, and what the base yields to as well.
		{2, nil, []string{"jsonrpc.a", "jsonrpc.b"}},
		{3, []string{"tools.c"}, []string{"jsonrpc.a", "jsonrpc.b"}},
		// Nothing rests on another era.
		{4, nil, nil},
	} {
		e := entries[want.at]
		if !slices.Equal(e.RestsOn, want.rests) || !slices.Equal(e.YieldsTo, want.give) {
			t.Errorf("%s rests on %v and yields to %v, want %v and %v", e.ID, e.RestsOn, e.YieldsTo, want.rests, want.give)
		}
	}
	c := newCatalogue(entries)
	c.independent = independent
	for _, pair := range []struct {
		a, b string
		want bool
	}{
		{"tools.c", "jsonrpc.a", true},
		{"jsonrpc.a", "tools.c", true},
		{"jsonrpc.a", "jsonrpc.b", false}, // both match one pattern, and no two
		{"tools.d", "jsonrpc.a", false},
	} {
		if got := c.Independent(pair.a, pair.b); got != pair.want {
			t.Errorf("Independent(%s, %s) = %v", pair.a, pair.b, got)
		}
	}
}

func TestRestsRefusesMistakes(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"a circle":            {"same-bytes:\n  jsonrpc.a: [jsonrpc.b]\n  jsonrpc.b: [jsonrpc.a]\n", "in a circle"},
		"a mixed circle":      {"throughout:\n  jsonrpc.a: [jsonrpc.b]\nsame-bytes:\n  jsonrpc.b: [jsonrpc.a]\n", "in a circle"},
		"an unknown base":     {"throughout:\n  jsonrpc.a: [jsonrpc.x]\n", `"jsonrpc.x", which is no requirement`},
		"an unknown key":      {"throughout:\n  jsonrpc.x: [jsonrpc.a]\n", `"jsonrpc.x" names no requirement`},
		"an empty pattern":    {"same-bytes:\n  prompts.*: [jsonrpc.a]\n", `"prompts.*" names no requirement`},
		"an unknown section":  {"never:\n  jsonrpc.a: [jsonrpc.b]\n", "never"},
		"alone":               {"independent:\n  - {these: [jsonrpc.a], because: It is.}\n", "want company"},
		"without a reason":    {"independent:\n  - {these: [jsonrpc.a, jsonrpc.b], because: no}\n", "a sentence"},
		"an unknown stranger": {"independent:\n  - {these: [jsonrpc.a, jsonrpc.x], because: It is.}\n", "names no requirement"},
	} {
		_, err := loadRests(fstest.MapFS{restsFile: {Data: []byte(test.file)}}, small())
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// TestLend: the clause of a lent requirement is the one that it was lent from.
func TestLend(t *testing.T) {
	e, _ := loaded(t).ByID("session.missing-400")
	lent := e.Lend("2024-11-05", "2025-03-26")
	if lent.Levels["2024-11-05"] != e.Levels["2025-03-26"] || lent.SpecURL("2024-11-05") != e.SpecURL("2025-03-26") {
		t.Errorf("lent %s at %s", lent.Levels["2024-11-05"], lent.SpecURL("2024-11-05"))
	}
	if _, spoilt := e.Levels["2024-11-05"]; spoilt {
		t.Error("lending changed the entry itself")
	}
}
