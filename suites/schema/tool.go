package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ErrDialect is the error for a schema whose $schema names a dialect that is not known here: nothing can be said of it.
var ErrDialect = errors.New("unknown dialect")

// A dialect is a version of JSON Schema.
type dialect struct {
	name, url string
	draft     *jsonschema.Draft
}

// dialects are the known ones, the default of 2025-11-25 first.
var dialects = []dialect{
	{"JSON Schema 2020-12", "https://json-schema.org/draft/2020-12/schema", jsonschema.Draft2020},
	{"JSON Schema draft-07", "http://json-schema.org/draft-07/schema", jsonschema.Draft7},
	{"JSON Schema 2019-09", "https://json-schema.org/draft/2019-09/schema", jsonschema.Draft2019},
	{"JSON Schema draft-06", "http://json-schema.org/draft-06/schema", jsonschema.Draft6},
	{"JSON Schema draft-04", "http://json-schema.org/draft-04/schema", jsonschema.Draft4},
}

// declared returns the dialect that $schema names. It is nil without error where nothing is declared.
func declared(schema any) (*dialect, error) {
	m, _ := schema.(map[string]any)
	raw, ok := m["$schema"]
	if !ok {
		return nil, nil
	}
	name, ok := raw.(string)
	if !ok {
		return nil, nil // what the meta-schema says of it
	}
	plain := func(url string) string {
		_, rest, _ := strings.Cut(strings.TrimSuffix(url, "#"), "://")
		return rest
	}
	for i := range dialects {
		if plain(name) == plain(dialects[i].url) {
			return &dialects[i], nil
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrDialect, quote(name))
}

// metas are the compiled meta-schemas by URL.
var metas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	all := map[string]*jsonschema.Schema{}
	for _, d := range dialects {
		compiler := jsonschema.NewCompiler()
		compiler.UseLoader(refuse{})
		compiled, err := compiler.Compile(d.url)
		if err != nil {
			return nil, fmt.Errorf("schema: %s: %w", d.url, err)
		}
		all[d.url] = compiled
	}
	return all, nil
})

// CheckSchema judges a tool's inputSchema or outputSchema by its meta-schema: the one that $schema names, else the default of the
// revision: 2020-12 from 2025-11-25 on; before, where no default is written down, any known dialect may accept it. That patterns
// are regular expressions and references well-formed is not judged. The error is ErrDialect, ErrTooLarge or what was no JSON:
// then nothing is known. See ObjectRoot for the type at the root.
func CheckSchema(raw json.RawMessage, spoken string) (violations []Violation, err error) {
	defer recovered(&violations, &err)
	bounded := schemaLimits
	bounded.clamp = true
	value, err := decode(raw, bounded)
	if err != nil {
		return nil, err
	}
	d, err := declared(value)
	if err != nil {
		return nil, err
	}
	compiled, err := metas()
	if err != nil {
		return nil, err
	}
	candidates := dialects
	switch {
	case d != nil:
		candidates = []dialect{*d}
	case revision.Since(spoken, "2025-11-25"):
		candidates = dialects[:1]
	}
	for i, c := range candidates {
		e := explainer{root: value, definition: func([]string) string { return c.name }}
		found := e.explain(compiled[c.url].Validate(value))
		if len(found) == 0 {
			return nil, nil
		}
		if i == 0 {
			violations = found
		}
	}
	return violations, nil
}

// ObjectRoot tells whether a tool's schema has type "object" at its root, which every revision demands; else what it has instead.
func ObjectRoot(raw json.RawMessage) (Violation, bool) {
	v := Violation{Path: "/type", Want: `"object"`, Got: absent, Definition: "Tool"}
	value, err := decode(raw, lenient)
	if err != nil {
		return Violation{Want: "an object", Got: "no JSON", Definition: "Tool"}, false
	}
	m, ok := value.(map[string]any)
	if !ok {
		return Violation{Want: "an object", Got: describe(value), Definition: "Tool"}, false
	}
	if t, ok := m["type"]; ok {
		if t == "object" {
			return Violation{}, true
		}
		v.Got = describe(t)
	}
	return v, false
}

// recovered turns a panic of the library on somebody's schema into an error: that is no violation.
func recovered(violations *[]Violation, err *error) {
	if p := recover(); p != nil {
		*violations, *err = nil, fmt.Errorf("the schema cannot be judged: %v", p)
	}
}
