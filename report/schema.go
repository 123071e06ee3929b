package report

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed fleet.schema.json
var fleetSchema string

//go:embed report.schema.json
var jsonSchema []byte

//go:embed migration.schema.json
var migrationSchema []byte

// MigrationJSONSchema is the JSON Schema of what a migration is written as.
func MigrationJSONSchema() []byte { return slices.Clone(migrationSchema) }

// JSONSchema is the JSON Schema (2020-12) of what RenderJSON writes. It closes no object: later versions add members.
func JSONSchema() []byte { return slices.Clone(jsonSchema) }

// FleetJSONSchema is that of what RenderFleetJSON writes; the schema of a report is in it.
func FleetJSONSchema() []byte {
	return []byte(strings.Replace(fleetSchema, `"REPORT"`, strings.ReplaceAll(strings.TrimSpace(string(jsonSchema)), "\n", "\n    "), 1))
}
