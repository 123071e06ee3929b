package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// RenderJSON writes the report as the JSON that Schema names. It is safe to look at in a terminal: control and format characters
// are written as \u escapes. Bytes that are no UTF-8 appear as the text \xNN, since JSON cannot hold them.
func RenderJSON(w io.Writer, r Report) error {
	r = escaped(r, visibleBytes)
	r.Schema = Schema
	encoded, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write JSON report: %w", err)
	}
	_, err = w.Write(append(jsonASCIIControls(encoded), '\n'))
	return err
}

// ReadJSON reads a report that RenderJSON wrote, by this or another version of the tool: members it does not know are skipped.
// What it reads is checked to be a report, not to be true; a renderer treats it as hostile like any other.
func ReadJSON(r io.Reader) (Report, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return Report{}, fmt.Errorf("read JSON report: %w", err)
	}
	var head struct {
		Schema *string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Report{}, fmt.Errorf("not an mcpcheck report: %w", jsonProblem(data, err))
	}
	if head.Schema == nil {
		return Report{}, fmt.Errorf("not an mcpcheck report: no member schema, want %q", Schema)
	}
	if *head.Schema != Schema {
		return Report{}, fmt.Errorf("not a report that this version reads: schema is %q, want %q", *head.Schema, Schema)
	}
	var report Report
	if err := json.Unmarshal(data, &report); err != nil {
		return Report{}, fmt.Errorf("damaged report: %w", jsonProblem(data, err))
	}
	for i, result := range report.Results {
		if !slices.Contains(Verdicts(), result.Verdict) {
			return Report{}, fmt.Errorf("damaged report: results[%d] has the unknown verdict %q", i, result.Verdict)
		}
		if result.ID == "" || result.Revision == "" {
			return Report{}, fmt.Errorf("damaged report: results[%d] has no id or no revision", i)
		}
	}
	if counted := Count(report.Results); counted != report.Summary {
		return Report{}, fmt.Errorf("damaged report: the summary counts %d results, there are %d, or their verdicts differ",
			report.Summary.Total(), counted.Total())
	}
	report.Findings = CountFindings(report.Results) // absent in reports of earlier versions
	return report, nil
}

// jsonProblem adds the line of a syntax error, which encoding/json gives as an offset.
func jsonProblem(data []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	offset := min(int(syntax.Offset), len(data))
	return fmt.Errorf("line %d: %w", bytes.Count(data[:offset], []byte("\n"))+1, err)
}
