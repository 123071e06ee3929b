// Command newcheck scaffolds the pieces of a check: title, why and remedy of the entry, script and judgement, and a fault that turns
// it. It is run from the root of the repository, by make check-new ID=…; what it writes says TODO wherever thought is needed, and the
// tests fail until it was spent.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/eras"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: newcheck ID")
	}
	suite, err := suites.New(eras.All()...)
	if err != nil {
		return err
	}
	changed, err := scaffold(".", suite, args[0])
	if err != nil {
		return err
	}
	fmt.Printf("Look for TODO in:\n  %s\nThen: go test ./fixtures, and make docs.\n", strings.Join(changed, "\n  "))
	return nil
}

// scaffold writes the pieces below root and returns the files that it changed.
func scaffold(root string, suite *suites.Suite, id string) (changed []string, err error) {
	e, ok := suite.Catalogue.ByID(id)
	switch reason, never := e.Untestable(); {
	case !ok:
		return nil, fmt.Errorf("no requirement has the id %q; similar ones: %s", id, strings.Join(suite.Catalogue.Closest(id), ", "))
	case suite.Judged(id):
		return nil, fmt.Errorf("%s is judged already", id)
	case never:
		return nil, fmt.Errorf("%s cannot be judged: %s", id, reason)
	case e.Era != revision.Legacy || e.Party != catalogue.Server:
		return nil, fmt.Errorf("%s is %s and binds the %s; checks of that kind come with later versions", id, e.Era, e.Party)
	}
	p := pieces{Entry: e, Cells: cells(e)}
	for _, step := range []struct {
		file  string
		apply func(pieces, []byte) ([]byte, error)
	}{
		{"suites/catalogue/" + e.File, describe},
		{"suites/legacy/" + strings.ReplaceAll(e.Area, "-", "_") + ".go", check},
		{"fixtures/faults/legacy/" + e.Area + ".yaml", fault},
	} {
		path := filepath.Join(root, filepath.FromSlash(step.file))
		before, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return changed, err
		}
		after, err := step.apply(p, before)
		if err != nil {
			return changed, fmt.Errorf("%s: %w", step.file, err)
		}
		if bytes.Equal(before, after) {
			continue
		}
		if err := os.WriteFile(path, after, 0o644); err != nil {
			return changed, err
		}
		changed = append(changed, step.file)
	}
	return changed, nil
}

// pieces are what the templates are filled with.
type pieces struct {
	catalogue.Entry
	// Cells are the verdicts that a fault turns the requirement to, as YAML.
	Cells string
}

// Name is the Go name of the script: missing400 for session.missing-400.
func (p pieces) Name() string { return camel(strings.TrimPrefix(p.ID, p.Area+".")) }

// Function is the one that fills the section of the area: versionHeader for version-header.
func (p pieces) Function() string { return camel(p.Area) }

// Script is the name of the conversation.
func (p pieces) Script() string { return strings.Replace(p.ID, ".", "/", 1) }

func camel(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '-' })
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

func cells(e catalogue.Entry) string {
	var words []string
	for _, r := range revision.Of(revision.Legacy) {
		if level, ok := e.Levels[r]; ok {
			words = append(words, fmt.Sprintf("%q: %s", r, level.Severity()))
		}
	}
	return strings.Join(words, ", ")
}

// describe gives an entry of the catalogue the texts that a judged one needs.
func describe(p pieces, file []byte) ([]byte, error) {
	if p.Title != "" {
		return file, nil
	}
	lines := strings.SplitAfter(string(file), "\n")
	at := slices.Index(lines, "- id: "+p.ID+"\n")
	if at < 0 {
		return nil, fmt.Errorf("no line says %q", "- id: "+p.ID)
	}
	texts := []string{"  title: TODO about six words\n", "  why: TODO what breaks for a real client\n", "  remedy: TODO what the author of the server changes\n"}
	return []byte(strings.Join(slices.Insert(lines, at+1, texts...), "")), nil
}

var goTemplate = template.Must(template.New("check").Parse(`
	// TODO what is sent: once unchanged as the control, once with one thing changed
	{{.Name}} := s.Script("{{.Script}}", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		c.Safe("probe")
		c.Safe("control after")
	})
	s.Check("{{.ID}}", {{.Name}}, func(t *kit.T) {
		t.Control("control", "control after")
		t.Expect(t.Probe("probe"), kit.HTTP(400)) // TODO every allowed outcome
	})
`))

const goHead = `package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

// TODO list the area in Areas
func %s(s *kit.Section) {
}
`

// check appends script and judgement to the function of the area.
func check(p pieces, file []byte) ([]byte, error) {
	if len(file) == 0 {
		file = fmt.Appendf(nil, goHead, p.Function())
	}
	positions := token.NewFileSet()
	parsed, err := parser.ParseFile(positions, "", file, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == p.Function() {
			var text bytes.Buffer
			if err := goTemplate.Execute(&text, p); err != nil {
				return nil, err
			}
			return format.Source(slices.Insert(file, positions.Position(f.Body.Rbrace).Offset, text.Bytes()...))
		}
	}
	return nil, fmt.Errorf("no function is called %s", p.Function())
}

// fault appends a fault that turns the check.
func fault(p pieces, file []byte) ([]byte, error) {
	if len(file) > 0 {
		file = append(file, '\n')
	}
	return fmt.Appendf(file, `- id: todo-%[2]s
  about: %[1]s
  says: TODO what the server does.
  edit: {on: TODO, status: 500}
  breaks: {%[1]s: {%[3]s}}
`, p.ID, strings.ReplaceAll(p.ID, ".", "-"), p.Cells), nil
}
