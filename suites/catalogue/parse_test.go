package catalogue

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// sound is an entry that has every field; the rows below change one thing of it.
const sound = `# Session: for tests.

- id: session.missing-400
  party: server
  area: session
  title: Missing session id is answered 400
  levels: {"2025-06-18": SHOULD, "2025-11-25": SHOULD}
  refs:
    "2025-06-18": "basic/transports#session-management"
    "2025-11-25": 'basic/transports#session-management'
  summary: >-
    A request without the session id
    is answered 400.
  testable: "with-capability (sessions)"
  probe: >-
    SAFE without the header.
  conflicts: >-
    None.
  why: >-
    It breaks.
  remedy: >-
    Mend it.
`

func TestParse(t *testing.T) {
	entries, err := parse("legacy/session.yaml", []byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	if problems := validate(entries); len(problems) > 0 {
		t.Fatal(problems)
	}
	e := entries[0]
	if len(entries) != 1 || e.ID != "session.missing-400" || e.Party != Server || e.Area != "session" || e.Era != revision.Legacy ||
		e.Levels["2025-06-18"] != Should || e.Refs["2025-11-25"] != "basic/transports#session-management" ||
		e.Summary != "A request without the session id is answered 400." || e.Needs() != "sessions" ||
		e.Probe != "SAFE without the header." || e.Conflicts != "None." || e.Why != "It breaks." ||
		e.Remedy != "Mend it." || e.Title != "Missing session id is answered 400" || e.File != "legacy/session.yaml" {
		t.Errorf("parsed %+v", e)
	}
}

// Everything that can be wrong with a file: what is changed in the sound one, and what the error must say.
func TestProblems(t *testing.T) {
	for _, row := range []struct {
		name     string
		old, new string
		want     []string
	}{
		{"unknown field", "  title:", "  titel:",
			[]string{`legacy/session.yaml:6: session.missing-400: unknown field "titel", did you mean "title"?`}},
		{"field twice", "  area: session", "  area: session\n  area: tools", []string{`session.missing-400: "area" is given twice`}},
		{"revision twice", `{"2025-06-18": SHOULD,`, `{"2025-11-25": SHOULD,`, []string{`"2025-11-25" is given twice`}},
		{"no id", "- id: session.missing-400\n  party: server", "- party: server",
			[]string{`legacy/session.yaml:3: (no id): field "id" is missing`}},
		{"missing field", "  party: server\n", "", []string{`field "party" is missing`}},
		{"empty field", "    Mend it.", "    ", []string{`remedy is empty`}},
		{"bare revision", `{"2025-06-18": SHOULD`, `{2025-06-18: SHOULD`, []string{"revision 2025-06-18 must be quoted"}},
		{"boolean", `"with-capability (sessions)"`, "true", []string{"testable: want a string"}},
		{"number", "server", "4", []string{"party: want a string"}},
		{"alias", "party: server", "party: &a server\n  conflicts: *a", []string{"conflicts: want a string"}},
		{"levels are a list", `{"2025-06-18": SHOULD, "2025-11-25": SHOULD}`, "[SHOULD]", []string{"want a mapping from revisions"}},
		{"entry is a text", "- id: session.missing-400", "- text\n- id: session.missing-400",
			[]string{"(no id): want an entry with fields"}},
		{"second document", "# Session: for tests.\n", "a: b\n---\n", []string{"more than one document"}},
		{"no YAML", "party: server", "party: [", []string{"legacy/session.yaml: yaml:"}},

		{"party", "party: server", "party: proxy", []string{`party "proxy" is neither server nor client`}},
		{"area", "area: session", "area: tools",
			[]string{`area "tools" belongs into legacy/tools.yaml`, `the id does not name its area "tools"`}},
		{"id of another area", "id: session.missing-400", "id: tools.missing-400",
			[]string{`the id does not name its area "session"`}},
		{"id of the other era", "id: session.missing-400", "id: modern.session.missing-400",
			[]string{`modern ids, and only they, start with "modern."`}},
		{"id in capitals", "id: session.missing-400", "id: session.Missing", []string{"an id is parts of a-z"}},
		{"id of one part", "id: session.missing-400", "id: session", []string{"an id is parts of a-z"}},
		{"unknown level", `"2025-11-25": SHOULD}`, `"2025-11-25": should}`, []string{`2025-11-25: there is no level "should"`}},
		{"unknown revision", `"2025-06-18"`, `"2025-06-19"`, []string{`there is no revision "2025-06-19"`}},
		{"revision of the other era", `"2025-06-18"`, `"2026-07-28"`, []string{"revision 2026-07-28 is modern"}},
		{"level without ref", `{"2025-06-18": SHOULD,`, `{"2025-03-26": SHOULD, "2025-06-18": SHOULD,`,
			[]string{"levels speak of 2025-03-26, 2025-06-18, 2025-11-25, refs of 2025-06-18, 2025-11-25"}},
		{"no levels", `{"2025-06-18": SHOULD, "2025-11-25": SHOULD}`, `{}`,
			[]string{"applies to no revision", "levels speak of nothing"}},
		{"ref with a site", `"basic/transports#session-management"`, `"https://example.org/basic"`, []string{"is not page#anchor"}},
		{"unknown testable", `"with-capability (sessions)"`, `"maybe"`, []string{`testable "maybe" is not yes`}},
		{"testable without what", `"with-capability (sessions)"`, `"with-capability"`, []string{"is not yes"}},
		{"testable with empty what", `"with-capability (sessions)"`, `"with-capability ( )"`, []string{"is not yes"}},
		{"yes with a text", `"with-capability (sessions)"`, `"yes (sessions)"`, []string{"is not yes"}},
		{"title alone", "  why: >-\n    It breaks.\n  remedy: >-\n    Mend it.\n", "",
			[]string{"title, why and remedy come together"}},
		{"title with a stop", "is answered 400\n", "is answered 400.\n", []string{"a title ends without a full stop"}},
		{"why without a stop", "It breaks.", "It breaks", []string{`"It breaks" is no sentence`}},
		{"reason of a testable entry", `"with-capability (sessions)"`, "\"yes\"\n  reason: It cannot.",
			[]string{"a reason is for entries that are not testable"}},
		{"two problems at once", "  title:", "  note: x\n  titel:", []string{`unknown field "note"`, `unknown field "titel"`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if !strings.Contains(sound, row.old) {
				t.Fatalf("the sound entry has no %q", row.old)
			}
			files := soundFiles()
			files["legacy/session.yaml"] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(sound, row.old, row.new))}
			_, err := load(files)
			if err == nil {
				t.Fatal("nobody minded")
			}
			for _, want := range row.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %q:\n%v", want, err)
				}
			}
		})
	}
}

