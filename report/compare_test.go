package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// offering is a report of a server that offers one tool with an input schema, written in JSON.
func offering(t *testing.T, schema string) Report {
	t.Helper()
	return surfaced(t, fmt.Sprintf(`{"tools": [{"name": "echo", "definition": {"inputSchema": %s}}]}`, schema))
}

func surfaced(t *testing.T, surface string) Report {
	t.Helper()
	r := cleanReport()
	r.Surface = &Surface{Revision: "2025-11-25"}
	if err := json.Unmarshal([]byte(surface), r.Surface); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestInputChanges: what was allowed and is not any more breaks; what is new does not. The same rows backwards are the opposite.
func TestInputChanges(t *testing.T) {
	text := func(properties, rest string) string {
		return fmt.Sprintf(`{"type": "object", "properties": {%s}%s}`, properties, rest)
	}
	const a = `"a": {"type": "string"}`
	for _, test := range []struct {
		name, before, after string
		want, back          string // the words of the changes, breaking ones with a mark
	}{
		{"nothing", text(a, ""), text(a, ""), "", ""},
		{"the order of names", text(a, `, "required": ["a"]`), text(a, `, "required": ["a"]`), "", ""},
		{"an argument is new", text("", ""), text(a, ""), "argument-added", "argument-removed!"},
		{"a new argument has to be given", text("", ""), text(a, `, "required": ["a"]`), "argument-required!", "argument-removed!"},
		{"an argument has to be given", text(a, ""), text(a, `, "required": ["a"]`), "argument-required!", "widened"},
		{"what is not described has to be given", text("", ""), text("", `, "required": ["z"]`), "argument-required!", ""},
		{"another type", text(a, ""), text(`"a": {"type": "integer"}`, ""), "narrowed!", "narrowed!"},
		{"numbers for integers", text(`"a": {"type": "integer"}`, ""), text(`"a": {"type": "number"}`, ""), "widened", "narrowed!"},
		{"one type more", text(a, ""), text(`"a": {"type": ["null", "string"]}`, ""), "widened", "narrowed!"},
		{"any type", text(a, ""), text(`"a": {}`, ""), "widened", "narrowed!"},
		{"a choice more", text(`"a": {"enum": ["x"]}`, ""), text(`"a": {"enum": ["x", "y"]}`, ""), "widened", "narrowed!"},
		{"a choice at all", text(a, ""), text(`"a": {"type": "string", "enum": ["x"]}`, ""), "narrowed!", "widened"},
		{"a constant is a choice", text(`"a": {"const": 1}`, ""), text(`"a": {"enum": [1]}`, ""), "", ""},
		{"a higher minimum", text(`"a": {"minimum": 1}`, ""), text(`"a": {"minimum": 2}`, ""), "narrowed!", "widened"},
		{"a maximum", text(`"a": {}`, ""), text(`"a": {"maxLength": 2}`, ""), "narrowed!", "widened"},
		{"a lower maximum", text(`"a": {"maximum": 2}`, ""), text(`"a": {"maximum": 1}`, ""), "narrowed!", "widened"},
		{"a pattern", text(`"a": {}`, ""), text(`"a": {"pattern": "^x"}`, ""), "narrowed!", "widened"},
		{"another format", text(`"a": {"format": "uri"}`, ""), text(`"a": {"format": "date"}`, ""), "narrowed!", "narrowed!"},
		{"nothing beside", text(a, ""), text(a, `, "additionalProperties": false`), "narrowed!", "widened"},
		{"a schema for what is beside", text(a, ""), text(a, `, "additionalProperties": {"type": "string"}`), "schema-changed", "schema-changed"},
		{"inside of an object", text(`"o": {"properties": {}}`, ""), text(`"o": {"properties": {"x": {}}, "required": ["x"]}`, ""), "argument-required!", "argument-removed!"},
		{"inside of an array", text(`"l": {"items": {"type": "string"}}`, ""), text(`"l": {"items": {"type": "number"}}`, ""), "narrowed!", "narrowed!"},
		{"words alone", text(`"a": {"description": "x"}`, ""), text(`"a": {"description": "y"}`, ""), "", ""},
		{"what is not compared", text(`"a": {"$ref": "#/$defs/x"}`, ""), text(`"a": {"$ref": "#/$defs/y"}`, ""), "schema-changed", "schema-changed"},
		{"a boolean schema", text(`"a": true`, ""), text(`"a": {"type": "string"}`, ""), "schema-changed", "schema-changed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			before, after := offering(t, test.before), offering(t, test.after)
			if got := changeWords(DiffSurface(before, after)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if got := changeWords(DiffSurface(after, before)); got != test.back {
				t.Errorf("backwards got %q, want %q", got, test.back)
			}
		})
	}
}

func changeWords(changes []SurfaceChange) string {
	var words []string
	for _, c := range changes {
		word := c.Change
		if c.Breaking {
			word += "!"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// TestSurfaceChanges: what is offered at all.
func TestSurfaceChanges(t *testing.T) {
	const echo = `{"name": "echo", "definition": {"description": "Says it again.", "inputSchema": {"properties": {"text": {}}}}}`
	for _, test := range []struct{ name, before, after, want, back string }{
		{"a tool is gone", `{"tools": [` + echo + `]}`, `{}`, "tool echo removed!", "tool echo added"},
		{"a tool has another name", `{"tools": [` + echo + `]}`, `{"tools": [` + strings.Replace(echo, `"echo"`, `"repeat"`, 1) + `]}`, "tool echo renamed!", "tool repeat renamed!"},
		{"another tool in its place", `{"tools": [` + echo + `]}`, `{"tools": [{"name": "x", "definition": {"description": "Something else."}}]}`, "tool echo removed! tool x added", "tool x removed! tool echo added"},
		{"two without a word are not one", `{"tools": [{"name": "a", "definition": {}}]}`, `{"tools": [{"name": "b", "definition": {}}]}`, "tool a removed! tool b added", "tool b removed! tool a added"},
		{"a list that was not read to its end", `{"tools": [` + echo + `]}`, `{"tools": [{"name": "x", "definition": {}}], "unlisted": ["tools"]}`, "", ""},
		{"a description", `{"tools": [{"name": "a", "definition": {"description": "x"}}]}`, `{"tools": [{"name": "a", "definition": {"description": "y"}}]}`, "tool a described-anew", "tool a described-anew"},
		{"an annotation", `{"tools": [{"name": "a", "definition": {"annotations": {"readOnlyHint": true}}}]}`, `{"tools": [{"name": "a", "definition": {}}]}`, "tool a annotation-changed", "tool a annotation-changed"},
		{"a result lacks something", `{"tools": [{"name": "a", "definition": {"outputSchema": {"properties": {"x": {}}}}}]}`, `{"tools": [{"name": "a", "definition": {"outputSchema": {"properties": {}}}}]}`, "tool a output-changed!", "tool a output-changed"},
		{"a result of another type", `{"tools": [{"name": "a", "definition": {"outputSchema": {"properties": {"x": {"type": "integer"}}}}}]}`, `{"tools": [{"name": "a", "definition": {"outputSchema": {"properties": {"x": {"type": "number"}}}}}]}`, "tool a output-changed!", "tool a output-changed"},
		{"a result may lack something", `{"tools": [{"name": "a", "definition": {"outputSchema": {"properties": {"x": {}}, "required": ["x"]}}}]}`, `{"tools": [{"name": "a", "definition": {"outputSchema": {"properties": {"x": {}}}}}]}`, "tool a output-changed!", ""},
		{"results have no schema any more", `{"tools": [{"name": "a", "definition": {"outputSchema": {}}}]}`, `{"tools": [{"name": "a", "definition": {}}]}`, "tool a output-changed!", "tool a output-changed"},
		{"a prompt wants an argument", `{"prompts": [{"name": "p", "definition": {"arguments": [{"name": "x"}]}}]}`, `{"prompts": [{"name": "p", "definition": {"arguments": [{"name": "x", "required": true}]}}]}`, "prompt p argument-required!", "prompt p widened"},
		{"a prompt lost an argument", `{"prompts": [{"name": "p", "definition": {"arguments": [{"name": "x"}]}}]}`, `{"prompts": [{"name": "p", "definition": {}}]}`, "prompt p argument-removed!", "prompt p argument-added"},
		{"a resource of another media type", `{"resources": [{"name": "r:/", "definition": {"mimeType": "text/plain"}}]}`, `{"resources": [{"name": "r:/", "definition": {"mimeType": "text/html"}}]}`, "resource r:/ output-changed!", "resource r:/ output-changed!"},
		{"a template", `{"templates": [{"name": "r:/{x}", "definition": {}}]}`, `{}`, "template r:/{x} removed!", "template r:/{x} added"},
		{"a capability", `{"capabilities": ["logging", "tools"]}`, `{"capabilities": ["tools"]}`, "capability logging removed!", "capability logging added"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i, want := range []string{test.want, test.back} {
				before, after := surfaced(t, test.before), surfaced(t, test.after)
				if i == 1 {
					before, after = after, before
				}
				var words []string
				for _, c := range DiffSurface(before, after) {
					word := c.where() + " " + c.Change
					if c.Breaking {
						word += "!"
					}
					words = append(words, word)
				}
				if got := strings.Join(words, " "); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
}

// TestRevisionsAreCompared where both runs asked for all of them.
func TestRevisionsAreCompared(t *testing.T) {
	before, after := surfaced(t, `{}`), surfaced(t, `{}`)
	before.Target.Revisions = append(slices.Clone(before.Target.Revisions), "2025-03-26")
	if got := changeWords(DiffSurface(before, after)); got != "removed!" {
		t.Errorf("got %q", got)
	}
	after.Filtered = true
	if got := changeWords(DiffSurface(before, after)); got != "" {
		t.Errorf("a part of the revisions was asked for, and got %q", got)
	}
}

// hostilePair are two reports of one hostile server, between which verdicts moved and tools changed.
func hostilePair(t *testing.T) (before, after Report) {
	before, after = hostileReport(), hostileReport()
	for i := range after.Results {
		switch r := &after.Results[i]; {
		case r.Verdict == Pass && i%7 == 0:
			r.Verdict, r.Message = Fail, hostileAll
		case r.Verdict == Fail && i%2 == 0:
			r.Verdict = Pass
		}
	}
	after = Finish(after)
	name, _ := json.Marshal(hostileAll)
	surface := func(schema string) string {
		return fmt.Sprintf(`{"tools": [{"name": %s, "definition": {"description": "x", "inputSchema": %s}}, {"name": "gone", "definition": {}}]}`, name, schema)
	}
	before.Surface = surfaced(t, surface(`{"type": "object"}`)).Surface
	after.Surface = surfaced(t, strings.Replace(surface(fmt.Sprintf(`{"type": "object", "required": [%s], "properties": {%s: {"enum": [%s]}}}`, name, name, name)), `"gone"`, `"new"`, 1)).Surface
	return before, after
}

// TestDiffGoldens renders one hostile comparison in each format; what it says does nothing.
func TestDiffGoldens(t *testing.T) {
	before, after := hostilePair(t)
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			var out bytes.Buffer
			if err := RenderDiffAs(f.Name, &out, before, after, Options{Diff: DiffOptions{Worse: true, Breaking: true}}); err != nil {
				t.Fatal(err)
			}
			golden(t, "diff."+f.Name, out.String())
			switch f.Name {
			case "html":
				assertHTML(t, out.String())
			case "junit":
				var suites junitSuites
				if err := xml.Unmarshal(out.Bytes(), &suites); err != nil || suites.Failures == 0 || suites.Tests != len(suites.Suites[0].Cases) {
					t.Errorf("%v, %d failures of %d", err, suites.Failures, suites.Tests)
				}
			case "json", "sarif":
				if err := json.Unmarshal(out.Bytes(), new(any)); err != nil {
					t.Error(err)
				}
			default:
				assertGraphic(t, out.String())
			}
			var same bytes.Buffer
			if err := RenderDiffAs(f.Name, &same, before, before, Options{Diff: DiffOptions{Worse: true, Breaking: true}}); err != nil || same.String() == out.String() {
				t.Errorf("nothing changed, and the format does not say so: %v", err)
			}
		})
	}
	if err := RenderDiffAs("yaml", new(bytes.Buffer), before, after, Options{}); err == nil {
		t.Error("a format that is none")
	}
}

// TestDiffFails: what decides is what was asked for.
func TestDiffFails(t *testing.T) {
	before, after := hostilePair(t)
	worse, breaking := DiffOptions{Worse: true}, DiffOptions{Breaking: true}
	tool, gone := surfaced(t, `{"tools": [{"name": "a", "definition": {}}]}`), surfaced(t, `{}`)
	lost := diagnosisReport()
	for _, test := range []struct {
		name          string
		before, after Report
		options       DiffOptions
		want          bool
	}{
		{"worse", before, after, worse, true},
		{"breaking", before, after, breaking, true},
		{"neither is asked for", before, after, DiffOptions{}, false},
		{"nothing changed", before, before, DiffOptions{true, true}, false},
		{"breaking alone", tool, gone, worse, false},
		{"breaking alone, asked for", tool, gone, breaking, true},
		{"an addition", gone, tool, DiffOptions{true, true}, false},
		{"not tested any more", gone, lost, worse, true},
	} {
		if got := Compare(test.before, test.after).Fails(test.options); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	if diff := cmp.Diff("", Compare(tool, gone).Unseen); diff != "" {
		t.Error(diff)
	}
	if Compare(tool, lost).Unseen == "" || Compare(cleanReport(), tool).Unseen == "" {
		t.Error("what was not compared is not told")
	}
}
