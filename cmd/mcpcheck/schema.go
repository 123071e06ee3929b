package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/config"
	"github.com/mcpcheck/mcpcheck/report"
)

// schemas are the JSON Schemas of what this program writes and reads, by name.
var schemas = map[string]func() []byte{"report": report.JSONSchema, "fleet": report.FleetJSONSchema, "config": config.JSONSchema, "migration": report.MigrationJSONSchema}

// schema is mcpcheck schema NAME.
func (c *command) schema(args []string) error {
	flags := newFlags("mcpcheck schema")
	help, err := c.parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() != 1 || schemas[flags.Arg(0)] == nil:
		names := strings.Join(slices.Sorted(maps.Keys(schemas)), ", ")
		return usagef("mcpcheck schema report", "schema takes the name of a schema: %s", names)
	}
	return c.print(string(schemas[flags.Arg(0)]()))
}
