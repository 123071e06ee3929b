package kit

import (
	"encoding/json"
	"slices"
)

const (
	maxFields = 100 // of a form that is filled in
	maxFill   = 1000
	maxDepth  = 3
)

// A Field is what the schema of a form says of a value, as far as filling in wants to know.
type Field struct {
	Type       json.RawMessage            `json:"type"`
	Const      json.RawMessage            `json:"const"`
	Enum       []json.RawMessage          `json:"enum"`
	OneOf      []json.RawMessage          `json:"oneOf"`
	AnyOf      []json.RawMessage          `json:"anyOf"`
	Default    json.RawMessage            `json:"default"`
	Format     string                     `json:"format"`
	MinLength  float64                    `json:"minLength"`
	MaxLength  *float64                   `json:"maxLength"`
	Minimum    *float64                   `json:"minimum"`
	Maximum    *float64                   `json:"maximum"`
	MinItems   float64                    `json:"minItems"`
	Items      json.RawMessage            `json:"items"`
	Properties map[string]json.RawMessage `json:"properties"`
}

// Kind is the type of the field, the first of several that is not null.
func (f Field) Kind() string {
	var one string
	if _ = json.Unmarshal(f.Type, &one); one != "" {
		return one
	}
	var several []string
	_ = json.Unmarshal(f.Type, &several)
	for _, t := range several {
		if t != "null" {
			return t
		}
	}
	if f.Properties != nil {
		return "object"
	}
	return ""
}

// Choices are the values that the field offers, or nothing.
func (f Field) Choices() []json.RawMessage {
	if f.Const != nil {
		return []json.RawMessage{f.Const}
	}
	if len(f.Enum) > 0 {
		return f.Enum
	}
	var all []json.RawMessage
	for _, c := range append(slices.Clone(f.OneOf), f.AnyOf...) {
		var choice Field
		if _ = json.Unmarshal(c, &choice); choice.Const != nil {
			all = append(all, choice.Const)
		}
	}
	return all
}

// Fill makes up a value that fits a schema: the default, the first choice, or the plainest of its type. It is false for what is too
// large or too odd to be filled in; keywords that are not known here (pattern) may make a value that does not fit.
func Fill(schema json.RawMessage) (value any, ok bool) { return fill(schema, 0) }

func fill(schema json.RawMessage, depth int) (value any, ok bool) {
	var f Field
	if depth > maxDepth || json.Unmarshal(schema, &f) != nil || len(f.Properties) > maxFields {
		return nil, false
	}
	kind, choices := f.Kind(), f.Choices()
	switch {
	case len(f.Default) > 0 && string(f.Default) != "null" && kind != "object":
		return f.Default, true
	case len(choices) > 0 && kind != "array":
		return choices[0], true
	}
	switch kind {
	case "object":
		content := map[string]any{}
		for name, property := range f.Properties {
			if content[name], ok = fill(property, depth+1); !ok {
				return nil, false
			}
		}
		return content, true
	case "array":
		return f.fillArray(depth)
	case "string":
		return f.fillString()
	case "boolean":
		return false, true // the more careful answer to whatever is asked
	case "number", "integer":
		switch {
		case f.Minimum != nil:
			return *f.Minimum, true
		case f.Maximum != nil:
			return min(1, *f.Maximum), true
		}
		return 1, true
	}
	for _, alternative := range append(slices.Clone(f.AnyOf), f.OneOf...) {
		if value, ok := fill(alternative, depth+1); ok {
			return value, true
		}
	}
	return nil, false
}

func (f Field) fillArray(depth int) (any, bool) {
	var item Field
	_ = json.Unmarshal(f.Items, &item)
	values := []any{}
	for _, choice := range item.Choices() {
		if len(values) == 0 || float64(len(values)) < f.MinItems {
			values = append(values, choice)
		}
	}
	for float64(len(values)) < f.MinItems {
		value, ok := fill(f.Items, depth+1)
		if !ok || len(values) == maxFields {
			return nil, false
		}
		values = append(values, value)
	}
	return values, true
}

func (f Field) fillString() (any, bool) {
	known := map[string]string{
		"email": "mcpcheck@example.com", "uri": "https://example.com/", "date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z",
	}
	if s, ok := known[f.Format]; ok {
		return s, true
	}
	if f.MinLength > maxFill {
		return nil, false
	}
	s := "mcpcheck"
	for float64(len(s)) < f.MinLength {
		s += "."
	}
	if f.MaxLength != nil && *f.MaxLength >= 0 {
		s = s[:int(min(*f.MaxLength, float64(len(s))))]
	}
	return s, true
}

// Spoil makes up content in which no field has the type that the schema asks for; empty where there is no field to spoil.
func Spoil(schema json.RawMessage) map[string]any {
	var form Field
	content := map[string]any{}
	if json.Unmarshal(schema, &form) != nil || len(form.Properties) > maxFields {
		return content
	}
	for name, property := range form.Properties {
		var f Field
		if json.Unmarshal(property, &f) != nil {
			continue
		}
		switch f.Kind() {
		case "string":
			content[name] = 12345
		case "boolean", "number", "integer", "array":
			content[name] = "mcpcheck"
		}
	}
	return content
}
