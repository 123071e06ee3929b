package catalogue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parse reads the entries of one file, such as "legacy/session.yaml"; its folder is their era. It checks the form:
// every field known, given once and of the right type, revision keys quoted. What the values mean is for validate.
// All problems are reported at once, each with file, line and id.
func parse(file string, data []byte) ([]Entry, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: no entries", file)
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: more than one document", file)
	}
	list := document.Content[0]
	if list.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s:%d: want a list of entries", file, list.Line)
	}
	era, _, _ := strings.Cut(file, "/")
	r := reader{file: file}
	entries := make([]Entry, 0, len(list.Content))
	for _, node := range list.Content {
		entries = append(entries, r.entry(node, era))
	}
	if err := errors.Join(r.problems...); err != nil {
		return nil, err
	}
	return entries, nil
}

// A reader turns nodes into entries and collects what is wrong with them. It reads nodes instead of letting the library
// fill structs, because the library's errors name neither file nor id and cannot tell a quoted key from a bare one.
type reader struct {
	file     string
	id       string // of the entry at hand, for messages
	problems []error
}

func (r *reader) problem(at *yaml.Node, format string, args ...any) {
	id := r.id
	if id == "" {
		id = "(no id)"
	}
	r.problems = append(r.problems, fmt.Errorf("%s:%d: %s: %s", r.file, at.Line, id, fmt.Sprintf(format, args...)))
}

// entry reads one entry; what it cannot read stays empty and is reported.
func (r *reader) entry(node *yaml.Node, era string) Entry {
	r.id = ""
	if node.Kind != yaml.MappingNode {
		r.problem(node, "want an entry with fields")
		return Entry{}
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == "id" {
			r.id = node.Content[i+1].Value
		}
	}
	e := Entry{Era: era, File: r.file}
	r.pairs(node, func(key, value *yaml.Node) {
		switch key.Value {
		case "levels":
			e.Levels = map[string]Level{}
			r.byRevision(value, func(revision, text string) { e.Levels[revision] = Level(text) })
		case "refs":
			e.Refs = map[string]string{}
			r.byRevision(value, func(revision, text string) { e.Refs[revision] = text })
		case "kinds":
			e.Kinds = r.kinds(value)
		default:
			text := e.text(key.Value)
			if text == nil {
				r.problem(key, "unknown field %q%s", key.Value, didYouMean(key.Value, fieldNames()))
				return
			}
			*text = r.text(key.Value, value)
		}
	})
	for _, name := range []string{"id", "party", "area", "levels", "refs", "summary", "testable", "probe"} {
		if !hasKey(node, name) {
			r.problem(node, "field %q is missing", name)
		}
	}
	return e
}

// kinds reads the kinds of breach with their own why and remedy.
func (r *reader) kinds(node *yaml.Node) map[string]Kind {
	if node.Kind != yaml.MappingNode {
		r.problem(node, "want a mapping from kinds of breach")
		return nil
	}
	kinds := map[string]Kind{}
	r.pairs(node, func(name, value *yaml.Node) {
		var k Kind
		if value.Kind != yaml.MappingNode || !hasKey(value, "why") || !hasKey(value, "remedy") {
			r.problem(name, "want why and remedy of the kind %q", name.Value)
			return
		}
		r.pairs(value, func(key, text *yaml.Node) {
			switch key.Value {
			case "why":
				k.Why = r.text("why", text)
			case "remedy":
				k.Remedy = r.text("remedy", text)
			default:
				r.problem(key, "unknown field %q%s", key.Value, didYouMean(key.Value, []string{"why", "remedy"}))
			}
		})
		kinds[name.Value] = k
	})
	return kinds
}

// text returns the place of a field that holds a text, or nil if there is no such field.
func (e *Entry) text(field string) *string {
	switch field {
	case "id":
		return &e.ID
	case "party":
		return &e.Party
	case "area":
		return &e.Area
	case "summary":
		return &e.Summary
	case "testable":
		return &e.Testable
	case "probe":
		return &e.Probe
	case "conflicts":
		return &e.Conflicts
	case "title":
		return &e.Title
	case "why":
		return &e.Why
	case "remedy":
		return &e.Remedy
	case "reason":
		return &e.Reason
	}
	return nil
}

// fieldNames returns all fields in the order in which files write them.
func fieldNames() []string {
	return []string{"id", "party", "area", "title", "levels", "refs", "summary", "testable", "reason", "probe",
		"conflicts", "why", "remedy", "kinds"}
}

// pairs calls f for each field of a mapping; a key that comes twice is reported and read once.
func (r *reader) pairs(node *yaml.Node, f func(key, value *yaml.Node)) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if seen[key.Value] {
			r.problem(key, "%q is given twice", key.Value)
			continue
		}
		seen[key.Value] = true
		f(key, value)
	}
}

// byRevision reads a mapping from quoted revisions to texts. A bare 2025-11-25 is a date to YAML 1.1 readers, so that
// files with bare keys could be read by us and by few others.
func (r *reader) byRevision(node *yaml.Node, set func(revision, text string)) {
	if node.Kind != yaml.MappingNode {
		r.problem(node, "want a mapping from revisions")
		return
	}
	r.pairs(node, func(key, value *yaml.Node) {
		if key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
			r.problem(key, "revision %s must be quoted", key.Value)
			return
		}
		set(key.Value, r.text(key.Value, value))
	})
}

// text reads a string that says something. Numbers, booleans and dates are refused: they were meant to be quoted.
func (r *reader) text(field string, node *yaml.Node) string {
	switch {
	case node.Kind != yaml.ScalarNode || node.ShortTag() != "!!str":
		r.problem(node, "%s: want a string", field)
		return ""
	case strings.TrimSpace(node.Value) == "":
		r.problem(node, "%s is empty", field)
		return ""
	}
	return node.Value
}

func hasKey(node *yaml.Node, name string) bool {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return true
		}
	}
	return false
}

// didYouMean returns ", did you mean …?" or nothing.
func didYouMean(word string, names []string) string {
	if best := Closest(word, names); len(best) > 0 {
		return fmt.Sprintf(", did you mean %q?", best[0])
	}
	return ""
}
