package main

import "github.com/mcpcheck/mcpcheck/report"

// schema is mcpcheck schema NAME: the JSON Schema of what this program writes.
func (c *command) schema(args []string) error {
	flags := newFlags("mcpcheck schema")
	help, err := parse(flags, args)
	switch {
	case err != nil:
		return err
	case help:
		return c.print(usage(flags.Name()))
	case flags.NArg() != 1 || flags.Arg(0) != "report":
		return usagef("mcpcheck schema report", "schema takes the name of a schema, and there is one: report")
	}
	return c.print(string(report.JSONSchema()))
}
