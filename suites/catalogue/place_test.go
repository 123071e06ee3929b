package catalogue

import (
	"slices"
	"strings"
	"testing"
)

// From an id follows where it is written: for every entry that there is, but for two that are older than the rule.
func TestPlace(t *testing.T) {
	older := []string{
		"modern.client.version.discover-optional", // is in discover
		"utilities.sampling.safeguards",           // binds the client
	}
	for _, e := range loaded(t).Entries() {
		got, err := Place(e.ID)
		if follows := err == nil && got.Era == e.Era && got.Party == e.Party && got.File == e.File; follows == slices.Contains(older, e.ID) {
			t.Errorf("%s: %s, %s, %v; the entry binds the %s and is in %s", e.ID, got.Party, got.File, err, e.Party, e.File)
		}
	}
}

func TestPlaceRefuses(t *testing.T) {
	for _, row := range []struct{ name, id, want string }{
		{"no id", "Session.missing", "is no id"},
		{"only an area", "session", "is no id"},
		{"an area of the other era", "mrtr.retry", "names no area of the legacy era"},
		{"only an area of the modern era", "modern.discover", "names no area of the modern era"},
		{"nothing behind the client's area", "modern.client.headers", "names no area of the modern era"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := Place(row.id); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v, want %q", err, row.want)
			}
		})
	}
}

func TestWhat(t *testing.T) {
	for id, want := range map[string]string{
		"session.missing-400":           "missing-400",
		"session.client.sends-id":       "sends-id",
		"modern.discover.result-shape":  "result-shape",
		"modern.client.headers.present": "present",
		"tools.call.unknown-tool":       "call.unknown-tool",
	} {
		if got := (Entry{ID: id}).What(); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}
