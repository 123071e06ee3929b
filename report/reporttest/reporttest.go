// Package reporttest holds JSON reports against their published schema, for tests: whatever writes a report in a test passes it through
// here. Nothing but tests imports it.
package reporttest

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpcheck/mcpcheck/report"
)

var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) { return compile(report.JSONSchema()) })

func compile(schema []byte) (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("read the schema of reports: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(report.Schema, document); err != nil {
		return nil, fmt.Errorf("read the schema of reports: %w", err)
	}
	return compiler.Compile(report.Schema)
}

// Valid is nil for a JSON report that its schema allows, and otherwise says what is wrong where.
func Valid(written []byte) error {
	schema, err := compiled()
	if err != nil {
		return err
	}
	return valid(schema, written)
}

// ValidBy is Valid of what another schema describes.
func ValidBy(schema, written []byte) error {
	s, err := compile(schema)
	if err != nil {
		return err
	}
	return valid(s, written)
}

func valid(schema *jsonschema.Schema, written []byte) error {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(written))
	if err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	return schema.Validate(document)
}

// ValidReport is Valid of what RenderJSON writes of r, with all evidence and with that of findings only.
func ValidReport(r report.Report) error {
	for _, all := range []bool{false, true} {
		var b bytes.Buffer
		if err := report.RenderJSON(&b, r, report.JSONOptions{AllEvidence: all}); err != nil {
			return err
		}
		if err := Valid(b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
