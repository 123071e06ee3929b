package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"mvdan.cc/sh/v3/syntax"
)

// action is what is looked at of action.yml.
type action struct {
	Inputs map[string]struct {
		Description, Default string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, If, Shell, Run, Uses string
			WorkingDirectory         string `yaml:"working-directory"`
			Env, With                map[string]string
		}
	}
}

func readAction(t *testing.T) action {
	t.Helper()
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// job is one run of the action's shell steps.
type job struct {
	t       *testing.T
	action  action
	dir     string
	inputs  map[string]string
	env     []string
	outputs map[string]string // step.output
	log     bytes.Buffer
}

func newJob(t *testing.T, inputs map[string]string, env ...string) *job {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the shell steps are tried where there is a shell")
	}
	j := &job{t: t, action: readAction(t), dir: t.TempDir(), inputs: map[string]string{}, outputs: map[string]string{}, env: env}
	for name, in := range j.action.Inputs {
		j.inputs[name] = in.Default
	}
	for name, value := range inputs {
		if _, known := j.inputs[name]; !known {
			t.Fatalf("the action has no input %s", name)
		}
		j.inputs[name] = value
	}
	return j
}

var expression = regexp.MustCompile(`\$\{\{ (inputs|steps)\.([a-z-]+)(?:\.outputs\.([a-z-]+))? \}\}`)

// resolved is a text with its expressions filled in.
func (j *job) resolved(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		m := expression.FindStringSubmatch(e)
		if m[1] == "inputs" {
			return j.inputs[m[2]]
		}
		return j.outputs[m[2]+"."+m[3]]
	})
}

// run plays the shell steps and returns the exit code of the first that fails.
func (j *job) run() int {
	j.t.Helper()
	for _, step := range j.action.Runs.Steps {
		if step.Run == "" {
			continue // an action of others
		}
		file := filepath.Join(j.dir, "output")
		env := []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + j.dir, "NO_PROXY=*", "GITHUB_OUTPUT=" + file,
			"GITHUB_STEP_SUMMARY=" + filepath.Join(j.dir, "summary.md"), "RUNNER_TEMP=" + j.dir,
		}
		for name, value := range step.Env {
			env = append(env, name+"="+j.resolved(value))
		}
		code := shell(j.t, &j.log, filepath.Join(j.dir, j.resolved(step.WorkingDirectory)), append(env, j.env...), "bash", step.Run)
		text, _ := os.ReadFile(file)
		for _, line := range lines(string(text)) {
			name, value, _ := strings.Cut(line, "=")
			j.outputs[step.ID+"."+name] = value
		}
		if code != 0 {
			return code
		}
	}
	return 0
}

