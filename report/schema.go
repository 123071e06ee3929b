package report

import (
	_ "embed"
	"slices"
)

//go:embed report.schema.json
var jsonSchema []byte

// JSONSchema is the JSON Schema (2020-12) of what RenderJSON writes. It closes no object: later versions add members.
func JSONSchema() []byte { return slices.Clone(jsonSchema) }
