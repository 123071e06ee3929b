package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/eras"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// workingTree copies what newcheck writes to.
func workingTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"suites/catalogue", "suites/legacy", "fixtures/faults"} {
		if err := os.CopyFS(filepath.Join(root, dir), os.DirFS(filepath.Join("../..", dir))); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func nothingJudged(string) bool { return false }

// TestScaffold: whatever the era and the party, an id leads to three rooms, and each of them gets its piece.
func TestScaffold(t *testing.T) {
	rows := []struct {
		name, id string
		// files that change: catalogue, check, fault.
		files [3]string
		// in the check.
		says []string
	}{
		{"a new requirement of legacy servers", "session.brand-new",
			[3]string{"suites/catalogue/legacy/session.yaml", "suites/legacy/session.go", "fixtures/faults/legacy/session.yaml"},
			[]string{`brandNew := s.Script("session/brand-new", `}},
		{"an area whose function is written otherwise", "http-sse.brand-new",
			[3]string{"suites/catalogue/legacy/http-sse.yaml", "suites/legacy/http_sse.go", "fixtures/faults/legacy/http-sse.yaml"},
			[]string{`s.Script("http-sse/brand-new", `}},
		{"a new requirement of legacy clients", "session.client.brand-new",
			[3]string{"suites/catalogue/legacy/session.yaml", "suites/clients/session.go", "fixtures/faults/clients/session.yaml"},
			[]string{"package clients\n", "func session(s *kit.Section)", `s.Passive("session.client.brand-new"`, `{Name: "session", Fill: session}`}},
		{"a new requirement of modern servers", "modern.discover.brand-new",
			[3]string{"suites/catalogue/modern/discover.yaml", "suites/modern/discover.go", "fixtures/faults/modern/discover.yaml"},
			[]string{"package modern\n", "func discover(s *kit.Section)", `brandNew := s.Script("discover/brand-new", `, `{Name: "discover", Fill: discover}`}},
		{"a new requirement of modern clients", "modern.client.headers.brand-new",
			[3]string{"suites/catalogue/modern/headers.yaml", "suites/clients/headers.go", "fixtures/faults/clients/headers.yaml"},
			[]string{"package clients\n", `s.Passive("modern.client.headers.brand-new"`}},
		{"a name that Go has another use for", "session.default",
			[3]string{"suites/catalogue/legacy/session.yaml", "suites/legacy/session.go", "fixtures/faults/legacy/session.yaml"},
			[]string{`scriptDefault := s.Script("session/default", `}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			root := workingTree(t)
			p, changed, err := scaffold(root, nothingJudged, row.id)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(changed, row.files[:]) || !p.New {
				t.Errorf("changed %v, new: %v", changed, p.New)
			}
			for _, name := range changed {
				lookAt(t, root, name, row.id)
			}
			code := read(t, root, row.files[1])
			for _, want := range row.says {
				if !strings.Contains(code, want) {
					t.Errorf("no %q in:\n%s", want, code)
				}
			}
			// The entry is one that the loader takes, in the place that the id promises.
			c, err := catalogue.Read(os.DirFS(filepath.Join(root, "suites/catalogue")))
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := c.ByID(row.id); !ok || "suites/catalogue/"+e.File != row.files[0] || !strings.Contains(e.Summary, "TODO") {
				t.Errorf("the entry: %v, %+v", ok, e)
			}
			// A second check finds the files in place.
			if again, _, err := scaffold(root, nothingJudged, row.id+"-too"); err != nil || again.Started {
				t.Errorf("a second one: %v, starts a file: %v", err, again.Started)
			}
		})
	}
}

// TestScaffoldOfAnEntry: what the catalogue knows already is not entered a second time, and gets the texts that it lacks.
func TestScaffoldOfAnEntry(t *testing.T) {
	suite, err := suites.New(eras.All()...)
	if err != nil {
		t.Fatal(err)
	}
	entries := suite.Catalogue.Entries()
	unjudged := func(era, party string) string {
		i := slices.IndexFunc(entries, func(e catalogue.Entry) bool {
			_, never := e.Untestable()
			return !never && e.Title == "" && e.Era == era && e.Party == party
		})
		if i < 0 {
			return ""
		}
		return entries[i].ID
	}
	for _, row := range []struct{ name, id string }{
		{"of modern servers", unjudged(revision.Modern, catalogue.Server)},
		{"of modern clients", unjudged(revision.Modern, catalogue.Client)},
		{"of legacy clients", unjudged(revision.Legacy, catalogue.Client)},
	} {
		if row.id == "" {
			continue // every one is judged by now
		}
		t.Run(row.name, func(t *testing.T) {
			root := workingTree(t)
			p, changed, err := scaffold(root, suite.Judged, row.id)
			if err != nil {
				t.Fatal(err)
			}
			if p.New || len(changed) != 3 {
				t.Errorf("new: %v, changed %v", p.New, changed)
			}
			for _, name := range changed {
				lookAt(t, root, name, row.id)
			}
			if text := read(t, root, "suites/catalogue/"+p.File); strings.Count(text, "- id: "+row.id+"\n") != 1 {
				t.Errorf("the entry is there more than once, or not at all")
			}
		})
	}
}

// lookAt demands that a file speaks of the id, says TODO, and is what its name promises.
func lookAt(t *testing.T, root, name, id string) {
	t.Helper()
	text := read(t, root, name)
	if !strings.Contains(text, id) || !strings.Contains(text, "TODO") {
		t.Errorf("%s has no TODO about %s", name, id)
	}
	var err error
	if filepath.Ext(name) == ".go" {
		_, err = parser.ParseFile(token.NewFileSet(), name, text, 0)
	} else {
		err = yaml.Unmarshal([]byte(text), new([]map[string]any))
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAdvice(t *testing.T) {
	suite, err := suites.New(eras.All()...)
	if err != nil {
		t.Fatal(err)
	}
	p, changed, err := scaffold(workingTree(t), suite.Judged, "modern.discover.brand-new")
	if err != nil {
		t.Fatal(err)
	}
	text := p.advice(suite.Catalogue, changed)
	for _, want := range []string{
		"a new requirement, which binds the server",
		"Or did you mean ",
		"suites/modern/discover.go is a new file: list {Name: \"discover\", Fill: discover} in Areas of suites/modern/modern.go",
		"go test ./fixtures -run TestMatrix/modern.discover/todo-modern-discover-brand-new -update",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

func TestScaffoldRefuses(t *testing.T) {
	suite, err := suites.New(eras.All()...)
	if err != nil {
		t.Fatal(err)
	}
	root := workingTree(t)
	for _, test := range []struct{ name, id, want string }{
		{"what is no id", "Session.missing", "is no id"},
		{"an area that there is not, with what was meant", "sesion.missing-400", "session.missing-400"},
		{"a judged id", "session.missing-400", "judged already"},
		{"what nothing can judge", "lifecycle.shutdown.stdio-server", "cannot be judged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, changed, err := scaffold(root, suite.Judged, test.id); err == nil || !strings.Contains(err.Error(), test.want) || len(changed) > 0 {
				t.Errorf("got %v, want %q; changed %v", err, test.want, changed)
			}
		})
	}
	if err := run(nil, new(strings.Builder)); err == nil || !strings.Contains(err.Error(), "usage") {
		t.Errorf("without an id: %v", err)
	}
}
