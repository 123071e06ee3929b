package mcpchecktest_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcpcheck/mcpcheck/mcpchecktest"
	"github.com/mcpcheck/mcpcheck/report/reporttest"
)

type counter = atomic.Int64

// TestRun: what an author's go test -v says.
func TestRun(t *testing.T) {
	const known = "- id: session.terminated-404\n  reason: next year\n"
	for _, test := range []struct {
		author string
		fails  bool
		has    []string // patterns of lines
		hasNot []string
	}{
		{"conforming", false, []string{
			`--- PASS: TestAuthor/session\.terminated-404 `, `--- PASS: TestAuthor/session\.missing-400 `, `--- SKIP: TestAuthor/session\.`, `^outcome partial`, `PARTIAL .*/mcp`,
		}, []string{`--- FAIL`}},
		{"elsewhere", false, []string{`--- PASS: TestAuthor/session\.terminated-404 `}, []string{`--- FAIL`}},
		{"function", false, []string{`--- PASS: TestAuthor/session\.terminated-404 `}, []string{`--- FAIL`}},
		{"url", false, []string{`--- PASS: TestAuthor/session\.terminated-404 `}, []string{`--- FAIL`}},
		{"forgetful", true, []string{
			`--- FAIL: TestAuthor/session\.terminated-404 `, `--- PASS: TestAuthor/session\.missing-400 `, `goes on`,
			`author_test\.go:\d+:`, `expected +HTTP 404`, `got +HTTP 400`, `curl`,
		}, []string{`--- FAIL: TestAuthor/session\.missing`}},
		{"accepted", false, []string{`--- SKIP: TestAuthor/session\.terminated-404 `, `fail, accepted by the baseline: next year`}, []string{`--- FAIL`}},
		{"mended", true, []string{`--- PASS: TestAuthor/session\.terminated-404 `, `to be taken out of the baseline: session\.terminated-404`}, []string{`--- FAIL: TestAuthor/`}},
		{"no server", true, []string{`NOT TESTED`, `404`}, []string{`TestAuthor/`, `goes on`}},
		{"dying", true, []string{`incomplete: \d+ requirements of the weight of a MUST`}, []string{`--- FAIL: TestAuthor/`}},
		{"dying, accepted", false, []string{`--- SKIP: TestAuthor/`}, []string{`--- FAIL`}},
		{"no such requirement", true, []string{`pattern "sesion" matches no`}, []string{`TestAuthor/`}},
		{"no target", true, []string{`the target is a int`}, []string{`TestAuthor/`}},
	} {
		t.Run(test.author, func(t *testing.T) {
			if testing.Short() && test.author != "conforming" && test.author != "forgetful" {
				t.Skip("-short: left to whole runs")
			}
			t.Parallel()
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "known.yaml"), []byte(known), 0o600); err != nil {
				t.Fatal(err)
			}
			said, failed := goTest(t, folder, test.author)
			if failed != test.fails {
				t.Errorf("failed: %v, want %v", failed, test.fails)
			}
			for _, pattern := range test.has {
				if !regexp.MustCompile(`(?m)` + pattern).MatchString(said) {
					t.Errorf("nothing matches %s", pattern)
				}
			}
			for _, pattern := range test.hasNot {
				if found := regexp.MustCompile(`(?m)^.*` + pattern + `.*$`).FindString(said); found != "" {
					t.Errorf("unexpected: %s", found)
				}
			}
			if t.Failed() {
				t.Logf("it says:\n%s", said)
			}
			if test.author == "conforming" {
				written(t, folder)
			}
		})
	}
}

// goTest runs the test of an author in a process of its own.
func goTest(t *testing.T, folder, author string) (said string, failed bool) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run", "^TestAuthor$", "-test.v")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), authorVariable+"="+author)
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return string(out), err != nil
}

// written looks at the reports that a test asked for.
func written(t *testing.T, folder string) {
	t.Helper()
	for name, wants := range map[string]string{"report.html": "<!doctype html>", "report.json": `"mcpcheck.report/v1"`} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !strings.Contains(strings.ToLower(string(text)), wants) {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
		if name == "report.json" {
			if err := reporttest.Valid(text); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestCheck: the report without a testing.T.
func TestCheck(t *testing.T) {
	r, err := mcpchecktest.Check(t.Context(), handler(forgetful()), narrow...)
	if err != nil {
		t.Fatal(err)
	}
	broken := r.Requirement("session.terminated-404")
	if broken.Err() == nil || broken.Verdict != "fail" || broken.Skipped() || !strings.Contains(broken.Text, "HTTP 404") {
		t.Errorf("session.terminated-404: %+v", broken)
	}
	if one := r.Requirement("session.missing-400"); one.Err() != nil || one.Verdict != "pass" || one.Skipped() {
		t.Errorf("session.missing-400: %+v", one)
	}
	if one := r.Requirement("modern.discover.supported-versions"); !one.Skipped() || one.Text == "" {
		t.Errorf("of another revision: %+v", one)
	}
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "session.terminated-404") {
		t.Errorf("Err: %v", err)
	}
	if r.Outcome() != "failed" || !strings.HasPrefix(r.Summary(), "FAILED ") {
		t.Errorf("outcome %s, summary %s", r.Outcome(), r.Summary())
	}
	var b bytes.Buffer
	if err := r.WriteBaseline(&b); err != nil || !strings.Contains(b.String(), "- id: session.terminated-404\n") {
		t.Errorf("the baseline is %s, %v", &b, err)
	}
	if err := r.Write(&b, "pdf"); err == nil {
		t.Error("there is a format called pdf")
	}
}

// TestMistakes: what the author gets wrong is found before anything is sent.
func TestMistakes(t *testing.T) {
	for name, option := range map[string]mcpchecktest.Option{
		"format":   mcpchecktest.Output("pdf", "x"),
		"revision": mcpchecktest.Revision("2025-06-19"),
		"baseline": mcpchecktest.Baseline("no-such-file.yaml"),
		"pattern":  mcpchecktest.Skip("sesion"),
		"all gone": mcpchecktest.Skip("*"),
	} {
		if _, err := mcpchecktest.Check(t.Context(), "http://127.0.0.1:1/mcp", option); err == nil || !strings.HasPrefix(err.Error(), "mcpchecktest: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := mcpchecktest.Check(t.Context(), handler(nil), append(narrow[:2:2], mcpchecktest.Call("no-such-tool", nil))...); err == nil || !strings.Contains(err.Error(), "no-such-tool") {
		t.Errorf("a tool that nobody has: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := mcpchecktest.Check(ended, handler(nil), narrow...); err != nil || r.Err() == nil {
		t.Errorf("a cancelled check: %v, %v", r, err)
	}
	for _, target := range []any{nil, "localhost:3000", "/mcp"} {
		if _, err := mcpchecktest.Check(t.Context(), target); err == nil {
			t.Errorf("%v is a target", target)
		}
	}
}
