package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/report/reporttest"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/specs"
)

// TestMain lets the scripts run this test binary as mcpcheck, in a process of its own that can be interrupted, and as one that judges for
// ever once it has written a file that says so.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mcpcheck": main, "mcpcheck-judging": func() {
		c := &command{interrupts: catchInterrupts(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, env: os.LookupEnv, variables: os.Environ}
		c.judging = func(cells []*suites.Cell) []kit.Result {
			_ = specs.Judge(cells[:1]) // what Ginkgo does to signals is part of it
			if err := os.WriteFile("judging", nil, 0o600); err != nil {
				panic(err)
			}
			<-make(chan struct{})
			return nil
		}
		os.Exit(c.run(os.Args[1:]))
	}})
}

// TestScripts plays testdata/*.txtar; the names of the files are the table of contents. -short plays every third: the race detector, which
// runs with it, makes the command several times slower.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts: ", err)
	}
	if testing.Short() {
		for i := range files {
			if 3*i < len(files) {
				files[i] = files[3*i]
			}
		}
		files = files[:(len(files)+2)/3]
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		Cmds:                scriptCommands(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Values[labKey{}] = &lab{sites: map[string]*site{}, served: map[string]*served{}, watching: map[string]*exec.Cmd{}}
			// A proxy of the developer's must not see the tests.
			e.Setenv("NO_PROXY", "*")
			e.Setenv("NO_COLOR", "")
			e.Defer(func() { reportsBySchema(e) })
			return nil
		},
	})
}

// reportsBySchema holds every JSON report that a script left behind against its schema.
func reportsBySchema(e *testscript.Env) {
	err := filepath.WalkDir(e.WorkDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(text, []byte("{\n  \"schema\": \""+report.Schema)) {
			return err
		}
		if err := reporttest.Valid(text); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	if err != nil {
		e.T().Fatal(err)
	}
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
				if flags.Name() == "mcpcheck watch" && checkFlags(&options{}).Lookup(f.Name) != nil {
					return // it takes those of a run
				}
				if everywhere := f.Name == "no-color" || f.Name == "color"; everywhere && flags.Name() != "mcpcheck" {
					return // every command takes them
				}
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

// TestReadmeShowsARealFinding: the finding in the README is what a run prints.
func TestReadmeShowsARealFinding(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	config, err := serverConfig(serveOptions{era: refserver.EraDual, fault: "terminated-session-400"})
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
	c := &command{interrupts: catchInterrupts(), stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, env: noEnv}
	defer c.interrupts.stop()
	code := c.run([]string{running.URL})
	if code != exitFailed || stderr.Len() > 0 {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	finding, _, found := strings.Cut(stdout.String(), "\n\n")
	if !found || !strings.Contains(string(readme), finding) {
		t.Errorf("the README does not show what a run prints:\n%s", &stdout)
	}
}

// TestMore: the command under a report shows the rest, can be copied as it stands, and repeats nothing that may be secret.
func TestMore(t *testing.T) {
	const url = "http://127.0.0.1:3000/mcp"
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"a URL", []string{url}, "mcpcheck -v --only " + report.FindingID + " " + url},
		{"what chose or wrote is left out", []string{"-q", "--only", "session", "-o", "json=x", url}, "mcpcheck -v --only " + report.FindingID + " " + url},
		{"the bundled server", nil, "mcpcheck -v --only " + report.FindingID},
		{"a header", []string{"-H", "Authorization: Bearer x", url}, ""},
		{"what changes the run", []string{"--timeout", "1s", url}, ""},
		{"a query may hold a key", []string{url + "?key=hunter2"}, ""},
		{"a server to start", []string{url, "--", "npm", "start"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			flags := checkFlags(&options{})
			if err := flags.Parse(test.args); err != nil {
				t.Fatal(err)
			}
			targets, server := flags.Args(), []string(nil)
			if dash := flags.ArgsLenAtDash(); dash >= 0 {
				targets, server = targets[:dash], targets[dash:]
			}
			if got := moreOfRun(flags, targets, server); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	for args, want := range map[string]string{
		"run.json": "mcpcheck report -v run.json", "-": "the same command with -v", "a b.json": "the same command with -v",
	} {
		flags := convertFlags(&options{})
		if err := flags.Parse([]string{args}); err != nil {
			t.Fatal(err)
		}
		if got := moreOfFile(flags); got != want {
			t.Errorf("%s: got %q, want %q", args, got, want)
		}
	}
}

// TestFirstWord: a command is found behind flags and their values, and a value is never taken for one.
func TestFirstWord(t *testing.T) {
	for args, want := range map[string]int{
		"":                                 -1,
		"report f.json":                    0,
		"-q report f.json":                 1,
		"--no-color list":                  1,
		"--color never list":               2,
		"--color=never list":               1,
		"-o json=x report f.json":          2,
		"-ojson=x report f.json":           1,
		"-qvo json=x report f.json":        2,
		"-vv --strict judge -":             2,
		"--revision report http://a/":      2,
		"--fault list serve":               2,
		"--unknown list":                   1,
		"-- report":                        -1,
		"-q http://a/mcp -- sh -c report":  1,
		"--header report --only list help": 4,
		"- x":                              0,
	} {
		if got := firstWord(strings.Fields(args)); got != want {
			t.Errorf("%q: got %d, want %d", args, got, want)
		}
	}
}

// TestColor: the flag decides before the environment, what users do not want before what they force, and both before the terminal.
func TestColor(t *testing.T) {
	for _, test := range []struct {
		name, choice string
		env          map[string]string
		want         bool
	}{
		{"a pipe", colorAuto, nil, false},
		{"the flag", colorAlways, map[string]string{"NO_COLOR": "1", "CLICOLOR": "0"}, true},
		{"the flag against force", colorNever, map[string]string{"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, false},
		{"FORCE_COLOR", colorAuto, map[string]string{"FORCE_COLOR": "1", "CLICOLOR": "0", "TERM": "dumb"}, true},
		{"FORCE_COLOR=0", colorAuto, map[string]string{"FORCE_COLOR": "0", "CLICOLOR_FORCE": "1"}, false},
		{"an empty FORCE_COLOR says nothing", colorAuto, map[string]string{"FORCE_COLOR": ""}, false},
		{"CLICOLOR_FORCE", colorAuto, map[string]string{"CLICOLOR_FORCE": "1", "CLICOLOR": "0"}, true},
		{"CLICOLOR_FORCE=0", colorAuto, map[string]string{"CLICOLOR_FORCE": "0"}, false},
		{"NO_COLOR outweighs force", colorAuto, map[string]string{"NO_COLOR": "1", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, false},
		{"an empty NO_COLOR says nothing", colorAuto, map[string]string{"NO_COLOR": "", "FORCE_COLOR": "1"}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &command{stdout: &strings.Builder{}, env: func(name string) (string, bool) { v, ok := test.env[name]; return v, ok }}
			if got := c.color(test.choice); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
