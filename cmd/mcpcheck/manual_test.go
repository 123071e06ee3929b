package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestManualPage: mandoc finds nothing to complain of, and groff shows what the usage texts say.
func TestManualPage(t *testing.T) {
	page := manualPage(build{version: "v1.2.3", date: "2026-11-01T12:00:00Z"})
	if want := ".TH MCPCHECK 1 \"2026-11-01\" \"mcpcheck v1.2.3\"\n"; !strings.HasPrefix(page, want) {
		t.Errorf("the page does not begin with %q", want)
	}
	for _, reader := range [][]string{{"mandoc", "-T", "lint", "-W", "style"}, {"groff", "-man", "-ww", "-z", "-Tutf8"}} {
		t.Run(reader[0], func(t *testing.T) {
			if _, err := exec.LookPath(reader[0]); err != nil {
				t.Skipf("%s is not installed here", reader[0])
			}
			cmd := exec.Command(reader[0], reader[1:]...)
			cmd.Stdin = strings.NewReader(page)
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%s: %v\n%s", reader[0], err, out)
			}
		})
	}
}

// TestSections: what is read out of a usage text.
func TestSections(t *testing.T) {
	const text = `It does
one thing.

Usage:
  mcpcheck x [flags]

Examples:
  mcpcheck x  --long   # two spaces stay

More of it.

Flags:
  -o, --output FORMAT  write it
      --write-baseline FILE
                       write that; and
                       more
`
	want := []section{
		{"", []item{{"", "It does one thing."}}},
		{"Usage", []item{{"mcpcheck x [flags]", ""}}},
		{"Examples", []item{{"mcpcheck x  --long   # two spaces stay", ""}}},
		{"", []item{{"", "More of it."}}},
		{"Flags", []item{{"-o, --output FORMAT", "write it"}, {"--write-baseline FILE", "write that; and more"}}},
	}
	if diff := cmp.Diff(want, sections(text), cmp.AllowUnexported(section{}, item{})); diff != "" {
		t.Error(diff)
	}
	if got := brief(want, "--write-baseline"); got != "write that" {
		t.Errorf("brief says %q", got)
	}
}

// TestRoff: nothing in a text becomes a command or a typographic sign.
func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		"--color 'a'":   `\-\-color \(aqa\(aq`,
		".TH is no `x`": `\&.TH is no \(gax\(ga`,
		`a\b ~^"`:       `a\eb \(ti\(ha\(dq`,
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, want %q", text, got, want)
		}
	}
}
