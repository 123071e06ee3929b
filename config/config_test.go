package config

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

const whole = `
outputs: {junit: out/mcpcheck.xml, json: "-"}
parallel: 3
defaults:
  headers: {Authorization: Bearer $TOKEN, X-Team: blue}
  timeout: 5s
  only: session
targets:
  - http://localhost:3000/mcp
  - url: https://example.com/mcp
    name: hosted
    group: public
    expect: not-tested
    headers:
      authorization: Bearer $OTHER
    only: [tools, prompts]
    revisions: 2025-06-18
    calls: {echo: {text: hi, n: 1}, now: }
    baseline: known.yaml
    strict: true
`

func TestParse(t *testing.T) {
	c, err := Parse("/etc/project/mcpcheck.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if want := []Setting{
		{"outputs", "output", []string{"junit=/etc/project/out/mcpcheck.xml", "json=-"}, 2},
		{"parallel", "parallel", []string{"3"}, 3},
	}; !cmp.Equal(c.Run, want) {
		t.Error(cmp.Diff(want, c.Run))
	}
	if len(c.Targets) != 2 || c.Targets[0].URL != "http://localhost:3000/mcp" || c.Targets[0].Title() != c.Targets[0].URL {
		t.Fatalf("targets %+v", c.Targets)
	}
	hosted := c.Targets[1]
	if got := [5]string{hosted.URL, hosted.Name, hosted.Group, hosted.Expect, hosted.Title()}; got != [5]string{"https://example.com/mcp", "hosted", "public", "not-tested", "hosted"} {
		t.Errorf("target %q", got)
	}
	// Its own headers add to the defaults, and take their place where the name is the same; of other keys the nearer one holds.
	values := map[string][]string{}
	for _, s := range c.Of(hosted) {
		values[s.Flag] = append(values[s.Flag], s.Values...)
	}
	if want := map[string][]string{
		"header": {"X-Team: blue", "authorization: Bearer $OTHER"}, "timeout": {"5s"}, "only": {"tools", "prompts"}, "revision": {"2025-06-18"},
		"call": {`echo={"n":1,"text":"hi"}`, "now"}, "baseline": {"/etc/project/known.yaml"}, "strict": {"true"},
	}; !cmp.Equal(values, want) {
		t.Error(cmp.Diff(want, values))
	}
}

// TestMistakes: what is wrong is said with its line, and a word that is nearly one of ours comes with those that are.
func TestMistakes(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		unknown          string
	}{
		{"an unknown key at the top", "targts: []\n", `f.yaml:1: the configuration has no key "targts"`, "targts"},
		{"an unknown default", "defaults:\n  timout: 1s\n", `f.yaml:2: defaults has no key "timout"`, "timout"},
		{"an unknown key of a target", "targets:\n- url: http://a/\n  header: {}\n", `f.yaml:3: a target has no key "header"`, "header"},
		{"a key of targets among the defaults", "defaults: {url: http://a/}\n", `f.yaml:1: defaults has no key "url"`, "url"},
		{"a key twice", "defaults:\n  timeout: 1s\n  timeout: 2s\n", "f.yaml:3: defaults has the key timeout twice", ""},
		{"no YAML", "targets: [\n", "f.yaml:", ""},
		{"two documents", "{}\n---\n{}\n", "f.yaml: a second document; a configuration is one", ""},
		{"a list in place of keys", "- http://a/\n", "f.yaml:1: the configuration has keys and values, such as defaults: …", ""},
		{"targets that are no list", "targets: {a: b}\n", "f.yaml:1: targets is a list, each with - url: …", ""},
		{"a target without a URL", "targets:\n- name: a\n", "f.yaml:2: a target wants a url", ""},
		{"a URL that is none", "targets:\n- localhost\n", "f.yaml:2: the url of a target is the MCP endpoint", ""},
		{"credentials in the URL", "targets:\n- http://u:hunter2@a/\n", "f.yaml:2: the url holds credentials;", ""},
		{"one name twice", "targets:\n- {url: http://a/, name: x}\n- {url: http://b/, name: x}\n", "f.yaml:3: two targets have the name x, this one and that of line 2", ""},
		{"one URL twice", "targets:\n- http://a/\n- {url: http://a/, name: x}\n", "f.yaml:3: the URL stands in line 2 already", ""},
		{"a duration that is none", "defaults: {timeout: soon}\n", "f.yaml:1: timeout is written like timeout: 10s", ""},
		{"a negative number", "parallel: -1\n", "f.yaml:1: parallel is written like parallel: 4", ""},
		{"a truth that is none", "defaults: {strict: 'true'}\n", "f.yaml:1: strict is written like strict: true", ""},
		{"an outcome that is none", "targets:\n- {url: http://a/, expect: conformnt}\n", "f.yaml:2: expect is conformant, not-conformant, incomplete, not-tested", "conformnt"},
		{"a header without a value", "defaults: {headers: {Authorization: }}\n", "f.yaml:1: Authorization is one value", ""},
		{"a header twice", "defaults: {headers: {A: x, a: y}}\n", "f.yaml:1: headers has a twice", ""},
		{"a header on two lines", "defaults: {headers: {A: \"hunter2\\nB: c\"}}\n", "f.yaml:1: A is written like A: VALUE", ""},
		{"headers that are a list", "defaults: {headers: [\"A: hunter2\"]}\n", "f.yaml:1: headers has names and values", ""},
		{"an empty list", "defaults: {only: []}\n", "f.yaml:1: only is an empty list; leave it out", ""},
		{"arguments that are no object", "defaults: {calls: {echo: hunter2}}\n", "f.yaml:1: the arguments of echo are names and values", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(test.text))
			var wrong *Error
			if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), test.want) {
				t.Fatalf("got %v, want %s", err, test.want)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error repeats what may be secret: %v", err)
			}
			if wrong.Unknown != test.unknown || (len(wrong.Known) > 0) != (test.unknown != "") {
				t.Errorf("unknown %q of %q", wrong.Unknown, wrong.Known)
			}
		})
	}
}

