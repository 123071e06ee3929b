package kit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/wire"
)

// form is the schema of a form with so many fields, all of one schema.
func form(fields int, schema string) string {
	var all []string
	for i := range fields {
		all = append(all, fmt.Sprintf(`"f%d":%s`, i, schema))
	}
	return `{"type":"object","properties":{` + strings.Join(all, ",") + `}}`
}

// list is an array with an element so often.
func list(times int, element string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(element+",", times), ",") + "]"
}

// TestFill: what is filled in fits the schema, and where that is not known nothing is.
func TestFill(t *testing.T) {
	const no = "no"
	for schema, want := range map[string]string{
		`{"type":"string"}`:                                             `"mcpcheck"`,
		`{"type":["null","string"]}`:                                    `"mcpcheck"`,
		`{"type":["null","boolean","string"]}`:                          `false`,
		`{"type":["null"]}`:                                             no,
		`{"type":""}`:                                                   no,
		`{"type":"video"}`:                                              no,
		`{}`:                                                            no,
		`{"properties":{"a":{"type":"boolean"}}}`:                       `{"a":false}`,
		`{"type":"boolean"}`:                                            `false`,
		`{"type":"number"}`:                                             `1`,
		`{"type":"integer"}`:                                            `1`,
		`{"type":"integer","minimum":5}`:                                `5`,
		`{"type":"integer","minimum":5,"maximum":6}`:                    `5`,
		`{"type":"number","maximum":0.5}`:                               `0.5`,
		`{"type":"number","maximum":7}`:                                 `1`,
		`{"const":5}`:                                                   `5`,
		`{"type":"string","enum":["a","b"]}`:                            `"a"`,
		`{"type":"string","oneOf":[{"const":"a"}]}`:                     `"a"`,
		`{"oneOf":[{"title":"none"},{"const":"b"}]}`:                    `"b"`,
		`{"anyOf":[{"const":"c"}],"oneOf":[{"const":"a"}]}`:             `"a"`,
		`{"type":"string","default":"d"}`:                               `"d"`,
		`{"type":"string","default":"d","enum":["a","d"]}`:              `"d"`,
		`{"type":"string","default":null}`:                              `"mcpcheck"`,
		`{"type":"object","default":{"b":1},"properties":{}}`:           `{}`,
		`{"type":"string","format":"email"}`:                            `"mcpcheck@example.com"`,
		`{"type":"string","format":"unheard-of"}`:                       `"mcpcheck"`,
		`{"type":"string","minLength":8}`:                               `"mcpcheck"`,
		`{"type":"string","minLength":10}`:                              `"mcpcheck.."`,
		`{"type":"string","minLength":1000}`:                            `"mcpcheck` + strings.Repeat(".", 992) + `"`,
		`{"type":"string","minLength":1001}`:                            no,
		`{"type":"string","maxLength":3}`:                               `"mcp"`,
		`{"type":"string","maxLength":9}`:                               `"mcpcheck"`,
		`{"type":"string","maxLength":0}`:                               `""`,
		`{"type":"string","maxLength":-1}`:                              `"mcpcheck"`,
		`{"type":"string","minLength":"many"}`:                          no,
		`{"anyOf":[{},{"type":"boolean"}]}`:                             `false`,
		`{"oneOf":[{"type":"number"}]}`:                                 `1`,
		`{"type":"array","items":{"enum":["a","b","c"]}}`:               `["a"]`,
		`{"type":"array","items":{"enum":["a","b","c"]},"minItems":1}`:  `["a"]`,
		`{"type":"array","items":{"enum":["a","b","c"]},"minItems":2}`:  `["a","b"]`,
		`{"type":"array","items":{"anyOf":[{"const":"a"}]}}`:            `["a"]`,
		`{"type":"array","items":{"type":"string"},"minItems":1}`:       `["mcpcheck"]`,
		`{"type":"array","items":{"type":"string"}}`:                    `[]`,
		`{"type":"array","items":{},"minItems":1}`:                      no,
		`{"type":"array","enum":[["x"]],"items":{"enum":["a"]}}`:        `["a"]`,
		`{"type":"array","items":{"type":"number"},"minItems":100}`:     list(100, "1"),
		`{"type":"array","items":{"type":"number"},"minItems":101}`:     no,
		`{"type":"object","properties":{"a":{"type":"string"},"b":{}}}`: no,
		`5`:                                      no,
		``:                                       no,
		form(101, `{"type":"number"}`):           no,
		form(1, form(1, form(1, `{"const":1}`))): `{"f0":{"f0":{"f0":1}}}`,
		form(1, form(1, form(1, form(1, `{"type":"number"}`)))): no,
	} {
		value, ok := Fill(json.RawMessage(schema))
		got := no
		if ok {
			raw, err := json.Marshal(value)
			if err != nil {
				t.Errorf("%.80s: %v", schema, err)
			}
			got = string(raw)
		}
		if got != want {
			t.Errorf("%.80s is filled in with %.80s, want %.80s", schema, got, want)
		}
	}
	if _, ok := Fill(json.RawMessage(form(100, `{"type":"number"}`))); !ok {
		t.Error("a form of a hundred fields is not filled in")
	}
}

