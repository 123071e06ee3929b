package report

import (
	"strings"
	"testing"
)

// TestChecklistTellsTheRest: a finding that no line is about is told behind them, so that nobody wonders why a run is not conformant.
func TestChecklistTellsTheRest(t *testing.T) {
	items := []ChecklistItem{{Text: "ping is answered", IDs: []string{"utilities.ping.answered"}}}
	result := func(id string, v Verdict) Result {
		return Result{ID: id, Title: "the title of " + id, Revision: "2025-11-25", Verdict: v, Level: "MUST", Message: "what came of " + id}
	}
	excused := result("session.excused", Fail)
	excused.Excused = "known"
	r := Finish(Report{Results: []Result{
		result("utilities.ping.answered", Pass), result("sse.broken", Fail), result("sse.odd", Warn), result("sse.noted", Note), excused,
	}})
	var out strings.Builder
	if err := RenderChecklist(&out, r, TerminalOptions{Checklist: items, Width: 100}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"ok            ping is answered": 1, "broken        the title of sse.broken": 1, "what came of sse.broken (sse.broken, 2025-11-25)": 1,
		"the title of sse.odd": 1, "sse.noted": 0, "session.excused": 0, "utilities.ping.answered,": 0,
	} {
		if n := strings.Count(out.String(), text); n != want {
			t.Errorf("%q stands there %d times, want %d:\n%s", text, n, want, out.String())
		}
	}
}