// TestActionChecks: the action's exit code is that of the run, reports and summary are there, and nothing that users give is a script.
func TestActionChecks(t *testing.T) {
	if testing.Short() {
		t.Skip("left to whole runs")
	}
	binary, good, broken := installed(t), standing(t, "", ""), standing(t, "terminated-session-400", "")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	const only = "--only=session\n--revision=2025-06-18"
	for _, test := range []struct {
		name          string
		inputs        map[string]string
		env           []string
		want          int    // of the job
		code, outcome string // outputs
		says          string // a pattern in the log
	}{
		{"a good server", map[string]string{"url": good, "flags": only}, nil, 0, "0", "partial", `::notice title=mcpcheck::partial`},
		{"a broken one", map[string]string{"url": broken, "flags": only}, nil, 1, "1", "failed", `::error title=session.terminated-404 `},
		{"a broken one that may be", map[string]string{"url": broken, "flags": only, "fail": "false"}, nil, 0, "1", "failed", "::error "},
		{"one that is known", map[string]string{"url": broken, "flags": only, "baseline": "known.yaml"}, nil, 0, "0", "failed", "excused"},
		{"two servers", map[string]string{"url": good + "\n\n" + broken + "\n", "flags": only}, nil, 1, "1", "", "2 servers: 1 partial, 1 failed"},
		{"one to start", map[string]string{"url": "http://" + address + "/mcp", "flags": only, "start": binary + " serve --listen " + address}, nil, 0, "0", "partial", ""},
		{"a configuration", map[string]string{"config": "mcpcheck.yaml", "strict": "true"}, nil, 0, "0", "partial", ""},
		{"nothing there", map[string]string{"url": "http://127.0.0.1:1/mcp", "wait": "0s"}, nil, 3, "3", "not-tested", "::error "},
		{"a mistake", map[string]string{"url": "$(touch owned)", "flags": "`touch owned`\n; touch owned", "baseline": "'; touch owned; '"}, nil, 2, "2", "", "error: "},
		{"credentials", map[string]string{"url": standing(t, "", "auth"), "flags": only, "headers": "Authorization: Bearer $TOKEN"}, []string{"TOKEN=refserver-token"}, 0, "0", "partial", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.inputs["binary"] = binary
			j := newJob(t, test.inputs, test.env...)
			for name, text := range map[string]string{
				"known.yaml":    "- id: session.terminated-404\n  reason: known\n",
				"mcpcheck.yaml": "defaults: {only: session, revisions: 2025-06-18}\ntargets: [" + good + "]\n",
			} {
				if err := os.WriteFile(filepath.Join(j.dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got := j.run(); got != test.want {
				t.Errorf("exit code %d, want %d\n%s", got, test.want, &j.log)
			}
			if code, outcome := j.outputs["check.exit-code"], j.outputs["check.outcome"]; code != test.code || outcome != test.outcome {
				t.Errorf("outputs %s %s, want %s %s", code, outcome, test.code, test.outcome)
			}
			if !regexp.MustCompile(test.says).MatchString(j.log.String()) {
				t.Errorf("the log does not say %s:\n%s", test.says, &j.log)
			}
			if _, err := os.Stat(filepath.Join(j.dir, "owned")); err == nil {
				t.Error("what the user gave was run")
			}
			if test.code == "2" {
				if files := j.outputs["check.sarif-files"]; files != "0" {
					t.Errorf("%s SARIF files to upload", files)
				}
				return
			}
			if files := j.outputs["check.sarif-files"]; files != "1" {
				t.Errorf("%s SARIF files to upload", files)
			}
			for _, name := range []string{"summary.md", "mcpcheck-reports/mcpcheck.json", "mcpcheck-reports/mcpcheck.xml", "mcpcheck-reports/mcpcheck.html", "mcpcheck-reports/sarif/mcpcheck.sarif"} {
				if info, err := os.Stat(filepath.Join(j.dir, name)); err != nil || info.Size() == 0 {
					t.Errorf("no %s: %v", name, err)
				}
			}
			if strings.Contains(j.log.String()+readAll(t, j.dir), "refserver-token") {
				t.Error("the secret is in a log or a report")
			}
		})
	}
}

// TestActionInstalls: a release is taken by its version and only with the right checksum.
func TestActionInstalls(t *testing.T) {
	for _, test := range []struct {
		name, version string
		right         bool
		want          string
	}{{"the latest", "latest", true, "7"}, {"a version", "v1.2.3", true, "7"}, {"none of that version", "v9.9.9", true, ""}, {"another checksum", "latest", false, ""}} {
		t.Run(test.name, func(t *testing.T) {
			j := newJob(t, map[string]string{"version": test.version, "url": "http://a/"}, "MCPCHECK_RELEASES="+releases(t, "#!/bin/sh\nexit 7\n", test.right))
			code := j.run()
			if got := j.outputs["check.exit-code"]; got != test.want || (code == 7) != (test.want == "7") || code == 0 {
				t.Errorf("exit code %d, output %q\n%s", code, got, &j.log)
			}
		})
	}
}

// TestActionIsSound: expressions are in no script, each names what there is, and every script can be read.
func TestActionIsSound(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" {
		t.Errorf("runs using %s", a.Runs.Using)
	}
	ids := map[string]bool{}
	named := func(text string) {
		for _, m := range regexp.MustCompile(`(inputs|steps)\.([a-z-]+)`).FindAllStringSubmatch(text, -1) {
			if _, input := a.Inputs[m[2]]; m[1] == "inputs" && !input || m[1] == "steps" && !ids[m[2]] {
				t.Errorf("%s names what is not there", text)
			}
		}
	}
	for _, step := range a.Runs.Steps {
		named(step.If + step.WorkingDirectory)
		for _, values := range []map[string]string{step.Env, step.With} {
			for _, v := range values {
				named(v)
			}
		}
		ids[step.ID] = true
		if strings.Contains(step.Run, "${{") {
			t.Errorf("an expression in the script of %s", step.ID)
		}
		if _, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(step.Run), step.ID); err != nil {
			t.Error(err)
		}
		if step.Run != "" && step.Shell != "bash" {
			t.Errorf("step %s has the shell %s", step.ID, step.Shell)
		}
	}
	for _, out := range a.Outputs {
		named(out.Value)
	}
	for name, in := range a.Inputs {
		if in.Description == "" || !strings.Contains(fmt.Sprintf("%+v", a.Runs), "inputs."+name+" ") {
			t.Errorf("the input %s is not described, or not used", name)
		}
	}
}