// TestSpoil: what spoils a form has the wrong type in each field whose type is known.
func TestSpoil(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"a":{"type":"string"}}}`:                                    `{"a":12345}`,
		`{"properties":{"a":{"type":"boolean"},"b":{"type":"number"}}}`:             `{"a":"mcpcheck","b":"mcpcheck"}`,
		`{"properties":{"a":{"type":"integer"},"b":{"type":"array"}}}`:              `{"a":"mcpcheck","b":"mcpcheck"}`,
		`{"properties":{"a":{"type":"object"},"b":{"enum":["x"]},"c":null,"d":{}}}`: `{}`,
		`{"properties":{"a":"string","b":{"type":"string"}}}`:                       `{"b":12345}`,
		`{"properties":{"a":{"type":"string","minLength":"many"}}}`:                 `{}`,
		`{"properties":{"a":{"type":"string"}},"minLength":"many"}`:                 `{}`,
		`5`:                            `{}`,
		form(101, `{"type":"string"}`): `{}`,
	} {
		got, err := json.Marshal(Spoil(json.RawMessage(schema)))
		if err != nil || string(got) != want {
			t.Errorf("%.80s is spoilt with %s, want %s (%v)", schema, got, want, err)
		}
	}
	if got := Spoil(json.RawMessage(form(100, `{"type":"string"}`))); len(got) != 100 {
		t.Errorf("of a hundred fields %d are spoilt", len(got))
	}
}

// TestAnswering: a client answers what it declared and nothing else.
func TestAnswering(t *testing.T) {
	const (
		sampled   = `{"content":{"text":"mcpcheck answers in place of a model","type":"text"},"model":"mcpcheck","role":"assistant","stopReason":"endTurn"}`
		asksForm  = `"elicitation/create","params":{"requestedSchema":{"properties":{"a":{"type":"string"}}}}`
		asksOther = `"elicitation/create","params":{"requestedSchema":{"properties":{"a":{"enum":["x"]}}}}`
		filled    = `{"action":"accept","content":{"a":"mcpcheck"}}`
		declined  = `{"action":"decline"}`
		none      = "none"
	)
	use := func(id int, name, input string) string {
		return fmt.Sprintf(`{"id":"mcpcheck-use-%d","input":%s,"name":%q,"type":"tool_use"}`, id, input, name)
	}
	uses := func(all ...string) string {
		return `{"content":[` + strings.Join(all, ",") + `],"model":"mcpcheck","role":"assistant","stopReason":"toolUse"}`
	}
	const (
		toolA = `{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"number"}}}}`
		toolB = `{"name":"b"}`
	)
	type step struct{ asked, answer string }
	for name, row := range map[string]struct {
		forms, urls, tools, spoil bool
		steps                     []step
	}{
		"roots, by one that has declared all": {false, true, false, false, []step{{`"roots/list"`, `{"roots":[]}`}}},
		"roots, by one that has not":          {true, false, false, false, []step{{`"roots/list"`, none}}},
		"another method":                      {true, true, true, false, []step{{`"ping"`, none}}},
		"sampling without tools":              {false, false, true, false, []step{{`"sampling/createMessage"`, sampled}}},
		"sampling with tools, of a client that has none": {false, false, false, false,
			[]step{{`"sampling/createMessage","params":{"tools":[` + toolA + `]}`, sampled}}},
		"sampling with two tools, twice": {false, false, true, false, []step{
			{`"sampling/createMessage","params":{"tools":[` + toolA + `,` + toolB + `,` + toolA + `]}`, uses(use(1, "a", `{"x":1}`), use(2, "b", `{}`))},
			{`"sampling/createMessage","params":{"tools":[` + toolA + `]}`, sampled},
		}},
		"sampling with one tool": {false, false, true, false,
			[]step{{`"sampling/createMessage","params":{"tools":[` + toolB + `],"toolChoice":{"mode":"auto"}}`, uses(use(1, "b", `{}`), use(2, "b", `{}`))}}},
		"sampling with tools that are not to be used": {false, false, true, false,
			[]step{{`"sampling/createMessage","params":{"tools":[` + toolA + `],"toolChoice":{"mode":"none"}}`, sampled}}},
		"a form":                          {true, false, false, false, []step{{asksForm, filled}, {asksForm, filled}}},
		"a form, of a client without":     {false, true, false, false, []step{{asksForm, none}}},
		"a form that cannot be filled in": {true, false, false, false, []step{{`"elicitation/create","params":{"requestedSchema":{}}`, declined}}},
		"a form to be spoilt":             {true, false, false, true, []step{{asksForm, `{"action":"accept","content":{"a":12345}}`}, {asksForm, declined}}},
		"a page":                          {true, true, false, false, []step{{`"elicitation/create","params":{"mode":"url"}`, `{"action":"accept"}`}}},
		"a page, of a client without":     {true, false, false, false, []step{{`"elicitation/create","params":{"mode":"url"}`, "error -32602"}}},
		"another mode":                    {true, true, false, false, []step{{`"elicitation/create","params":{"mode":"video"}`, "error -32602"}}},
		"a mode that is null":             {true, true, false, false, []step{{`"elicitation/create","params":{"mode":null}`, "error -32602"}}},
		"a form by name":                  {true, false, false, false, []step{{`"elicitation/create","params":{"mode":"form","requestedSchema":{"const":1}}`, `{"action":"accept","content":1}`}}},
		"a form without a field to spoil": {true, false, false, true, []step{{asksOther, `{"action":"accept","content":{}}`}}},
	} {
		a := &Answering{Forms: row.forms, URLs: row.urls}
		ids := int64(0)
		if row.tools {
			a.NextID = func() int64 { ids++; return ids }
		}
		a.Begin(row.spoil)
		for _, s := range row.steps {
			answer, ok := a.Answer(wire.ReadMessage([]byte(`{"jsonrpc":"2.0","id":1,"method":` + s.asked + `}`)))
			got := none
			if refusal, is := answer.(*client.RPCError); is {
				got = fmt.Sprintf("error %d", refusal.Code)
			} else if ok {
				raw, err := json.Marshal(answer)
				if err != nil {
					t.Fatal(err)
				}
				got = string(raw)
			}
			if got != s.answer {
				t.Errorf("%s: %s is answered %s, want %s", name, s.asked, got, s.answer)
			}
		}
	}
}

// TestWorthSpoiling: a call is made once more with a spoilt answer where a form in it could be spoilt.
func TestWorthSpoiling(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"properties":{"a":{"type":"string"}}}`: true,
		`{"properties":{"a":{"enum":["x"]}}}`:    false,
		`{"properties":{"a":{}}}`:                false, // and it cannot be filled in
	} {
		a := &Answering{Forms: true}
		if !a.Begin(false) {
			t.Error("the first call is worth while")
		}
		for _, s := range []string{schema, `{"const":1}`} {
			a.Answer(wire.ReadMessage([]byte(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"requestedSchema":` + s + `}}`)))
		}
		if got := a.Begin(true); got != want {
			t.Errorf("%s: %v", schema, got)
		}
		if a.Begin(true) {
			t.Errorf("%s: nothing was asked in the call before", schema)
		}
	}
}
