package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// pieces are what the templates are filled with.
type pieces struct {
	catalogue.Entry
	// New: the catalogue does not have the entry yet.
	New bool
	// Started: the room has no file for the area yet.
	Started bool
	// Newest revision of the era.
	Newest string
}

func newPieces(e catalogue.Entry, isNew bool, newest string) pieces {
	if isNew {
		e.Levels = map[string]catalogue.Level{newest: catalogue.Must}
	}
	return pieces{Entry: e, New: isNew, Newest: newest}
}

func (p pieces) checkFile() string {
	return "suites/" + p.Room() + "/" + strings.ReplaceAll(p.Area, "-", "_") + ".go"
}

func (p pieces) faultFile() string { return "fixtures/faults/" + p.Room() + "/" + p.Area + ".yaml" }

// group is the name that the faults of the area have in the matrix.
func (p pieces) group() string {
	if p.Room() == revision.Legacy {
		return p.Area
	}
	return p.Room() + "." + p.Area
}

// Registration says where the area has to be listed.
func (p pieces) Registration() string {
	return fmt.Sprintf("list {Name: %q, Fill: %s} in Areas of suites/%s/%s.go, as suites/legacy/legacy.go does", p.Area, p.Function(), p.Room(), p.Room())
}

// Name is the Go name of the script: missing400 for session.missing-400.
func (p pieces) Name() string {
	name := camel(p.What())
	if token.IsKeyword(name) || !unicode.IsLetter(rune(name[0])) {
		name = "script" + strings.ToUpper(name[:1]) + name[1:]
	}
	return name
}

// Function is the one that fills the section of the area: versionHeader for version-header.
func (p pieces) Function() string { return camel(p.Area) }

// Script is the name of the conversation.
func (p pieces) Script() string { return p.Area + "/" + p.What() }

// FaultID names the fault until a better name is found.
func (p pieces) FaultID() string { return "todo-" + strings.ReplaceAll(p.ID, ".", "-") }

// Cells are the verdicts that a fault turns the requirement to, as YAML.
func (p pieces) Cells() string {
	var words []string
	for _, r := range p.Revisions() {
		words = append(words, fmt.Sprintf("%q: %s", r, p.Levels[r].Severity()))
	}
	return strings.Join(words, ", ")
}

// Watched: nothing is sent for the check's sake. It judges what went over the wire anyway, as everything is that a client does.
func (p pieces) Watched() bool { return p.Passive() || p.Party == catalogue.Client }

// Broken is how a fault is written: the deviation of a server edits what it sends, that of a client is a switch.
func (p pieces) Broken() string {
	if p.Party == catalogue.Client {
		return "switch: TODO"
	}
	return "edit: {on: TODO, status: 500}"
}

func camel(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '-' })
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

const (
	toDescribe = `  title: TODO about six words
  why: TODO what breaks for a real client.
  remedy: TODO what the author of the %[1]s changes.
`
	toEnter = `
- id: %[2]s
  party: %[1]s
  area: %[3]s
  title: TODO about six words
  levels: {"%[4]s": MUST} # TODO the level in every revision that has it
  refs: {"%[4]s": "todo/page#todo-anchor"} # TODO the clause, for the same revisions
  summary: >-
    TODO the requirement in one sentence, precise enough to implement from.
  testable: "yes" # TODO or passive, with-capability (WHAT)
  probe: >-
    TODO what is sent, and which outcome is which verdict.
  why: >-
    TODO what breaks for a real client.
  remedy: >-
    TODO what the author of the %[1]s changes.
`
)

// describe enters a requirement into the catalogue, or gives the entry the texts that a judged one needs.
func describe(p pieces, file []byte) ([]byte, error) {
	if p.New {
		return fmt.Appendf(file, toEnter, p.Party, p.ID, p.Area, p.Newest), nil
	}
	if p.Title != "" {
		return file, nil
	}
	lines := strings.SplitAfter(string(file), "\n")
	at := slices.Index(lines, "- id: "+p.ID+"\n")
	if at < 0 {
		return nil, fmt.Errorf("no line says %q", "- id: "+p.ID)
	}
	return []byte(strings.Join(slices.Insert(lines, at+1, fmt.Sprintf(toDescribe, p.Party)), "")), nil
}

var goTemplate = template.Must(template.New("check").Parse(`
{{- if .Watched}}
	s.Passive("{{.ID}}", func(t *kit.T) {
		const expected = "TODO what conforms"
		t.Says(expected)
		for _, x := range t.Exchanges() { // TODO those that the requirement speaks of
			if x.Served() { // TODO what conforms
				t.OK(x, "TODO what was seen")
				continue
			}
			t.Breach(x, expected, kit.Describe(x))
		}
	})
{{- else}}
	// TODO what is sent: once unchanged as the control, once with one thing changed
	{{.Name}} := s.Script("{{.Script}}", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		c.Safe("probe")
		c.Safe("control after")
	})
	s.Check("{{.ID}}", {{.Name}}, func(t *kit.T) {
		t.Control("control", "control after")
		t.Expect(t.Conclusive("probe"), kit.HTTP(400)) // TODO every allowed outcome
	})
{{- end}}
`))

const goHead = `package %[1]s

import "github.com/mcpcheck/mcpcheck/suites/kit"

// %[2]s fills the section of the area %[3]s. TODO %[4]s.
func %[2]s(s *kit.Section) {
}
`

// check appends script and judgement to the function of the area.
func check(p pieces, file []byte) ([]byte, error) {
	if len(file) == 0 {
		file = fmt.Appendf(nil, goHead, p.Room(), p.Function(), p.Area, p.Registration())
	}
	positions := token.NewFileSet()
	parsed, err := parser.ParseFile(positions, "", file, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range parsed.Decls {
		// httpSSE is the function of http-sse.
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.EqualFold(f.Name.Name, p.Function()) {
			var text bytes.Buffer
			if err := goTemplate.Execute(&text, p); err != nil {
				return nil, err
			}
			if len(f.Body.List) == 0 {
				text.Next(1) // no blank line at the head
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
	return fmt.Appendf(file, `- id: %[2]s
  about: %[1]s
  says: TODO what the %[4]s does.
  %[5]s
  breaks: {%[1]s: {%[3]s}}
`, p.ID, p.FaultID(), p.Cells(), p.Party, p.Broken()), nil
}
