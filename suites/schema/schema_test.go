package schema

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files")

// TestPhrases holds the sentences that people read.
func TestPhrases(t *testing.T) {
	var b strings.Builder
	for _, row := range []struct{ revision, kind, method, raw string }{
		{"2025-11-25", "result", "tools/list", `{}`},
		{"2025-11-25", "result", "tools/list", `{"tools":[{"name":5,"inputSchema":null},{"description":"x"}]}`},
		{"2025-11-25", "result", "tools/list", `{"tools":[{"name":"a","inputSchema":{"type":"string","properties":{"a":true}},"annotations":{"readOnlyHint":"yes"}}]}`},
		{"2025-06-18", "result", "tools/call", `{"content":[{"type":"text"},{"type":"txt"},{"text":"x"},"x",{"type":"image","data":5}]}`},
		{"2025-03-26", "result", "tools/call", `{"content":[{"type":"resource_link","uri":"a:b","name":"n"}]}`},
		{"2025-11-25", "result", "tools/call", `{"task":{"taskId":"t","status":"gone"}}`},
		{"2025-11-25", "result", "tools/call", `[]`},
		{"2025-11-25", "result", "resources/read", `{"contents":[{"uri":"a:b"},{"uri":"a:b","blob":5}]}`},
		{"2025-11-25", "result", "prompts/get", `{"messages":[{"role":"system","content":[]}]}`},
		{"2025-11-25", "result", "resources/list", `{"resources":[{"uri":"a:b","name":"n","size":1.5,"annotations":{"priority":2}}]}`},
		{"2025-11-25", "notification", "notifications/progress", ``},
		{"2025-11-25", "notification", "notifications/progress", `{"progressToken":null}`},
		{"2025-11-25", "request", "sampling/createMessage", `{"maxTokens":1,"messages":[{"role":"user","content":"x"}]}`},
		{"2025-11-25", "request", "elicitation/create", `{"mode":"url","message":"m"}`},
		{"2025-11-25", "request", "elicitation/create", `{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","format":"phone"},"b":{"type":"object"},"c":{"type":"array","items":{}}}}}`},
		{"2025-06-18", "error", "", `{"jsonrpc":"2.0","error":{"code":"x"}}`},
		{"2025-11-25", "error", "", `{"jsonrpc":"2.0","id":null,"error":{"code":-32042,"message":"m"}}`},
		{"2025-11-25", "check", "", `{"type":"strnig","properties":{"a":5,"b":{"minLength":-1}},"required":"a"}`},
		{"2025-06-18", "check", "", `{"type":"object","properties":{"a":{"enum":"x"}}}`},
		{"", "validate", `{"type":"object","properties":{"a":{"type":"integer","minimum":3},"b":{"pattern":"^x"}},"required":["c"],"additionalProperties":false}`,
			`{"a":1,"b":"y","d":null}`},
		{"", "validate", `{"oneOf":[{"type":"string"},{"type":"number"}]}`, `true`},
	} {
		var raw json.RawMessage
		if row.raw != "" {
			raw = json.RawMessage(row.raw)
		}
		var found []Violation
		var err error
		set, _ := For(row.revision)
		switch row.kind {
		case "result":
			found, _ = set.Result(row.method, raw)
		case "notification":
			found, _ = set.Notification(row.method, raw)
		case "request":
			found, _ = set.Request(row.method, raw)
		case "error":
			found = set.Error(raw)
		case "check":
			found, err = CheckSchema(raw, row.revision)
		case "validate":
			found, err = Validate(json.RawMessage(row.method), raw)
		}
		fmt.Fprintf(&b, "# %s %s %s %s\n", row.revision, row.kind, row.method, row.raw)
		for _, v := range found {
			fmt.Fprintln(&b, v)
		}
		if err != nil {
			fmt.Fprintln(&b, "error:", err)
		}
	}
	const golden = "testdata/phrases.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, _ := os.ReadFile(golden); string(want) != b.String() {
		t.Errorf("run with -update and read the difference; got\n%s", b.String())
	}
}

func TestUnknown(t *testing.T) {
	if _, err := For("2020-01-01"); err == nil {
		t.Error("a Set for a revision that does not exist")
	}
	set, err := For("2024-11-05")
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := set.Result("tasks/list", json.RawMessage(`5`)); ok || v != nil {
		t.Errorf("tasks/list in 2024-11-05: %v %v", v, ok)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { set.Result("tools/list", json.RawMessage(`{"tools":[{}]}`)) })
	}
	wg.Wait()
}

