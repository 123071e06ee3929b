package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/revision"
	"go.yaml.in/yaml/v3"
)

// The notation of messages/*.yaml. A key is NAME, with "!" where the member is required, then "since REVISION" and
// "until REVISION" (both inclusive). A value is a mapping, for an object, or one of
//
//	string  integer  number  boolean  object  null  any  Definition
//	number from 0 to 1    integer from 0    one of a, b    list of TYPE    map of TYPE    TYPE or TYPE
//
// A definition that is a type rather than a mapping is an alias and is written out where it is used, so that a violation names the
// object it stands in. Special members: (by TAG) chooses a definition by the value of a member, (by TAG, else VALUE) also where that
// member is absent, (any of) lists definitions of which one must fit, (when MEMBER is NUMBER) adds a definition.
// The tables (results), (notifications) and (requests) name the definition of each method.

// A key is a key of the notation, read.
type key struct {
	name         string
	required     bool
	since, until string
}

func readKey(s string) key {
	var k key
	if end := strings.Index(s, ")"); strings.HasPrefix(s, "(") && end > 0 {
		k.name, s = s[:end+1], s[end+1:]
	} else {
		k.name, s, _ = strings.Cut(s, " ")
	}
	words := strings.Fields(s)
	for i := 0; i+1 < len(words); i += 2 {
		switch words[i] {
		case "since":
			k.since = words[i+1]
		case "until":
			k.until = words[i+1]
		}
	}
	k.name, k.required = strings.CutSuffix(k.name, "!")
	return k
}

// in tells whether the key applies in a revision.
func (k key) in(spoken string) bool {
	return revision.Since(spoken, k.since) && (k.until == "" || revision.Since(k.until, spoken))
}

type object = map[string]any

// A translator turns the notation into one JSON Schema document for a revision.
type translator struct {
	revision string
	aliases  map[string]string
	defs     object
	tables   map[string][]entry
	problems []string
}

// An entry is a row of a table of methods.
type entry struct {
	method, definition string
	params             bool // must be there
}

func (t *translator) problem(format string, args ...any) {
	t.problems = append(t.problems, fmt.Sprintf(format, args...))
}

// each goes through the members of a mapping that apply in the revision.
func (t *translator) each(node *yaml.Node, do func(k key, value *yaml.Node)) {
	if node.Kind != yaml.MappingNode {
		t.problem("line %d: want a mapping", node.Line)
		return
	}
	for i := 0; i < len(node.Content); i += 2 {
		if k := readKey(node.Content[i].Value); k.in(t.revision) {
			do(k, node.Content[i+1])
		}
	}
}

// translate reads all files; aliases first, since any file may use them.
func translate(files []*yaml.Node, revision string) (*translator, error) {
	t := &translator{revision: revision, aliases: map[string]string{}, defs: object{}, tables: map[string][]entry{}}
	for _, file := range files {
		t.each(file, func(k key, value *yaml.Node) {
			if value.Kind == yaml.ScalarNode {
				t.aliases[k.name] = value.Value
			}
		})
	}
	for _, file := range files {
		t.each(file, func(k key, value *yaml.Node) {
			switch {
			case value.Kind == yaml.ScalarNode:
			case strings.HasPrefix(k.name, "("):
				t.each(value, func(m key, definition *yaml.Node) {
					table := strings.Trim(k.name, "()")
					t.tables[table] = append(t.tables[table], entry{m.name, definition.Value, m.required})
				})
			case t.defs[k.name] != nil:
				t.problem("line %d: %s is defined twice", value.Line, k.name)
			default:
				t.defs[k.name] = t.object(value)
			}
		})
	}
	if len(t.problems) > 0 {
		return nil, fmt.Errorf("schema: message notation for %s: %s", revision, strings.Join(t.problems, "; "))
	}
	return t, nil
}

