package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// RenderTAP writes the Test Anything Protocol, version 13, which is the newest that Perl's prove reads: one test point for each cell. What
// does not count is not "not ok": a warning is so with strict only, and its description says what it is; what was excused, was not
// observed or does not apply is skipped. A run that did not come to its end, or judged nothing, bails out, so that it does not pass.
func RenderTAP(w io.Writer, r Report, strict bool) error {
	r = escaped(r, Visible)
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 13\n# %s %s, %s\n", oneLine(r.Tool.Name), oneLine(r.Tool.Version), oneLine(r.Target.Place()))
	if n := len(r.Results) + len(r.Unexpected); n > 0 {
		fmt.Fprintf(&b, "1..%d\n", n)
	}
	n := 0
	point := func(ok, description, directive string) {
		n++
		fmt.Fprintf(&b, "%s %d - %s%s\n", ok, n, tapText(description), directive)
	}
	tapPoints(&b, r, strict, point)
	if _, reason := r.unfinished(); reason != "" {
		fmt.Fprintf(&b, "Bail out! %s\n", oneLine(reason))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tapPoints writes a point for each cell of a run, and for each entry of its baseline that has to go.
func tapPoints(b *strings.Builder, r Report, strict bool, point func(ok, description, directive string)) {
	for _, result := range r.Results {
		ok, directive := "ok", ""
		name := result.ID + " " + result.Revision
		if result.Transport == "http-sse" {
			name += " http-sse"
		}
		switch {
		case result.Excused != "":
			directive = " # SKIP " + oneLine(string(result.Verdict)+", excused by the baseline: "+result.Excused)
		case result.Verdict == Fail, result.Verdict == Error, result.Verdict == Warn && strict:
			ok = "not ok"
		case result.Verdict == NotApplicable, result.Verdict == NotObserved:
			directive = " # SKIP " + oneLine(result.Verdict.word()+": "+cellReason(result))
		}
		if result.Verdict == Warn || result.Verdict == Note || result.Verdict == Error {
			name += " (" + result.Verdict.word() + ")"
		}
		point(ok, name, directive)
		if verdictRank(result.Verdict) <= verdictRank(Note) {
			tapDiagnostic(b, result)
		}
	}
	for _, entry := range r.Unexpected {
		point("not ok", "baseline: "+entry+" is met now; take it out", "")
	}
}

// tapText keeps a description on its line, and from starting a directive or escaping what follows.
func tapText(s string) string { return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(oneLine(s)) }

// tapDiagnostic writes the YAML block below a test point; its values are JSON strings, which are YAML.
func tapDiagnostic(b *strings.Builder, result Result) {
	b.WriteString("  ---\n")
	for _, field := range []struct{ name, value string }{
		{"verdict", string(result.Verdict)}, {"level", result.Level}, {"title", result.Title}, {"message", result.Message},
		{"expected", result.Expected}, {"got", result.Got}, {"spec", result.Spec}, {"remedy", result.Remedy},
	} {
		if field.value != "" {
			fmt.Fprintf(b, "  %s: %s\n", field.name, tapString(field.value))
		}
	}
	b.WriteString("  ...\n")
}

// tapString writes a string in the double quotes of YAML, with the escapes of JSON.
func tapString(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
