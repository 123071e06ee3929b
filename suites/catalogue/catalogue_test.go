package catalogue

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/revision"
	"go.yaml.in/yaml/v3"
)

// loaded returns the embedded catalogue, without which no test here makes sense.
func loaded(t testing.TB) *Catalogue {
	t.Helper()
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEmbeddedCatalogueIsComplete(t *testing.T) {
	counts := map[string]int{}
	for _, e := range loaded(t).Entries() {
		counts[e.Era]++
	}
	if counts[revision.Legacy] < 433 || counts[revision.Modern] < 453 {
		t.Errorf("entries were lost: %d legacy, %d modern; want at least 433 and 453", counts[revision.Legacy], counts[revision.Modern])
	}
}

// The catalogue was split from two files that lie beside some working trees. Where they do, no id may be missing from
// our copy and none may be new; what entries say is ours to improve.
func TestEmbeddedCatalogueHasTheIDsOfItsSource(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "requirements")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no source files here: ", err)
	}
	ours := map[string]Entry{}
	for _, e := range loaded(t).Entries() {
		ours[e.ID] = e
	}
	for _, era := range []string{revision.Legacy, revision.Modern} {
		data, err := os.ReadFile(filepath.Join(folder, era+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var source []struct{ ID, Area string }
		if err := yaml.Unmarshal(data, &source); err != nil {
			t.Fatal(err)
		}
		for _, s := range source {
			if e, ok := ours[s.ID]; !ok || e.Era != era || e.Area != s.Area {
				t.Errorf("%s is not in %s/%s.yaml", s.ID, era, s.Area)
			}
			delete(ours, s.ID)
		}
	}
	for id := range ours {
		t.Errorf("%s has no source", id)
	}
}

func TestOrder(t *testing.T) {
	c := loaded(t)
	entries := c.Entries()
	if first, last := entries[0], entries[len(entries)-1]; first.ID != "lifecycle.core-components" || last.Area != "legacy-compat" {
		t.Errorf("catalogue goes from %s to %s", first.ID, last.ID)
	}
	var areas []string
	for _, e := range entries {
		if name := e.Era + "/" + e.Area; len(areas) == 0 || areas[len(areas)-1] != name {
			areas = append(areas, name)
		}
	}
	var want []string
	for _, era := range []string{revision.Legacy, revision.Modern} {
		for _, area := range areasOf(era) {
			want = append(want, era+"/"+area)
		}
	}
	if !slices.Equal(areas, want) {
		t.Errorf("areas come as\n%v, want\n%v", areas, want)
	}
}

func TestByID(t *testing.T) {
	c := loaded(t)
	e, ok := c.ByID("session.missing-400")
	if !ok || e.ID != "session.missing-400" || e.File != "legacy/session.yaml" || e.Era != revision.Legacy || e.Party != Server {
		t.Errorf("ByID returned %v, %+v", ok, e)
	}
	if _, ok := c.ByID("session.missing-401"); ok {
		t.Error("ByID found an id that does not exist")
	}
	for _, e := range c.Entries() {
		if got, ok := c.ByID(e.ID); !ok || got.File != e.File {
			t.Errorf("ByID(%s) returned %v, %s", e.ID, ok, got.File)
		}
	}
}

// What a caller does to its copy must not reach the next one: judges and renderers share one catalogue.
func TestCallersCannotChangeTheCatalogue(t *testing.T) {
	c := loaded(t)
	list := c.Entries()
	list[0].ID = "spoiled"
	clear(list[0].Levels)
	e, _ := c.ByID("session.missing-400")
	e.Refs["2025-11-25"] = "spoiled"
	if again := c.Entries()[0]; again.ID == "spoiled" || len(again.Levels) == 0 {
		t.Error("Entries hands out the catalogue's own entries")
	}
	if again, _ := c.ByID("session.missing-400"); again.Refs["2025-11-25"] == "spoiled" {
		t.Error("ByID hands out the catalogue's own maps")
	}
}

func TestListings(t *testing.T) {
	c := loaded(t)
	want := []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}
	if got := c.Revisions(); !slices.Equal(got, want) {
		t.Errorf("Revisions() = %v", got)
	}
	areas := c.Areas()
	if areas[0] != "lifecycle" || !slices.Contains(areas, "mrtr") {
		t.Errorf("Areas() = %v", areas)
	}
	if once := slices.Compact(slices.Sorted(slices.Values(areas))); len(once) != len(areas) {
		t.Errorf("Areas() names an area twice: %v", areas)
	}
	for _, r := range want {
		if _, known := revision.EraOf(r); !known {
			t.Errorf("EraOf(%s) is not known", r)
		}
	}
}