func TestCheckSchema(t *testing.T) {
	const tuple = `{"type":"object","properties":{"a":{"items":[{}]}}}` // draft-07 only
	for _, row := range []struct {
		name, schema, revision string
		bad                    bool
		err                    error
	}{
		{"2020-12 by default", tuple, "2025-11-25", true, nil},
		{"any dialect before", tuple, "2025-06-18", false, nil},
		{"draft-07 declared", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"items":[{}]}}}`, "2025-11-25", false, nil},
		{"unknown dialect", `{"$schema":"https://example.org/mine"}`, "2025-11-25", false, ErrDialect},
		{"lookahead", `{"pattern":"(?!x)y"}`, "2025-06-18", false, nil},
		{"lookahead in draft-07", `{"$schema":"http://json-schema.org/draft-07/schema","items":{"pattern":"(?!x)y"}}`, "2025-06-18", false, nil},
		{"odd reference", `{"$schema":"http://json-schema.org/draft-07/schema","$ref":"#/definitions/A<B>"}`, "2025-06-18", false, nil},
		{"not a schema", `[]`, "2025-11-25", true, nil},
		{"huge number", `{"minLength":1e999999999}`, "2025-11-25", false, nil},
		{"too deep", strings.Repeat(`{"not":`, 200) + `{}` + strings.Repeat(`}`, 200), "2025-11-25", false, ErrTooLarge},
	} {
		t.Run(row.name, func(t *testing.T) {
			found, err := CheckSchema(json.RawMessage(row.schema), row.revision)
			if !errors.Is(err, row.err) || (len(found) > 0) != row.bad {
				t.Errorf("got %v, %v", found, err)
			}
		})
	}
	if v, ok := ObjectRoot(json.RawMessage(`{"type":["object"]}`)); ok || v.Got != "an array" {
		t.Errorf("type [object]: %v %v", v, ok)
	}
	if _, ok := ObjectRoot(json.RawMessage(`{"type":"object"}`)); !ok {
		t.Error("type object is refused")
	}
}

func doubling() string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/a0","$defs":{`)
	for i := range 40 {
		fmt.Fprintf(&b, `"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	return b.String() + `"a40":{"type":"string"}}}`
}

// TestHostile holds schemas that would hang, fetch or crash. What would take for ever is refused by the work that it asks for, so that no
// clock is looked at: the rest is linear, and whatever is not hangs until go test gives up.
func TestHostile(t *testing.T) {
	var wide strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&wide, `"p%d":{"$ref":"#/x/%d"},`, i, i)
	}
	for _, row := range []struct {
		name, schema, value string
		err                 error
	}{
		{"remote reference", `{"$ref":"https://example.org/x.json"}`, `1`, ErrRemoteRef},
		{"file", `{"$ref":"file:///etc/passwd"}`, `1`, ErrRemoteRef},
		{"relative reference", `{"$ref":"other.json"}`, `1`, ErrRemoteRef},
		{"remote id", `{"$id":"https://example.org/x","$ref":"y"}`, `1`, ErrRemoteRef},
		{"dangling reference", `{"$ref":"#/$defs/x"}`, `1`, ErrInvalidSchema},
		{"loop", `{"$ref":"#"}`, `1`, ErrInvalidSchema},
		{"doubling", doubling(), `1`, ErrTooLarge},
		{"lookahead", `{"pattern":"(?=x)"}`, `"x"`, ErrPattern},
		{"pathological pattern", `{"pattern":"^(a+)+$"}`, `"` + strings.Repeat("a", 100000) + `!"`, nil},
		{"expensive pattern", `{"pattern":"(((a{10}){10}){10}b)"}`, `"` + strings.Repeat("a", 1000000) + `"`, ErrTooLarge},
		{"huge minimum", `{"minimum":1e999999999}`, `1`, ErrTooLarge},
		{"huge value", `{"minimum":1}`, `1e999999999`, ErrTooLarge},
		{"anyOf by items", `{"items":{"anyOf":[` + strings.Repeat(`{"type":"string"},`, 3000) + `{}]}}`, `[` + strings.Repeat("1,", 100000) + `1]`, ErrTooLarge},
		{"references to nowhere", `{"properties":{` + wide.String() + `"a":{}},"x":[` + strings.Repeat("{},", 3000) + `{}]}`, `{}`, nil},
		{"draft-04 bound", `{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `2`, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := Validate(json.RawMessage(row.schema), json.RawMessage(row.value))
			if !errors.Is(err, row.err) {
				t.Errorf("got %v, want %v", err, row.err)
			}
		})
	}
}

func FuzzValidate(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`, `{"a":{}}`)
	f.Add(`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"enum":[1e5]}],"uniqueItems":true}`, `[1,2,3]`)
	f.Add(`{"anyOf":[{"pattern":"a"},{"multipleOf":0.1}],"unevaluatedProperties":false}`, `{"x":1}`)
	f.Add(doubling(), `1`)
	f.Fuzz(func(t *testing.T, schema, value string) {
		start := time.Now()
		Validate(json.RawMessage(schema), json.RawMessage(value))
		for _, revision := range []string{"2025-06-18", "2025-11-25"} {
			CheckSchema(json.RawMessage(schema), revision)
			set, _ := For(revision)
			set.Result("tools/call", json.RawMessage(value))
		}
		// A fuzzer does not notice a hang by itself. Nothing that it makes up asks for a tenth of this.
		if d := time.Since(start); d > time.Minute {
			t.Errorf("took %v", d)
		}
	})
}