// TestFind: the nearest folder wins, up to the root.
func TestFind(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	at := func(want string) {
		t.Helper()
		if got, err := Find(deep); err != nil || got != want {
			t.Errorf("found %q, %v; want %q", got, err, want)
		}
	}
	for _, path := range []string{filepath.Join(root, "mcpcheck.yml"), filepath.Join(root, "mcpcheck.yaml"), filepath.Join(root, "a", "mcpcheck.yaml")} {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		at(path)
	}
	if err := os.Mkdir(filepath.Join(deep, "mcpcheck.yaml"), 0o755); err != nil {
		t.Fatal(err)
	}
	at(filepath.Join(root, "a", "mcpcheck.yaml")) // a folder is no configuration
}

// TestExample: what init writes is read as one target, and each of its comments, taken for itself, is a setting.
func TestExample(t *testing.T) {
	example := string(Example("http://localhost:3000/mcp?a=\"b\""))
	c, err := Parse("f.yaml", []byte(example))
	if err != nil || len(c.Targets) != 1 || c.Targets[0].URL != "http://localhost:3000/mcp?a=\"b\"" {
		t.Fatalf("%+v, %v", c, err)
	}
	commented := regexp.MustCompile(`(?m)^( *)# ([a-z-]+: .*)$`)
	n := 0
	for _, line := range commented.FindAllString(example, -1) {
		plain := commented.ReplaceAllString(line, "$1$2")
		if strings.Contains(plain, "yaml-language-server") || strings.Contains(plain, "The schema") {
			continue
		}
		n++
		text := strings.Replace(example, line, plain, 1)
		if _, err := Parse("f.yaml", []byte(text)); err != nil {
			t.Errorf("%s: %v", plain, err)
		}
		if err := bySchema(t, text); err != nil {
			t.Errorf("%s: %v", plain, err)
		}
	}
	if want := len(settingKeys) + len(targetKeys) - 1 + len(runKeys); n != want {
		t.Errorf("%d settings are shown, want %d", n, want)
	}
}

// TestSchema: what the parser takes the schema takes, and unknown keys neither.
func TestSchema(t *testing.T) {
	for _, text := range []string{whole, "", "targets:\n", "defaults:\ntargets: [http://a/mcp]\n"} {
		if err := bySchema(t, text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"targts: []", "defaults: {timout: 1s}", "targets: [{name: a}]", "targets: [{url: http://a/, expect: x}]", "parallel: -1", "defaults: {only: []}"} {
		if bySchema(t, text) == nil {
			t.Errorf("the schema takes %s", text)
		}
	}
}

func bySchema(t *testing.T, text string) error {
	t.Helper()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("config.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(plain(value))
}

// plain is a YAML value as JSON would have it: a date is text.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case interface{ Format(string) string }:
		return v.Format("2006-01-02")
	}
	return v
}

// FuzzParse: whatever a file holds, there are settings with values, or an error that names the file.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{whole, string(Example("http://a/")), "a: &a [*a]", "defaults: &d {only: &o [*o]}", "targets: [&t {url: http://a/, calls: {x: &c {y: *c}}}]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("f.yaml", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.yaml") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		for _, target := range c.Targets {
			if target.URL == "" {
				t.Error("a target without a URL")
			}
			for _, s := range append(c.Of(target), c.Run...) {
				if s.Flag == "" || len(s.Values) == 0 || s.Line == 0 {
					t.Errorf("setting %+v", s)
				}
			}
		}
	})
}
