// Command mcpcheck checks servers of the Model Context Protocol over HTTP against the specification. This package holds the command
// line: arguments, streams, exit codes. Everything it does lives in the packages it calls.
package main

import (
	"os"
	"runtime/debug"
)

// memoryAim is what the collector works to stay within, unless GOMEMLIMIT says otherwise: a target that sends without end must not cost
// more than a part of a small machine.
const memoryAim = 192 << 20

func main() {
	// Before anything else: there is no moment in which a signal could leave something behind.
	c := &command{interrupts: catchInterrupts(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, env: os.LookupEnv}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryAim)
	}
	os.Exit(c.run(os.Args[1:]))
}