func TestProblemsBetweenFiles(t *testing.T) {
	t.Run("sound", func(t *testing.T) {
		if _, err := load(soundFiles()); err != nil {
			t.Error(err)
		}
	})
	t.Run("id twice", func(t *testing.T) {
		files := soundFiles()
		_, entry, _ := strings.Cut(sound, "\n\n")
		files["legacy/session.yaml"] = &fstest.MapFile{Data: []byte(sound + entry)}
		wantError(t, files, "session.missing-400: the id is in legacy/session.yaml already")
	})
	t.Run("file of no area", func(t *testing.T) {
		files := soundFiles()
		files["modern/session.yaml"] = files["legacy/session.yaml"]
		wantError(t, files, "modern/session.yaml: no such area in the modern era")
	})
	t.Run("area without file", func(t *testing.T) {
		files := soundFiles()
		delete(files, "modern/tools.yaml")
		wantError(t, files, "modern/tools.yaml: ")
	})
	t.Run("empty file", func(t *testing.T) {
		for _, text := range []string{"", "# nothing\n", "---\n", "{}", "null"} {
			files := soundFiles()
			files["legacy/session.yaml"] = &fstest.MapFile{Data: []byte(text)}
			wantError(t, files, "legacy/session.yaml")
		}
	})
}

func wantError(t *testing.T, files fs.FS, want string) {
	t.Helper()
	if _, err := load(files); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("want an error with %q, got %v", want, err)
	}
}

// soundFiles is a small catalogue without problems: the sound entry, and empty lists for all other areas.
func soundFiles() fstest.MapFS {
	files := fstest.MapFS{}
	for _, era := range []string{revision.Legacy, revision.Modern} {
		for _, area := range areasOf(era) {
			files[era+"/"+area+".yaml"] = &fstest.MapFile{Data: []byte("[]\n")}
		}
	}
	files["legacy/session.yaml"] = &fstest.MapFile{Data: []byte(sound)}
	return files
}

func TestModernIDs(t *testing.T) {
	for _, row := range []struct {
		id, party, area string
		sound           bool
	}{
		{"modern.headers.method-required", Server, "headers", true},
		{"modern.client.headers.method-sent", Client, "headers", true},
		{"modern.version.unsupported-error", Server, "versioning", true},
		{"modern.legacy.initialize-refused", Server, "legacy-compat", true},
		{"modern.client.version.discover-optional", Client, "discover", true},
		{"modern.client.headers.method-sent", Server, "headers", false},
		{"modern.headers.method-sent", Client, "headers", false},
		{"modern.versioning.unsupported-error", Server, "versioning", false},
		{"headers.method-required", Server, "headers", false},
		{"modern.meta.method-required", Server, "headers", false},
		{"modern.client", Client, "client", false},
	} {
		e := Entry{ID: row.id, Party: row.party, Area: row.area, Era: revision.Modern}
		if p := e.idProblem(); (p == "") != row.sound {
			t.Errorf("%s (%s, %s): %q", row.id, row.party, row.area, p)
		}
	}
}

// Whatever the bytes: no panic, and what is accepted can be worked with.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(""))
	f.Add([]byte("[]"))
	f.Add([]byte("- id: a.b\n  <<: {}\n"))
	f.Add([]byte("- &a {id: *a}\n"))
	f.Add([]byte("- id: [a]\n  ? {b: c}\n  : d\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parse("legacy/session.yaml", data)
		if err != nil {
			if entries != nil {
				t.Error("entries and an error")
			}
			return
		}
		for _, e := range entries {
			if e.ID == "" || e.Party == "" || e.Area == "" || e.Summary == "" || e.Testable == "" || e.Probe == "" ||
				e.Levels == nil || e.Refs == nil || e.File == "" || e.Era != revision.Legacy {
				t.Errorf("a field is missing: %+v", e)
			}
			e.Untestable()
			for _, r := range e.Revisions() {
				e.SpecURL(r)
			}
		}
		validate(entries)
		newCatalogue(entries).Closest("session.missing")
	})
}
