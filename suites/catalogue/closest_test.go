package catalogue

import (
	"slices"
	"testing"
)

func TestClosest(t *testing.T) {
	c := loaded(t)
	for _, row := range []struct {
		word, first string
	}{
		{"session.missing-400", "session.missing-400"},
		{"sesion.missing-400", "session.missing-400"},
		{"session.mising-404", "session.missing-400"},
		{"Session.Missing-400", "session.missing-400"},
		{"missing-400", "session.missing-400"},
		{"headers.validation-error-form", "modern.headers.validation-error-form"},
		{"lifecycle.initialise.answered", "lifecycle.initialize.answered"},
	} {
		got := c.Closest(row.word)
		if len(got) == 0 || got[0] != row.first || len(got) > suggestions {
			t.Errorf("Closest(%s) = %v, want %s first", row.word, got, row.first)
		}
	}
	for _, word := range []string{"", "  ", "something-else-entirely"} {
		if got := c.Closest(word); len(got) > 0 {
			t.Errorf("Closest(%q) = %v", word, got)
		}
	}
}

func TestClosestOfAreasAndRevisions(t *testing.T) {
	c := loaded(t)
	for _, row := range []struct {
		word  string
		names []string
		first string
	}{
		{"sesion", c.Areas(), "session"},
		{"tool", c.Areas(), "tools"},
		{"2025-11-05", c.Revisions(), "2024-11-05"},
		{"2025-06-19", c.Revisions(), "2025-06-18"},
	} {
		if got := Closest(row.word, row.names); len(got) == 0 || got[0] != row.first {
			t.Errorf("Closest(%s) = %v, want %s first", row.word, got, row.first)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "acb", 1}, {"abc", "bc", 1},
		{"kitten", "sitting", 3}, {"tools", "tolos", 1}, {"ab", "ba", 1},
	} {
		if got := distance(row.a, row.b); got != row.want || got != distance(row.b, row.a) {
			t.Errorf("distance(%q, %q) = %d, want %d", row.a, row.b, got, row.want)
		}
	}
	if !slices.Equal(Closest("b", []string{"a", "b"}), []string{"b", "a"}) {
		t.Error("the exact name must come first")
	}
}

func TestMisspelt(t *testing.T) {
	names := []string{"OPEN", "TIMEOUT", "MAX_TIME", "CONCURRENCY"}
	for word, want := range map[string]string{
		"TIMOUT": "TIMEOUT", "TIEMOUT": "TIMEOUT", "TIMEOUT": "", "TIMOT": "", "TOKEN": "", "OPNE": "OPEN", "CONCURENCI": "CONCURRENCY", "MAX": "", "": "",
	} {
		if got := Misspelt(word, names); got != want {
			t.Errorf("Misspelt(%q) = %q, want %q", word, got, want)
		}
	}
}
