package schema

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// specification returns the folder of the published schemas; the test is skipped where it is absent.
func specification(t *testing.T) string {
	for _, dir := range []string{"../../../shared/spec", "../../shared/spec", "../shared/spec"} {
		if _, err := os.Stat(filepath.Join(dir, "schema")); err == nil {
			return dir
		}
	}
	t.Skip("skipped: the published schemas are not at ../shared/spec beside the project, so that ours are not compared with them")
	return ""
}

// accepted are the differences that we want: what we reject (or accept) against the published schema, and why.
var accepted = []struct {
	name, reason string
	fits         func(s sample, message object) bool
}{
	{"task answers", "a call that asked for a task is answered with CreateTaskResult, which stands in a definition of its own",
		func(s sample, m object) bool {
			result, _ := m["result"].(object)
			return s.revision >= "2025-11-25" && s.Method == "tools/call" && result["task"] != nil
		}},
}

// acceptedAs names the difference that a message shows and that we want; "" for none.
func acceptedAs(s sample, m object) string {
	for _, a := range accepted {
		if a.fits(s, m) {
			return a.name
		}
	}
	return ""
}

type sample struct {
	Kind, Method, Definition, Since, Until string
	Union                                  bool // its method may also be answered with a CallToolResult
	Value                                  object
	revision                               string
}

