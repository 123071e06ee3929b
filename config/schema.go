package config

import (
	"encoding/json"
	"fmt"
)

// JSONSchema is the schema of a configuration (draft-07, which is what editors read), made from the one list of the keys.
func JSONSchema() []byte {
	properties := map[string]any{
		sectionDefaults: map[string]any{
			"description": "What holds for every target that does not say otherwise.",
			"type":        []string{"object", "null"}, "properties": schemas(settingKeys), "additionalProperties": false,
		},
		sectionTargets: map[string]any{
			"description": "The servers.", "type": []string{"array", "null"},
			"items": map[string]any{"oneOf": []any{
				map[string]any{"type": "string", "format": "uri", "pattern": "^https?://"},
				map[string]any{
					"type": "object", "properties": schemas(targetKeys, settingKeys), "required": []string{"url"}, "additionalProperties": false,
				},
			}},
		},
	}
	for name, s := range schemas(runKeys) {
		properties[name] = s
	}
	text, err := json.MarshalIndent(map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": "mcpcheck.yaml", "description": "The configuration of mcpcheck.",
		"type": []string{"object", "null"}, "properties": properties, "additionalProperties": false,
	}, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("config: the schema does not encode: %v", err))
	}
	return append(text, '\n')
}

func schemas(keys ...[]key) map[string]any {
	all := map[string]any{}
	for _, some := range keys {
		for _, k := range some {
			s := k.schema()
			s["description"] = k.help + "."
			if k.words != nil {
				s["enum"] = k.words
			}
			all[k.name] = s
		}
	}
	return all
}

func (k key) schema() map[string]any {
	line := map[string]any{"type": []string{"string", "number"}}
	several := map[string]any{"type": "array", "items": line, "minItems": 1}
	switch k.kind {
	case list:
		return map[string]any{"oneOf": []any{line, several}}
	case truth:
		return map[string]any{"type": "boolean"}
	case number:
		return map[string]any{"type": "integer", "minimum": 0}
	case duration:
		return map[string]any{"type": []string{"string", "number"}, "pattern": `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$|^0$`}
	case headers, outputs:
		return map[string]any{"type": "object", "additionalProperties": line, "minProperties": 1}
	case calls:
		return map[string]any{"oneOf": []any{line, several, map[string]any{
			"type": "object", "additionalProperties": map[string]any{"type": []string{"object", "null"}}, "minProperties": 1,
		}}}
	}
	return map[string]any{"type": "string", "minLength": 1}
}
