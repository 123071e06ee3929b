package report_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/report/reporttest"
)

// TestSchemaHoldsGoldens validates every golden, and that the schema refuses what is no report.
func TestSchemaHoldsGoldens(t *testing.T) {
	goldens, err := filepath.Glob("testdata/*.json")
	if err != nil || len(goldens) < 4 {
		t.Fatalf("%d goldens, %v", len(goldens), err)
	}
	for _, path := range goldens {
		if strings.HasSuffix(path, "fleet.json") || strings.HasSuffix(path, "diff.json") || strings.HasSuffix(path, "migration.json") || strings.HasSuffix(path, "timings.json") {
			continue // has a schema of its own, or is a trace
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := reporttest.Valid(text); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := reporttest.ValidReport(report.Report{}); err != nil {
		t.Errorf("an empty report: %v", err)
	}
	hostile, err := os.ReadFile("testdata/hostile.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name, old, new string
		valid          bool
	}{
		{"a member of a later version", `"tool": {`, `"new": {"a": 1}, "tool": {"new": 2,`, true},
		{"another schema", report.Schema, "mcpcheck.report/v2", false},
		{"an unknown verdict", `"verdict": "warn"`, `"verdict": "great"`, false},
		{"no id", `"id":"session.delete",`, "", false},
		{"a count below zero", `"fail": `, `"fail": -`, false},
		{"no time", `"started": "`, `"started": "on `, false},
		{"null for a list", `"evidence":[]`, `"evidence":null`, false},
		{"a header that is no text", `"Content-Type: application/json",`, `7,`, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			changed := strings.Replace(string(hostile), row.old, row.new, 1)
			if changed == string(hostile) {
				t.Fatal("nothing was changed")
			}
			if err := reporttest.Valid([]byte(changed)); (err == nil) != row.valid {
				t.Errorf("valid %v wanted, got %v", row.valid, err)
			}
		})
	}
}

// TestSchemaKnowsEveryMember holds the schema against the model: a member that is added to one is added to the other, and what the model
// always writes is required.
func TestSchemaKnowsEveryMember(t *testing.T) {
	var root map[string]any
	if err := json.Unmarshal(report.JSONSchema(), &root); err != nil {
		t.Fatal(err)
	}
	compareMembers(t, root, root, reflect.TypeFor[report.Report](), "report")
}

// TestMigrationSchema: the same of the way of a server, and what is written of one that means harm is allowed by it.
func TestMigrationSchema(t *testing.T) {
	var root map[string]any
	if err := json.Unmarshal(report.MigrationJSONSchema(), &root); err != nil {
		t.Fatal(err)
	}
	compareMembers(t, root, root, reflect.TypeFor[report.Migration](), "migration")
	written, err := os.ReadFile("testdata/migration.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := reporttest.ValidBy(report.MigrationJSONSchema(), written); err != nil {
		t.Error(err)
	}
	if err := reporttest.ValidBy(report.MigrationJSONSchema(), []byte(strings.Replace(string(written), `"verdict": "fail"`, `"verdict": "great"`, 1))); err == nil {
		t.Error("an unknown verdict is allowed")
	}
}

func compareMembers(t *testing.T, root, schema map[string]any, model reflect.Type, where string) {
	t.Helper()
	if ref, ok := schema["$ref"].(string); ok {
		schema = root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	switch {
	case model.Kind() == reflect.Pointer:
		compareMembers(t, root, schema, model.Elem(), where)
		return
	case model.Kind() == reflect.Slice:
		items, ok := schema["items"].(map[string]any)
		if !ok {
			t.Errorf("%s: the schema says nothing about items", where)
			return
		}
		compareMembers(t, root, items, model.Elem(), where+"[]")
		return
	case model.Kind() != reflect.Struct || model.PkgPath() == "time":
		return
	}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	known := 0
	for i := range model.NumField() {
		name, options, _ := strings.Cut(model.Field(i).Tag.Get("json"), ",")
		member, ok := properties[name].(map[string]any)
		if !ok {
			t.Errorf("%s.%s is not in the schema", where, name)
			continue
		}
		known++
		if always := !strings.Contains(options, "omitempty"); always != slices.Contains(required, any(name)) {
			t.Errorf("%s.%s: always written %v, the schema disagrees", where, name, always)
		}
		compareMembers(t, root, member, model.Field(i).Type, where+"."+name)
	}
	if known != len(properties) {
		t.Errorf("%s: the schema has %d members, the model %d", where, len(properties), known)
	}
}
