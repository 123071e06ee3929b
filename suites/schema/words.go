package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// absent is Got for a member that is not there.
const absent = "absent"

// maxWords bounds, in runes, what of the server's own text goes into a phrase.
const maxWords = 60

// describe says in a few words what a value is.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return quote(v)
	case json.Number:
		return cut(v.String())
	case []any:
		if len(v) == 0 {
			return "an empty array"
		}
		return "an array"
	case map[string]any:
		if len(v) == 0 {
			return "an empty object"
		}
		return "an object"
	}
	return fmt.Sprint(v)
}

func quote(s string) string { return `"` + cut(s) + `"` }

func cut(s string) string {
	n := 0
	for i := range s {
		if n++; n > maxWords {
			return s[:i] + "…"
		}
	}
	return s
}

func typePhrase(name string) string {
	switch name {
	case "object", "array", "integer":
		return "an " + name
	case "null":
		return name
	}
	return "a " + name
}

func typesPhrase(names []string) string {
	var phrases []string
	for _, n := range []string{"string", "integer", "number", "boolean", "object", "array", "null"} {
		if slices.Contains(names, n) {
			phrases = append(phrases, typePhrase(n))
		}
	}
	return strings.Join(phrases, " or ")
}

// valuesPhrase lists values; beyond a dozen it only counts.
func valuesPhrase(values []any) string {
	if len(values) == 1 {
		return describe(values[0])
	}
	var phrases []string
	for i, v := range values {
		if i == 12 {
			phrases = append(phrases, fmt.Sprintf("%d more", len(values)-i))
			break
		}
		phrases = append(phrases, describe(v))
	}
	return "one of " + strings.Join(phrases, ", ")
}

// want says what a rule wanted.
func want(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return typesPhrase(k.Want)
	case *kind.Const:
		return describe(k.Want)
	case *kind.Enum:
		return valuesPhrase(k.Want)
	case *kind.Minimum:
		return "a number of at least " + number(k.Want)
	case *kind.Maximum:
		return "a number of at most " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return "a number above " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return "a number below " + number(k.Want)
	case *kind.MultipleOf:
		return "a multiple of " + number(k.Want)
	case *kind.MinLength:
		return fmt.Sprintf("a string of at least %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("a string of at most %d characters", k.Want)
	case *kind.Pattern:
		return "a string that matches " + quote(k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("an array of at least %d", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("an array of at most %d", k.Want)
	case *kind.AdditionalItems:
		return fmt.Sprintf("an array without its last %d", k.Count)
	case *kind.UniqueItems:
		return "an array without duplicates"
	case *kind.Contains, *kind.MinContains, *kind.MaxContains:
		return "an array with the right number of the elements that its schema names"
	case *kind.MinProperties:
		return fmt.Sprintf("an object of at least %d members", k.Want)
	case *kind.MaxProperties:
		return fmt.Sprintf("an object of at most %d members", k.Want)
	case *kind.Not:
		return "something that the schema under not does not fit"
	case *kind.OneOf:
		return fmt.Sprintf("something that fits only one of the schemas under oneOf (here %d and %d do)", k.Subschemas[0], k.Subschemas[1])
	case *kind.FalseSchema:
		return "nothing"
	}
	return "something else (" + strings.Join(k.KeywordPath(), "/") + ")"
}

// phraseOf says in a phrase what a schema of ours asks for.
func phraseOf(document, s any, depth int) string {
	m, ok := s.(map[string]any)
	if !ok || depth > 5 {
		return "a value"
	}
	if ref, ok := m["$ref"].(string); ok {
		if target, ok := lookup(document, schemaPointer(ref)); ok {
			return phraseOf(document, target, depth+1)
		}
	}
	if values, ok := m["enum"].([]any); ok {
		return valuesPhrase(values)
	}
	if branches, ok := m["anyOf"].([]any); ok && m["type"] == nil {
		var phrases []string
		for _, b := range branches {
			if p := phraseOf(document, b, depth+1); len(phrases) == 0 || phrases[len(phrases)-1] != p {
				phrases = append(phrases, p)
			}
		}
		return strings.Join(phrases, " or ")
	}
	switch types := m["type"].(type) {
	case string:
		return typePhrase(types)
	case []any:
		var names []string
		for _, t := range types {
			names = append(names, fmt.Sprint(t))
		}
		return typesPhrase(names)
	}
	return "a value"
}
