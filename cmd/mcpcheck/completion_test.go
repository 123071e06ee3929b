package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

// TestCompletion asks each shell that is installed: does it take the script, and what does it offer?
func TestCompletion(t *testing.T) {
	suite, err := suites.New(eras.All()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, shell := range shells {
		t.Run(shell, func(t *testing.T) {
			script, err := completionScript(shell, suite)
			if err != nil {
				t.Fatal(err)
			}
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%s is not installed here", shell)
			}
			file := filepath.Join(t.TempDir(), "mcpcheck."+shell)
			if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(path, "-n", file).CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%s -n: %v\n%s", shell, err, out)
			}
			ask := map[string]func(file string, words ...string) *exec.Cmd{"bash": askBash, "fish": askFish}[shell]
			if ask == nil {
				loadZsh(t, path, file)
				return
			}
			for _, line := range completionLines {
				out, err := ask(file, line.words...).CombinedOutput()
				if err != nil {
					t.Fatalf("%q: %v\n%s", line.words, err, out)
				}
				if got := strings.Fields(string(out)); !sameWords(got, line.want) {
					t.Errorf("%q offers %q, want %q", line.words, got, line.want)
				}
			}
		})
	}
}

// completionLines are lines whose last word is to be completed.
var completionLines = []struct{ words, want []string }{
	{[]string{"ser"}, []string{"serve"}},
	{[]string{"--trans"}, []string{"--transcript"}},
	{[]string{"--color", "n"}, []string{"never"}},
	{[]string{"--revision", "2025-06"}, []string{"2025-06-18"}},
	{[]string{"-q", "-o", "j"}, []string{"json=", "junit="}},
	{[]string{"serve", "--trans"}, []string{"--transport"}},
	{[]string{"serve", "--profile", "ta"}, []string{"talkative", "tasks"}},
	{[]string{"list", "--json", "--area", "ss"}, []string{"sse"}},
	{[]string{"explain", "session.terminated"}, []string{"session.terminated-404", "session.terminated-404-get"}},
	{[]string{"judge", "--strict", "--revision"}, nil},
	{[]string{"completion", "z"}, []string{"zsh"}},
	{[]string{"help", "ser"}, []string{"serve"}},
}

func sameWords(got, want []string) bool {
	slices.Sort(got)
	return slices.Equal(got, want)
}

// askBash calls the function as readline does.
func askBash(file string, words ...string) *exec.Cmd {
	words = append([]string{"mcpcheck"}, words...)
	ask := fmt.Sprintf(`source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=%d; _mcpcheck; printf '%%s\n' "${COMPREPLY[@]}"`, len(words)-1)
	return exec.Command("bash", append([]string{"--norc", "-c", ask, "bash", file}, words...)...)
}

// askFish leaves out the descriptions, which stand behind a tab.
func askFish(file string, words ...string) *exec.Cmd {
	line := "mcpcheck " + strings.Join(words, " ")
	cmd := exec.Command("fish", "--no-config", "-c", `source $argv[1]; complete -C $argv[2] | string split -f1 \t; true`, file, line)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(file))
	return cmd
}

// loadZsh lets the completion system of zsh know the script: it offers nothing outside of its line editor.
func loadZsh(t *testing.T, zsh, file string) {
	t.Helper()
	out, err := exec.Command(zsh, "-f", "-c", `autoload -Uz compinit && compinit -D && source $1 && print -r -- $_comps[mcpcheck]`, "zsh", file).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "_mcpcheck" {
		t.Errorf("zsh completes mcpcheck with %q: %v", got, err)
	}
}

// TestCompletionKnowsEverything: each command and each of its flags is in each script.
func TestCompletionKnowsEverything(t *testing.T) {
	suite, err := suites.New(eras.All()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append([]string{""}, commands()...) {
		cmd := completedCommand(name, suite)
		if name != "" && cmd.Help == "" {
			t.Errorf("nothing is said of the command %s", name)
		}
		for _, f := range cmd.Flags {
			if f.Help == "" {
				t.Errorf("nothing is said of --%s of mcpcheck %s", f.Long, name)
			}
		}
	}
}
