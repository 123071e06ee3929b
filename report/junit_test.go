package report

import (
	"encoding/xml"
	"strings"
	"testing"
)

// TestJUnitNamesAreUnique: GitLab drops all but the first of two cases with the same class and name, in all files of a job together.
func TestJUnitNamesAreUnique(t *testing.T) {
	seen := map[[2]string]string{}
	for _, target := range []string{
		"http://127.0.0.1:8931/mcp", "http://127.0.0.1:8932/mcp", "https://127.0.0.1:8931/mcp", "http://127.0.0.1:8931/mcp/",
		"http://127.0.0.1:8931/mcp?tenant=a", "http://host/\"quoted\" and\nbroken/mcp", "",
	} {
		for name, r := range map[string]Report{"hostile": hostileReport(), "diagnosis": diagnosisReport()} {
			r.Target.URL = target
			r.Unexpected = []string{"session.delete", name}
			text := rendered(t, "junit", r, Options{})
			var suites junitSuites
			if err := xml.Unmarshal([]byte(text), &suites); err != nil {
				t.Fatal(err)
			}
			cases := 0
			for _, suite := range suites.Suites {
				for _, c := range suite.Cases {
					cases++
					key := [2]string{c.Class, c.Name}
					if was, ok := seen[key]; ok && !strings.HasSuffix(c.Class, ".baseline") {
						t.Errorf("%q of %q is one of %s, too", key, target, was)
					}
					seen[key] = target + " " + name
					if strings.ContainsAny(c.Class+c.Name, "\n\t") {
						t.Errorf("%q has white space", key)
					}
				}
			}
			if cases != suites.Tests || cases == 0 {
				t.Errorf("%d cases, %d counted", cases, suites.Tests)
			}
		}
	}
}

func TestJUnitTimes(t *testing.T) {
	for _, row := range []struct {
		name   string
		report Report
		suite  string
	}{
		{"one suite", cleanReport(), "0.840"},
		{"not tested", diagnosisReport(), "0.120"},
		{"suites recorded at the same time", hostileReport(), "0.000"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var suites junitSuites
			if err := xml.Unmarshal([]byte(rendered(t, "junit", row.report, Options{})), &suites); err != nil {
				t.Fatal(err)
			}
			if suites.Time != seconds(row.report.DurationMS) || suites.Suites[0].Time != row.suite {
				t.Errorf("%s in all, the first suite %s", suites.Time, suites.Suites[0].Time)
			}
		})
	}
}
