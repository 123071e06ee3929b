package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
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
