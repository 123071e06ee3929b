package report

import (
	"strings"
	"testing"
)

// TestAskedOnce: a finding that was asked for once, in one revision for all, says so to people, as do the cells of the others.
func TestAskedOnce(t *testing.T) {
	of := func(revision, in string) Result {
		return Result{
			ID: "security.origin-validated", Revision: revision, Transport: "streamable-http", Verdict: Fail, Title: "Origin", Message: "served", AskedIn: in,
			Evidence: []Evidence{{Script: "security/origin", Label: "foreign origin", Request: EvidenceRequest{Method: "POST", URL: "http://x/mcp"}, AskedIn: in}},
		}
	}
	const words = "asked once, in 2025-11-25, for all revisions"
	render := func(verbose int, results ...Result) string {
		var b strings.Builder
		if err := RenderTerminal(&b, Finish(Report{Results: results}), TerminalOptions{Verbose: verbose, Width: 120}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	older, newest := of("2025-06-18", "2025-11-25"), of("2025-11-25", "")
	for _, results := range [][]Result{{older, newest}, {newest, older}, {older}} {
		if got := render(0, results...); strings.Count(got, words) != 1 {
			t.Errorf("want the finding to say once that it was %s:\n%s", words, got)
		}
	}
	if got := render(0, newest); strings.Contains(got, words) {
		t.Errorf("nothing was asked elsewhere:\n%s", got)
	}
	if got := cellReason(older); got != "served ("+words+")" {
		t.Errorf("the cell says %q", got)
	}
	if got := wireText(older.Evidence[0]); !strings.Contains(got, "# "+words) {
		t.Errorf("the wire log does not say it:\n%s", got)
	}
}
