package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGoldens renders each report in each format. Goldens are read by people: look at a changed one before you commit it.
func TestGoldens(t *testing.T) {
	reports := []struct {
		name   string
		report Report
	}{
		{"hostile", hostileReport()}, {"clean", cleanReport()}, {"interrupted", interruptedReport()}, {"diagnosis", diagnosisReport()},
	}
	variants := []struct {
		suffix, format string
		options        Options
	}{
		{"80.txt", "text", Options{}},
		{"120.v.txt", "text", Options{Terminal: TerminalOptions{Width: 120, Verbose: 1}}},
		{"80.vv.txt", "text", Options{Terminal: TerminalOptions{Width: 80, Verbose: 2}}},
		{"colour.txt", "text", Options{Terminal: TerminalOptions{Color: true}}},
		{"quiet.txt", "text", Options{Terminal: TerminalOptions{Quiet: true}}},
		{"json", "json", Options{}},
		{"junit.xml", "junit", Options{}},
		{"strict.junit.xml", "junit", Options{JUnit: JUnitOptions{Strict: true}}},
		{"md", "markdown", Options{}},
		{"sarif", "sarif", Options{}},
		{"github.txt", "github", Options{}},
		{"tap", "tap", Options{}},
		{"strict.tap", "tap", Options{JUnit: JUnitOptions{Strict: true}}},
		{"svg", "badge", Options{}},
		{"html", "html", Options{}},
	}
	for _, r := range reports {
		for _, v := range variants {
			name := r.name + "." + v.suffix
			t.Run(name, func(t *testing.T) {
				got := rendered(t, v.format, r.report, v.options)
				if again := rendered(t, v.format, r.report, v.options); got != again {
					t.Error("two renderings differ")
				}
				golden(t, name, got)
			})
		}
	}
}

func rendered(t *testing.T, format string, r Report, o Options) string {
	t.Helper()
	f, ok := FormatByName(format)
	if !ok {
		t.Fatalf("no format %s", format)
	}
	var out bytes.Buffer
	if err := f.Render(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test ./report -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs from its golden (-want +got; go test ./report -update rewrites it):\n%s", name, diff)
	}
}
