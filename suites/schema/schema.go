// Package schema holds the project's own schemas of what a server may send, per revision, and judges values by them; it also
// judges the schemas that tools publish, and values by those. A violation is worded for a person who reads it under a finding.
//
// The messages are written in messages/*.yaml, each fact once, with the revisions it holds for, and evaluated as JSON Schema. Formats
// (uri, base64) are not judged here: the catalogue has requirements of their own for them. Nothing here reads the network or the
// disk, knows a transcript or gives a verdict.
package schema

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

//go:embed messages/*.yaml
var embedded embed.FS

// Revisions are the ones that have a Set.
func Revisions() []string { return revision.All() }

// A Violation is one thing that a schema does not allow.
type Violation struct {
	// Path is a JSON pointer: into the message for a Set ("/result/tools/0/name"), else into the value that was judged; see Under.
	Path string
	// Want says what may stand there, in a phrase: "a string", `one of "assistant", "user"`.
	Want string
	// Got is what stands there: `5`, "an array", or "absent".
	Got string
	// Definition names what the rule belongs to: "Tool", "JSON Schema 2020-12", or, for Validate, a pointer into the schema.
	Definition string
}

// String is the violation as a sentence without its final stop.
func (v Violation) String() string {
	path := v.Path
	if path == "" {
		path = "the value"
	}
	if v.Got == absent {
		return fmt.Sprintf("%s is absent; %s wants %s", path, v.Definition, v.Want)
	}
	return fmt.Sprintf("%s is %s; %s wants %s", path, v.Got, v.Definition, v.Want)
}

// Under returns the violations with a prefix to their paths.
func Under(prefix string, violations []Violation) []Violation {
	out := slices.Clone(violations)
	for i := range out {
		out[i].Path = prefix + out[i].Path
	}
	return out
}

// A Set judges the messages of one revision. It does not change and may be used by any number of goroutines.
type Set struct {
	revision                         string
	document                         object
	results, notifications, requests map[string]method
	failure                          *jsonschema.Schema
}

type method struct {
	schema     *jsonschema.Schema
	definition string
	params     bool // must be there
}

// For returns the Set of a revision; it is compiled once per process, since nobody can change it.
func For(revision string) (*Set, error) {
	load, ok := sets[revision]
	if !ok {
		return nil, fmt.Errorf("schema: no message schemas for revision %q", revision)
	}
	return load()
}

var sets = func() map[string]func() (*Set, error) {
	all := map[string]func() (*Set, error){}
	for _, revision := range Revisions() {
		all[revision] = sync.OnceValues(func() (*Set, error) { return compile(revision) })
	}
	return all
}()

func compile(revision string) (*Set, error) {
	var files []*yaml.Node
	for _, name := range []string{"shared", "results", "notifications", "requests"} {
		data, err := embedded.ReadFile("messages/" + name + ".yaml")
		if err != nil {
			return nil, err
		}
		var document yaml.Node
		if err := yaml.Unmarshal(data, &document); err != nil {
			return nil, fmt.Errorf("schema: messages/%s.yaml: %w", name, err)
		}
		files = append(files, document.Content[0])
	}
	t, err := translate(files, revision)
	if err != nil {
		return nil, err
	}
	s := &Set{revision: revision, document: object{"$defs": t.defs}}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseLoader(refuse{})
	url := "mcpcheck://messages/" + revision
	if err := compiler.AddResource(url, s.document); err != nil {
		return nil, err
	}
	table := func(name string) map[string]method {
		all := map[string]method{}
		for _, e := range t.tables[name] {
			var compiled *jsonschema.Schema
			if compiled, err = compiler.Compile(url + "#/$defs/" + e.definition); err != nil {
				return nil
			}
			all[e.method] = method{compiled, e.definition, e.params}
		}
		return all
	}
	s.results = table("results")
	if err == nil {
		s.notifications = table("notifications")
	}
	if err == nil {
		s.requests = table("requests")
	}
	if err == nil {
		s.failure, err = compiler.Compile(url + "#/$defs/ErrorResponse")
	}
	if err != nil {
		return nil, fmt.Errorf("schema: %s: %w", revision, err)
	}
	return s, nil
}

// Result judges the result of a method. It is false for a method that the revision does not know.
func (s *Set) Result(method string, raw json.RawMessage) ([]Violation, bool) {
	m, ok := s.results[method]
	if !ok {
		return nil, false
	}
	return s.judge(m.schema, "/result", raw), true
}

// Notification judges the params of a notification; nil params are absent ones.
func (s *Set) Notification(method string, params json.RawMessage) ([]Violation, bool) {
	return s.params(s.notifications, method, params)
}

// Request judges the params of a request that a server sends; nil params are absent ones.
func (s *Set) Request(method string, params json.RawMessage) ([]Violation, bool) {
	return s.params(s.requests, method, params)
}

func (s *Set) params(table map[string]method, name string, params json.RawMessage) ([]Violation, bool) {
	m, ok := table[name]
	switch {
	case !ok:
		return nil, false
	case params == nil && m.params:
		return []Violation{{Path: "/params", Want: "an object", Got: absent, Definition: m.definition}}, true
	case params == nil:
		return nil, true
	}
	return s.judge(m.schema, "/params", params), true
}

// Error judges an error response, the whole message. An id of null is a violation at /id: whether it may be forgiven where the id of
// the request could not be read is for the caller.
func (s *Set) Error(raw json.RawMessage) []Violation { return s.judge(s.failure, "", raw) }

func (s *Set) judge(compiled *jsonschema.Schema, prefix string, raw json.RawMessage) []Violation {
	value, err := decode(raw, lenient)
	if err != nil {
		return []Violation{{Path: prefix, Want: "one JSON value", Got: err.Error(), Definition: "JSON"}}
	}
	e := explainer{root: value, document: s.document, definition: func(pointer []string) string {
		if len(pointer) > 1 {
			return pointer[1]
		}
		return strings.Join(pointer, "/")
	}}
	return Under(prefix, e.explain(compiled.Validate(value)))
}

// refuse is a loader that loads nothing.
type refuse struct{}

func (refuse) Load(url string) (any, error) { return nil, &RemoteRefError{URL: url} }