func TestSpecURL(t *testing.T) {
	const site = "https://modelcontextprotocol.io/specification/"
	e := Entry{Refs: map[string]string{
		"2024-11-05": "basic/index#protocol-layers",
		"2025-03-26": "basic/index",
		"2025-06-18": "basic/transports#session-management",
		"2025-11-25": "server/tools",
	}}
	for revision, want := range map[string]string{
		"2024-11-05": site + "2024-11-05/basic#protocol-layers",
		"2025-03-26": site + "2025-03-26/basic",
		"2025-06-18": site + "2025-06-18/basic/transports#session-management",
		"2025-11-25": site + "2025-11-25/server/tools",
		"2026-07-28": "",
	} {
		if got := e.SpecURL(revision); got != want {
			t.Errorf("SpecURL(%s) = %q, want %q", revision, got, want)
		}
	}
}

func TestUntestable(t *testing.T) {
	for _, row := range []struct {
		testable, reason string
		want             string
		untestable       bool
	}{
		{"yes", "", "", false},
		{"passive", "", "", false},
		{"with-capability (no tools)", "", "", false},
		{"no (stdio only)", "", "Stdio only.", true},
		{"no (stdio only)", "It binds servers on stdio.", "It binds servers on stdio.", true},
		{"no", "", "", false},
		{"nothing (here)", "", "", false},
	} {
		got, ok := Entry{Testable: row.testable, Reason: row.reason}.Untestable()
		if got != row.want || ok != row.untestable {
			t.Errorf("Untestable of %q, %q = %q, %v", row.testable, row.reason, got, ok)
		}
	}
}

func TestNeeds(t *testing.T) {
	for testable, want := range map[string]string{
		"yes": "", "passive": "", "no (internal)": "",
		"with-capability (sessions, DELETE not 405)": "sessions, DELETE not 405",
	} {
		if got := (Entry{Testable: testable}).Needs(); got != want {
			t.Errorf("Needs of %q = %q, want %q", testable, got, want)
		}
	}
}

func TestSeverity(t *testing.T) {
	want := map[Level]string{Must: "fail", MustNot: "fail", Implied: "fail", Should: "warn", ShouldNot: "warn", May: "note",
		Practice: "note", "SHALL": "", "": ""}
	for level, severity := range want {
		if got := level.Severity(); got != severity {
			t.Errorf("%q.Severity() = %q, want %q", level, got, severity)
		}
		if level.Known() != (severity != "") {
			t.Errorf("%q.Known() = %v", level, level.Known())
		}
	}
	for _, level := range Levels() {
		if _, ok := want[level]; !ok {
			t.Errorf("no row for %s", level)
		}
	}
}

// Users read the texts in tables and below findings; these are the slips that a reader would notice.
func TestProse(t *testing.T) {
	titles := map[string]string{}
	for _, e := range loaded(t).Entries() {
		if reason, ok := e.Untestable(); ok && (len(strings.Fields(reason)) < 4 || !strings.HasSuffix(reason, ".")) {
			t.Errorf("%s: the reason %q is no sentence", e.ID, reason)
		}
		if e.Title == "" {
			continue
		}
		if n := len(strings.Fields(e.Title)); n < 2 || n > 11 || len(e.Title) > 66 {
			t.Errorf("%s: %d words, %d letters are no title: %q", e.ID, n, len(e.Title), e.Title)
		}
		// Both eras may have a requirement of the same name; within one they must be told apart.
		if other, twice := titles[e.Era+e.Title]; twice {
			t.Errorf("%s has the title of %s: %q", e.ID, other, e.Title)
		}
		titles[e.Era+e.Title] = e.ID
		if e.Why == e.Summary || e.Remedy == e.Why {
			t.Errorf("%s repeats itself", e.ID)
		}
		for _, text := range []string{e.Title, e.Why, e.Remedy, e.Reason} {
			if strings.ContainsAny(text, "\n\t") || strings.Contains(text, "  ") {
				t.Errorf("%s: odd space in %q", e.ID, text)
			}
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := load(embedded); err != nil {
			b.Fatal(err)
		}
	}
}
