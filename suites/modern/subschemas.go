package modern

import (
	"encoding/json"
	"maps"
	"slices"
)

// schemas are keywords below which other schemas stand: one, a list or a map of them. Below default, examples, enum and const there are
// values, however much they look like schemas.
var schemas = []string{
	"items", "prefixItems", "contains", "unevaluatedItems", "additionalItems", "oneOf", "anyOf", "allOf", "not", "if", "then", "else",
	"additionalProperties", "propertyNames", "unevaluatedProperties",
}

// maxSchemaDepth bounds the walk of hostile schemas.
const maxSchemaDepth = 32

// A subschema is one schema inside another, the outermost one included.
type subschema struct {
	members map[string]json.RawMessage
	depth   int
	// reached: from the root through properties alone.
	reached bool
	// path are the names of the properties that lead to it.
	path []string
	// base is what the visit of the schema around it returned.
	base string
}

// walkSchema visits a schema and all that stand in it, from the outermost inwards. What the visit returns is the base of those inside.
func walkSchema(raw json.RawMessage, base string, visit func(subschema) string) {
	descend(raw, subschema{reached: true, base: base}, visit)
}

func descend(raw json.RawMessage, s subschema, visit func(subschema) string) {
	if s.depth > maxSchemaDepth || json.Unmarshal(raw, &s.members) != nil || s.members == nil {
		return
	}
	base := visit(s)
	inner := func(raw json.RawMessage, reached bool, path []string) {
		descend(raw, subschema{depth: s.depth + 1, reached: reached, path: path, base: base}, visit)
	}
	for _, k := range slices.Sorted(maps.Keys(s.members)) {
		switch {
		case k == "properties" || k == "$defs" || k == "definitions" || k == "patternProperties" || k == "dependentSchemas":
			var named map[string]json.RawMessage
			_ = json.Unmarshal(s.members[k], &named)
			for _, name := range slices.Sorted(maps.Keys(named)) {
				inner(named[name], s.reached && k == "properties", append(slices.Clip(s.path), name))
			}
		case slices.Contains(schemas, k):
			var list []json.RawMessage
			if json.Unmarshal(s.members[k], &list) != nil {
				list = []json.RawMessage{s.members[k]}
			}
			for _, element := range list {
				inner(element, false, s.path)
			}
		}
	}
}
