package main

import (
	"os"
	"regexp"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdWatching starts mcpcheck watch; its output goes to files, NAME.out and NAME.err.
func cmdWatching(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1, "watching NAME [ARGUMENT…]")
	cmd := mcpcheck(ts, append([]string{"watch"}, args[1:]...))
	create := func(ending string) *os.File {
		f, err := os.Create(ts.MkAbs(args[0] + ending))
		ts.Check(err)
		ts.Defer(func() { f.Close() })
		return f
	}
	cmd.Stdout, cmd.Stderr = create(".out"), create(".err")
	ts.Check(cmd.Start())
	ts.Defer(func() { _ = cmd.Process.Kill() })
	labOf(ts).watching[args[0]] = cmd
}

// cmdEnough interrupts mcpcheck watch, which has to end in order.
func cmdEnough(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1, "enough NAME")
	cmd := labOf(ts).watching[args[0]]
	ts.Check(cmd.Process.Signal(os.Interrupt))
	if code := ends(ts, cmd); code != exitOK {
		ts.Fatalf("exit code %d\n%s", code, ts.ReadFile(args[0]+".err"))
	}
}

// cmdUntil waits until a file, which somebody is writing, has a line that matches.
func cmdUntil(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 2, "until FILE PATTERN")
	pattern := regexp.MustCompile("(?m)" + args[1])
	for deadline := time.Now().Add(hang); ; time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(ts.MkAbs(args[0])) // it may not be there yet
		if pattern.Match(text) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("nothing in %s matches %s:\n%s", args[0], args[1], text)
		}
	}
}
