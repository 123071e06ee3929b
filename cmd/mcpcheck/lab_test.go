package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// A lab is what one script has running.
type lab struct {
	sites  map[string]*site
	served map[string]*served
	// watching are running mcpcheck watch.
	watching map[string]*exec.Cmd
}

type labKey struct{}

func labOf(ts *testscript.TestScript) *lab { return ts.Value(labKey{}).(*lab) }

// scriptCommands are the words of the scripts beside those of testscript itself.
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"exits":        cmdExits,
		"site":         cmdSite,
		"serve":        cmdServe,
		"halt":         cmdHalt,
		"interrupt":    cmdInterrupt,
		"no-sessions":  cmdNoSessions,
		"free-port":    cmdFreePort,
		"end-at":       cmdEndAt,
		"field":        cmdField,
		"same-results": cmdSameResults,
		"narrow":       cmdNarrow,
		"smaller":      cmdSmaller,
		"expand":       cmdExpand,
		"watching":     cmdWatching,
		"until":        cmdUntil,
		"enough":       cmdEnough,
	}
}

// arguments demands that a command stands plain in the script and has at least so many arguments.
func arguments(ts *testscript.TestScript, neg bool, args []string, least int, usage string) {
	if neg || len(args) < least {
		ts.Fatalf("usage: %s", usage)
	}
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

// cmdExits runs a program and demands an exit code; stdout and stderr look at what it printed.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "exits CODE PROGRAM [ARGUMENT…]")
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if want := number(ts, args[0]); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmdSmaller demands that a file has fewer bytes than so many.
func cmdSmaller(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] smaller FILE BYTES")
	}
	size := len(ts.ReadFile(args[0]))
	if (size < number(ts, args[1])) == neg {
		ts.Fatalf("%s has %d bytes", args[0], size)
	}
}

// cmdExpand writes a file with the variables of the script put into it.
func cmdExpand(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "expand FROM TO")
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

// cmdField compares a member of a JSON file, such as summary.fail, with a JSON value.
func cmdField(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 3, "field FILE PATH JSON")
	var at, want any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &at))
	ts.Check(json.Unmarshal([]byte(args[2]), &want))
	for _, name := range strings.Split(args[1], ".") {
		if list, ok := at.([]any); ok {
			if i := number(ts, name); i >= 0 && i < len(list) {
				at = list[i]
				continue
			}
			ts.Fatalf("a list of %d has no %s", len(list), name)
		}
		object, ok := at.(map[string]any)
		if !ok {
			ts.Fatalf("no object holds %s", name)
		}
		if at, ok = object[name]; !ok {
			ts.Fatalf("no member %s", name)
		}
	}
	if !reflect.DeepEqual(at, want) {
		ts.Fatalf("%s is %v, want %v", args[1], at, want)
	}
}

// cmdSameResults demands that two JSON reports differ in nothing.
func cmdSameResults(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "same-results FILE FILE")
	var reports [2]map[string]any
	for i, name := range args[:2] {
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(name)), &reports[i]))
	}
	for name, value := range reports[0] {
		if !reflect.DeepEqual(value, reports[1][name]) {
			ts.Fatalf("%s differs", name)
		}
	}
	if results := reports[0]["results"].([]any); len(results) == 0 || len(reports[0]) != len(reports[1]) {
		ts.Fatalf("%d results, %d and %d members", len(results), len(reports[0]), len(reports[1]))
	}
}

// cmdNarrow demands that no line of a file is wider than 80 columns, links and commands to copy aside.
func cmdNarrow(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1, "narrow FILE")
	for i, line := range strings.Split(ts.ReadFile(args[0]), "\n") {
		if len([]rune(line)) > 80 && !strings.Contains(line, "https://") && !strings.Contains(line, "curl ") {
			ts.Fatalf("line %d has %d columns: %s", i+1, len([]rune(line)), line)
		}
	}
}
