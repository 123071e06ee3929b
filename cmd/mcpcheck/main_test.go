package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/report"
)

// TestMain lets the scripts run this test binary as mcpcheck, in a process of its own that can be interrupted.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mcpcheck": main})
}

// TestScripts plays testdata/*.txtar; the names of the files are the table of contents.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		Cmds:                scriptCommands(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Values[labKey{}] = &lab{sites: map[string]*site{}, served: map[string]*served{}}
			// A proxy of the developer's must not see the tests.
			e.Setenv("NO_PROXY", "*")
			e.Setenv("NO_COLOR", "")
			return nil
		},
	})
}

// TestUsage holds the usage texts against the flags that there are, and to 80 columns.
func TestUsage(t *testing.T) {
	word := regexp.MustCompile(`(?:^|[\s,])(--?[a-z][a-z-]*)`)
	for _, flags := range flagSets() {
		t.Run(flags.Name(), func(t *testing.T) {
			text := usage(flags.Name())
			known := []string{"-vv"}
			flags.VisitAll(func(f *pflag.Flag) {
				known = append(known, "--"+f.Name, "-"+f.Shorthand)
				if !regexp.MustCompile(`(?m)^  .{4}--` + f.Name + `\b`).MatchString(text) {
					t.Errorf("no line tells about --%s", f.Name)
				}
			})
			_, synopsis, _ := strings.Cut(text, "Flags:\n")
			if flags.Name() == "mcpcheck" {
				_, synopsis, _ = strings.Cut(text, "The server:\n")
			}
			for _, found := range word.FindAllStringSubmatch(synopsis, -1) {
				if !slices.Contains(known, found[1]) && found[1] != "--transcript" {
					t.Errorf("%s is no flag", found[1])
				}
			}
			for i, line := range strings.Split(text, "\n") {
				if len(line) > 80 || strings.TrimRight(line, " ") != line {
					t.Errorf("line %d is too long or ends in a space: %q", i+1, line)
				}
			}
		})
	}
	for _, f := range report.Formats() {
		if text := strings.Join(strings.Fields(usage("mcpcheck")), " "); !regexp.MustCompile(`write a report \(repeatable\):[^;]*\b` + f.Name + `\b`).MatchString(text) {
			t.Errorf("usage does not name the format %s", f.Name)
		}
	}
	for _, name := range commands() {
		if !strings.Contains(usage("mcpcheck"), "\n  mcpcheck "+name+" ") {
			t.Errorf("usage does not name the command %s", name)
		}
	}
}

// TestOutcome: the exit code of a report, the most serious reason first.
func TestOutcome(t *testing.T) {
	with := func(verdicts ...report.Verdict) report.Report {
		var r report.Report
		for _, v := range verdicts {
			r.Results = append(r.Results, report.Result{Verdict: v})
		}
		return report.Finish(r)
	}
	all := with(report.Pass, report.Fail, report.Warn, report.Error)
	interrupted, excused, unexpected := all, with(report.Pass, report.Fail), with(report.Pass)
	interrupted.Interrupted = true
	excused.Results[1].Excused = "known"
	unexpected.Unexpected = []string{"session.missing-400"}
	for _, test := range []struct {
		name   string
		report report.Report
		strict bool
		want   int
	}{
		{"passes", with(report.Pass), false, exitOK},
		{"a failure", with(report.Pass, report.Fail), false, exitFailed},
		{"a failure that is excused", excused, true, exitOK},
		{"an unexpected pass", unexpected, false, exitFailed},
		{"a warning", with(report.Pass, report.Warn), false, exitOK},
		{"a warning that counts", with(report.Pass, report.Warn), true, exitFailed},
		{"an error of ours outweighs failures", all, false, exitInternal},
		{"a diagnosis", report.Report{Diagnosis: &report.Diagnosis{}}, false, exitUntestable},
		{"nothing judged is not clean", with(report.NotObserved, report.NotApplicable), false, exitUntestable},
		{"interrupted, whatever was found", interrupted, false, exitInterrupted},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := outcome(test.report, test.strict); got != test.want {
				t.Errorf("exit code %d, want %d", got, test.want)
			}
		})
	}
}

// TestInternalErrorsExitWithFour: what is nobody's usage error is ours, and is said to be.
func TestInternalErrorsExitWithFour(t *testing.T) {
	var said strings.Builder
	if got := exitCode(&said, os.ErrInvalid); got != exitInternal {
		t.Errorf("exit code %d", got)
	}
	if want := "error: invalid argument\nhint: this is a fault of mcpcheck"; !strings.HasPrefix(said.String(), want) {
		t.Errorf("said %q", said.String())
	}
}

// TestReadmeShowsARealFinding: the finding in the README is what a run prints, down to the curl lines, which hold ports and ids.
func TestReadmeShowsARealFinding(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	config, err := serverConfig("terminated-session-400", "", "")
	if err != nil {
		t.Fatal(err)
	}
	server, err := refserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	running, err := refserver.Listen("127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	var stdout, stderr strings.Builder
	noEnv := func(string) (string, bool) { return "", false }
	code := run([]string{"--only", "session.terminated-404", running.URL}, strings.NewReader(""), &stdout, &stderr, noEnv)
	if code != exitFailed || stderr.Len() > 0 {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	finding, _, found := strings.Cut(stdout.String(), "      reproduce\n")
	if !found || !strings.Contains(string(readme), finding) {
		t.Errorf("the README does not show what a run prints:\n%s", &stdout)
	}
}
