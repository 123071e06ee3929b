package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// RenderTAP writes the Test Anything Protocol, version 14: one test point for each cell. A warning is a failure that is still to be done
// ("not ok … # TODO"), which harnesses do not count, unless strict; what was not observed or does not apply is skipped.
func RenderTAP(w io.Writer, r Report, strict bool) error {
	r = escaped(r, Visible)
	var b strings.Builder
	b.WriteString("TAP version 14\n")
	if d := r.Diagnosis; d != nil {
		fmt.Fprintf(&b, "1..1\nBail out! %s\n", tapText(d.Seen+": "+d.Why))
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintf(&b, "1..%d\n", len(r.Results))
	for i, result := range r.Results {
		ok, directive := "ok", ""
		switch {
		case result.Excused != "":
			ok, directive = "not ok", " # TODO excused: "+tapText(result.Excused)
		case result.Verdict == Fail, result.Verdict == Error:
			ok = "not ok"
		case result.Verdict == Warn:
			ok = "not ok"
			if !strict {
				directive = " # TODO a warning: " + result.Level + " is not met"
			}
		case result.Verdict == NotApplicable, result.Verdict == NotObserved:
			directive = " # SKIP " + tapText(result.Message)
		}
		name := result.ID + " " + result.Revision
		if result.Transport == "http-sse" {
			name += " http-sse"
		}
		fmt.Fprintf(&b, "%s %d - %s%s\n", ok, i+1, tapText(name), directive)
		if ok == "not ok" || result.Verdict == Note {
			tapDiagnostic(&b, result)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tapText keeps a description on its line, and from starting a directive.
func tapText(s string) string { return strings.ReplaceAll(oneLine(s), "#", `\#`) }

// tapDiagnostic writes the YAML block below a test point; its values are JSON strings, which are YAML.
func tapDiagnostic(b *strings.Builder, result Result) {
	b.WriteString("  ---\n")
	for _, field := range []struct{ name, value string }{
		{"verdict", string(result.Verdict)}, {"level", result.Level}, {"title", result.Title}, {"message", result.Message},
		{"expected", result.Expected}, {"got", result.Got}, {"spec", result.Spec}, {"remedy", result.Remedy},
	} {
		if field.value != "" {
			value, _ := json.Marshal(field.value) // a string always marshals
			fmt.Fprintf(b, "  %s: %s\n", field.name, value)
		}
	}
	b.WriteString("  ...\n")
}