func samples(t *testing.T) []sample {
	data, err := os.ReadFile("testdata/messages.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []sample
	if err := yaml.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// theirs compiles the published schema of a revision.
type theirs struct {
	t        *testing.T
	compiler *jsonschema.Compiler
	root     string
	defs     object
}

func published(t *testing.T, dir, revision string) *theirs {
	data, err := os.ReadFile(filepath.Join(dir, "schema", revision+".json"))
	if err != nil {
		t.Fatal(err)
	}
	document, err := decode(data, lenient)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	for _, name := range formats {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	if err := c.AddResource("spec://"+revision, document); err != nil {
		t.Fatal(err)
	}
	p := &theirs{t: t, compiler: c}
	for _, name := range []string{"definitions", "$defs"} {
		if defs, ok := document.(object)[name].(object); ok {
			p.root, p.defs = "spec://"+revision+"#/"+name+"/", defs
		}
	}
	return p
}

// valid tells whether a message fits all the named definitions; of alternatives ("A|B") the first that exists.
func (p *theirs) valid(message any, definitions ...string) bool {
	for _, d := range definitions {
		names := strings.Split(d, "|")
		i := slices.IndexFunc(names, func(n string) bool { return p.defs[n] != nil })
		if i < 0 {
			p.t.Fatalf("no definition %s", d)
		}
		if p.compiler.MustCompile(p.root+names[i]).Validate(message) != nil {
			return false
		}
	}
	return true
}

func (p *theirs) judge(s sample, m object) bool {
	switch s.Kind {
	case "result":
		return p.valid(m, "JSONRPCResultResponse|JSONRPCResponse") && p.valid(m["result"], s.Definition)
	case "notification":
		return p.valid(m, "JSONRPCNotification", s.Definition)
	case "request":
		return p.valid(m, "JSONRPCRequest", s.Definition)
	}
	e, _ := m["error"].(object)
	if code, ok := e["code"].(json.Number); ok && code == "-32042" && s.revision >= "2025-11-25" {
		return p.valid(m, "JSONRPCErrorResponse|JSONRPCError", "URLElicitationRequiredError")
	}
	return p.valid(m, "JSONRPCErrorResponse|JSONRPCError")
}

// ours judges the same message by our schemas.
func ours(t *testing.T, set *Set, s sample, m object) []Violation {
	raw := func(member string) json.RawMessage {
		v, ok := m[member]
		if !ok {
			return nil
		}
		b, _ := json.Marshal(v)
		return b
	}
	var found []Violation
	known := true
	switch s.Kind {
	case "result":
		found, known = set.Result(s.Method, raw("result"))
	case "notification":
		found, known = set.Notification(s.Method, raw("params"))
	case "request":
		found, known = set.Request(s.Method, raw("params"))
	default:
		b, _ := json.Marshal(m)
		found = set.Error(b)
	}
	if !known {
		t.Fatalf("%s: %s is not known", s.revision, s.Method)
	}
	return found
}

// message wraps the value of a sample.
func (s sample) message(value any, there bool) object {
	m := object{"jsonrpc": "2.0"}
	member := "params"
	switch s.Kind {
	case "error":
		o, ok := value.(object)
		if !ok {
			return nil
		}
		return o
	case "result":
		member = "result"
		m["id"] = json.Number("1")
	case "request":
		m["id"] = json.Number("1")
		fallthrough
	default:
		m["method"] = s.Method
	}
	if there {
		m[member] = value
	}
	return m
}

// mutations calls do with variants of a value: at each place the value removed, another type, null, an unknown name, bad numbers.
func mutations(value any, do func(variant any)) {
	others := []any{nil, "x", json.Number("5"), json.Number("1.5"), json.Number("-1"), json.Number("1.0"), true, []any{}, []any{nil},
		[]any{"x", json.Number("5")}, object{}, object{"type": "text"}, object{"x": object{}}, object{"x": json.Number("1")}, "url", "form", "none"}
	for _, other := range others {
		do(other)
	}
	switch v := value.(type) {
	case object:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			without := maps.Clone(v)
			delete(without, name)
			do(without)
			mutations(v[name], func(variant any) {
				with := maps.Clone(v)
				with[name] = variant
				do(with)
			})
		}
		for _, extra := range []string{"x", "_meta", "type", "mode", "text", "blob", "enum", "task", "content"} {
			for _, value := range []any{json.Number("5"), "array", object{}} {
				with := maps.Clone(v)
				with[extra] = value
				do(with)
			}
		}
	case []any:
		for i := range v {
			do(slices.Delete(slices.Clone(v), i, i+1))
			mutations(v[i], func(variant any) {
				with := slices.Clone(v)
				with[i] = variant
				do(with)
			})
		}
	}
}

func TestDifferential(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the published schemas are left to whole runs")
	}
	dir := specification(t)
	total, differences := 0, map[string]int{}
	for _, revision := range Revisions() {
		set, err := For(revision)
		if err != nil {
			t.Fatal(err)
		}
		p := published(t, dir, revision)
		reported := 0
		for _, s := range samples(t) {
			if revision < s.Since || s.Until != "" && revision > s.Until {
				continue
			}
			s.revision = revision
			raw, _ := json.Marshal(s.Value)
			value, _ := decode(raw, lenient)
			compare := func(s sample, m object) {
				if m == nil {
					return
				}
				total++
				found, want := ours(t, set, s, m), p.judge(s, m)
				if (len(found) == 0) == want || reported > 20 {
					return
				}
				if name := acceptedAs(s, m); name != "" {
					differences[name]++
					return
				}
				reported++
				b, _ := json.Marshal(m)
				t.Errorf("%s %s: published says %v, we say %v\n%s", revision, s.Definition, want, found, b)
			}
			good := s.message(value, true)
			if found := ours(t, set, s, good); len(found) > 0 || !p.judge(s, good) {
				t.Errorf("%s %s: the good message is not good: %v", revision, s.Definition, found)
			}
			if s.Union {
				other := s
				other.Definition = "CallToolResult"
				compare(other, good)
			}
			if s.Kind == "notification" || s.Kind == "request" {
				compare(s, s.message(nil, false))
			}
			mutations(value, func(variant any) { compare(s, s.message(variant, true)) })
		}
	}
	t.Logf("%d messages compared, accepted differences: %v", total, differences)
	for _, a := range accepted {
		if differences[a.name] == 0 {
			t.Errorf("the accepted difference %q did not occur: %s", a.name, a.reason)
		}
	}
}
