package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"mvdan.cc/sh/v3/syntax"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// The steps of the GitHub Action, of the GitLab component and of the recipe run here, in the shell that they name.

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

// shell runs a script as a runner does: bash with -e, sh as it is.
func shell(t *testing.T, log *bytes.Buffer, dir string, env []string, name, script string) int {
	t.Helper()
	args := []string{"-c", script}
	if name == "bash" {
		args = append([]string{"--noprofile", "--norc", "-eo", "pipefail"}, args...)
	}
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, log, log
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// installed is a mcpcheck that scripts can start: this test, under another name.
func installed(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mcpcheck")
	if err := os.Symlink(self, path); err != nil {
		t.Skip(err)
	}
	return path
}

func standing(t *testing.T, fault, profile string) string {
	t.Helper()
	config, err := serverConfig(serveOptions{fault: fault, profile: profile})
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
	t.Cleanup(func() { running.Close() })
	return running.URL
}

// readAll is the text of all files in a folder.
func readAll(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
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
				return
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

// releases serves a release with a mcpcheck that is a script, and its checksum or a wrong one.
func releases(t *testing.T, script string, right bool) string {
	t.Helper()
	kernel, err := exec.Command("uname", "-sm").Output()
	if err != nil {
		t.Skip(err)
	}
	var archive bytes.Buffer
	packed := gzip.NewWriter(&archive)
	files := tar.NewWriter(packed)
	if err := files.WriteHeader(&tar.Header{Name: "mcpcheck", Mode: 0o755, Size: int64(len(script))}); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(files, script)
	if err := errors.Join(files.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	name := "mcpcheck_" + strings.ReplaceAll(strings.TrimSpace(string(kernel)), " ", "_") + ".tar.gz"
	sum := sha256.Sum256(archive.Bytes())
	if !right {
		sum[0]++
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/latest/download/" + name, "/download/v1.2.3/" + name:
			_, _ = w.Write(archive.Bytes())
		case "/latest/download/checksums.txt", "/download/v1.2.3/checksums.txt":
			fmt.Fprintf(w, "%064x  mcpcheck_Other.tar.gz\n%x  %s\n", 0, sum, name)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
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

// TestGitLabComponent: its script runs in sh, with the variables that its inputs make.
func TestGitLabComponent(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("left to whole runs, where there is a shell")
	}
	text, err := os.ReadFile("../../templates/mcpcheck.yml")
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var head struct {
		Spec struct {
			Inputs map[string]struct{ Default any }
		}
	}
	var jobs map[string]struct {
		Variables map[string]string
		Script    []string
	}
	if err := errors.Join(decoder.Decode(&head), decoder.Decode(&jobs)); err != nil {
		t.Fatal(err)
	}
	job, ok := jobs["$[[ inputs.job ]]"]
	if !ok || len(job.Script) != 1 || strings.Contains(job.Script[0], "$[[") {
		t.Fatalf("no job, or an input in its script: %+v", jobs)
	}
	if _, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(job.Script[0]), "script"); err != nil {
		t.Error(err)
	}
	input := regexp.MustCompile(`\$\[\[ inputs\.([a-z_]+) \]\]`)
	for _, m := range input.FindAllStringSubmatch(string(text), -1) {
		if _, there := head.Spec.Inputs[m[1]]; !there {
			t.Errorf("there is no input %s", m[1])
		}
	}
	binary, good, broken := installed(t), standing(t, "", ""), standing(t, "terminated-session-400", "")
	const only = "--only=session\n--revision=2025-06-18"
	for _, test := range []struct {
		name   string
		inputs map[string]string
		env    string
		want   int
	}{
		{"a good server", map[string]string{"url": good, "flags": only}, "MCPCHECK=" + binary, 0},
		{"two of which one is broken", map[string]string{"url": good + "\n" + broken, "flags": only}, "MCPCHECK=" + binary, 1},
		{"nothing is run", map[string]string{"url": "$(touch owned) `touch owned`", "flags": "; touch owned"}, "MCPCHECK=" + binary, 2},
		{"a release", map[string]string{"url": good}, "MCPCHECK_RELEASES=" + releases(t, "#!/bin/sh\nexit 7\n", true), 7},
		{"one that was tampered with", map[string]string{"url": good}, "MCPCHECK_RELEASES=" + releases(t, "#!/bin/sh\nexit 7\n", false), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "NO_PROXY=*", test.env}
			for name, value := range job.Variables {
				env = append(env, name+"="+input.ReplaceAllStringFunc(value, func(e string) string {
					name := input.FindStringSubmatch(e)[1]
					if v, given := test.inputs[name]; given {
						return v
					}
					return fmt.Sprint(head.Spec.Inputs[name].Default)
				}))
			}
			var log bytes.Buffer
			if got := shell(t, &log, dir, env, "sh", job.Script[0]); got != test.want {
				t.Errorf("exit code %d, want %d\n%s", got, test.want, &log)
			}
			if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
				t.Error("what the user gave was run")
			}
			if _, err := os.Stat(filepath.Join(dir, "mcpcheck-reports", "mcpcheck.xml")); err != nil && test.want < 2 && strings.HasPrefix(test.env, "MCPCHECK=") {
				t.Error(err)
			}
		})
	}
}

// TestRecipe: the script of docs/ci.md takes a release, checks its checksum, and ends with the exit code of the run.
func TestRecipe(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("left to whole runs, where there is a shell")
	}
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(string(text), "```sh\n")
	script, _, found := strings.Cut(script, "```")
	if !found {
		t.Fatal("docs/ci.md has no script")
	}
	binary, broken := installed(t), standing(t, "terminated-session-400", "")
	wrapper := "#!/bin/sh\nexec " + binary + " --only session --revision 2025-06-18 \"$@\"\n"
	for right, want := range map[bool]int{true: 1, false: 1} {
		dir := t.TempDir()
		var log bytes.Buffer
		env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "NO_PROXY=*", "URL=" + broken, "MCPCHECK_RELEASES=" + releases(t, wrapper, right)}
		if got := shell(t, &log, dir, env, "sh", script); got != want {
			t.Errorf("exit code %d\n%s", got, &log)
		}
		if _, err := os.Stat(filepath.Join(dir, "mcpcheck.xml")); (err == nil) != right {
			t.Errorf("right checksum %v: %v\n%s", right, err, &log)
		}
	}
}
