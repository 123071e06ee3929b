package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestTAPCounts: a harness that counts "not ok" comes to what mcpcheck counts, and to no good end where mcpcheck does not.
func TestTAPCounts(t *testing.T) {
	excused := hostileReport()
	for i := range excused.Results {
		if v := excused.Results[i].Verdict; v == Fail || v == Warn {
			excused.Results[i].Excused = "known # since 1.2 \\"
		}
	}
	unexpected := cleanReport()
	unexpected.Unexpected = []string{"session.delete # SKIP"}
	hostile := hostileReport().Summary
	for _, row := range []struct {
		name           string
		report         Report
		strict         bool
		failed, skip   int
		total, bailing int
	}{
		{"clean", cleanReport(), true, 0, 2, 37, 0},
		{"hostile", hostileReport(), false, hostile.Fail + hostile.Error, 6, hostile.Total(), 0},
		{"strict", hostileReport(), true, hostile.Fail + hostile.Error + hostile.Warn, 6, hostile.Total(), 0},
		{"excused", excused, true, hostile.Error, 6 + hostile.Fail + hostile.Warn, hostile.Total(), 0},
		{"an excuse that is not needed any more", unexpected, false, 1, 2, 38, 0},
		{"interrupted", interruptedReport(), false, 0, 0, 20, 1},
		{"not tested", diagnosisReport(), false, 0, 0, 0, 1},
		{"empty", Finish(Report{}), false, 0, 0, 0, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := rendered(t, "tap", row.report, Options{JUnit: JUnitOptions{Strict: row.strict}})
			count := func(pattern string) int { return len(regexp.MustCompile(`(?m)`+pattern).FindAllString(text, -1)) }
			got := [4]int{count(`^not ok \d`), count(`^ok \d.*[^\\]# SKIP`), count(`^(not )?ok \d`), count(`^Bail out!`)}
			if want := [4]int{row.failed, row.skip, row.total, row.bailing}; got != want {
				t.Errorf("failed, skipped, points, bail outs: %v, want %v\n%s", got, want, text)
			}
			if planned := strings.Contains(text, fmt.Sprintf("\n1..%d\n", row.total)); planned != (row.total > 0) {
				t.Errorf("planned: %v", planned)
			}
		})
	}
}