// object translates a mapping.
func (t *translator) object(node *yaml.Node) object {
	members := object{}
	var required, all []any
	s := object{"type": "object", "properties": members}
	t.each(node, func(k key, value *yaml.Node) {
		switch {
		case strings.HasPrefix(k.name, "(by "):
			tag, fallback, _ := strings.Cut(strings.Trim(k.name[len("(by "):], ")"), ", else ")
			if fallback == "" {
				required = append(required, tag)
			}
			names, branches := t.branches(value, tag, fallback)
			members[tag] = object{"enum": names}
			all = append(all, branches...)
		case k.name == "(any of)":
			// One that is no object itself, such as a list, must not be barred by what the others share.
			s["anyOf"] = t.alternatives(value)
		case strings.HasPrefix(k.name, "(when "):
			member, number, _ := strings.Cut(strings.Trim(k.name[len("(when "):], ")"), " is ")
			n, err := strconv.ParseFloat(number, 64)
			if err != nil {
				t.problem("line %d: %v", value.Line, err)
			}
			all = append(all, object{"if": object{"properties": object{member: object{"const": n}}, "required": []any{member}},
				"then": t.typ(value.Value, value.Line)})
		default:
			if k.required {
				required = append(required, k.name)
			}
			if value.Kind == yaml.MappingNode {
				members[k.name] = t.object(value)
			} else {
				members[k.name] = t.typ(value.Value, value.Line)
			}
		}
	})
	if len(required) > 0 {
		s["required"] = required
	}
	if len(all) > 0 {
		s["allOf"] = all
	}
	if len(members) == 0 && s["anyOf"] != nil {
		return object{"anyOf": s["anyOf"]}
	}
	return s
}

// branches translates a choice by tag: the values it may have, and an if-then for each, so that a violation is about the one branch
// that was meant.
func (t *translator) branches(node *yaml.Node, tag, fallback string) (names, branches []any) {
	t.each(node, func(k key, value *yaml.Node) {
		names = append(names, k.name)
		condition := object{"properties": object{tag: object{"const": k.name}}}
		if k.name != fallback {
			condition["required"] = []any{tag}
		}
		branches = append(branches, object{"if": condition, "then": t.typ(value.Value, value.Line)})
	})
	return names, branches
}

func (t *translator) alternatives(node *yaml.Node) []any {
	var out []any
	for _, item := range node.Content {
		text, since, _ := strings.Cut(item.Value, " since ")
		if revision.Since(t.revision, since) {
			out = append(out, t.typ(text, item.Line))
		}
	}
	return out
}

// typ translates a type that is written in one line.
func (t *translator) typ(text string, line int) object {
	text = strings.TrimSpace(text)
	if alias, ok := t.aliases[text]; ok {
		text = alias
	}
	if of, ok := strings.CutPrefix(text, "list of "); ok {
		return object{"type": "array", "items": t.typ(of, line)}
	}
	if of, ok := strings.CutPrefix(text, "map of "); ok {
		return object{"type": "object", "additionalProperties": t.typ(of, line)}
	}
	if values, ok := strings.CutPrefix(text, "one of "); ok {
		var enum []any
		for _, v := range strings.Split(values, ", ") {
			enum = append(enum, v)
		}
		return object{"enum": enum}
	}
	if bounds, ok := strings.CutPrefix(text, "number from "); ok {
		low, high, _ := strings.Cut(bounds, " to ")
		minimum, err1 := strconv.ParseFloat(low, 64)
		maximum, err2 := strconv.ParseFloat(high, 64)
		if err1 != nil || err2 != nil {
			t.problem("line %d: bad bounds in %q", line, text)
		}
		return object{"type": "number", "minimum": minimum, "maximum": maximum}
	}
	if low, ok := strings.CutPrefix(text, "integer from "); ok {
		minimum, err := strconv.ParseFloat(low, 64)
		if err != nil {
			t.problem("line %d: bad bound in %q", line, text)
		}
		return object{"type": "integer", "minimum": minimum}
	}
	names := strings.Split(text, " or ")
	plain := []string{"string", "integer", "number", "boolean", "object", "null"}
	if !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(plain, n) }) {
		if len(names) == 1 {
			return object{"type": text}
		}
		var types []any
		for _, n := range names {
			types = append(types, n)
		}
		return object{"type": types}
	}
	switch {
	case text == "any":
		return object{}
	case len(names) > 1 || text == "" || text[0] < 'A' || text[0] > 'Z':
		t.problem("line %d: no type: %q", line, text)
	}
	return object{"$ref": "#/$defs/" + text}
}
