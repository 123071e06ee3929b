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

func newSuite(t *testing.T) *suites.Suite {
	t.Helper()
	suite, err := suites.New(eras.All()...)
	if err != nil {
		t.Fatal(err)
	}
	return suite
}

// unjudged finds an entry that a check could be written for.
func unjudged(t *testing.T, suite *suites.Suite) catalogue.Entry {
	t.Helper()
	entries := suite.Catalogue.Entries()
	i := slices.IndexFunc(entries, func(e catalogue.Entry) bool {
		_, never := e.Untestable()
		_, current := e.Levels["2025-11-25"]
		return !never && current && !suite.Judged(e.ID) && e.Era == revision.Legacy && e.Party == catalogue.Server
	})
	if i < 0 {
		t.Skip("every requirement is judged")
	}
	return entries[i]
}

func TestScaffold(t *testing.T) {
	suite := newSuite(t)
	e := unjudged(t, suite)
	root := t.TempDir()
	for _, dir := range []string{"suites/catalogue/legacy", "suites/legacy", "fixtures/faults/legacy"} {
		if err := os.CopyFS(filepath.Join(root, dir), os.DirFS(filepath.Join("../..", dir))); err != nil {
			t.Fatal(err)
		}
	}
	changed, err := scaffold(root, suite, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(changed) < 2 {
		t.Errorf("changed only %v", changed)
	}
	for _, name := range changed {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), e.ID) || !strings.Contains(string(text), "TODO") {
			t.Errorf("%s has no TODO about %s", name, e.ID)
		}
		if filepath.Ext(name) == ".go" {
			_, err = parser.ParseFile(token.NewFileSet(), name, text, 0)
		} else {
			err = yaml.Unmarshal(text, new([]map[string]any))
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestScaffoldStartsAnArea(t *testing.T) {
	e := catalogue.Entry{ID: "new-area.some-thing", Area: "new-area"}
	text, err := check(pieces{Entry: e}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"func newArea(s *kit.Section)", "someThing := s.Script(\"new-area/some-thing\""} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

func TestScaffoldRefuses(t *testing.T) {
	suite := newSuite(t)
	for _, test := range []struct{ name, id, want string }{
		{"an unknown id", "session.missing-40", "session.missing-400"},
		{"a judged id", "session.missing-400", "judged already"},
		{"what nothing can judge", "lifecycle.shutdown.stdio-server", "cannot be judged"},
		{"what binds the client", "session.client.sends-id", "binds the client"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := scaffold(t.TempDir(), suite, test.id); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
