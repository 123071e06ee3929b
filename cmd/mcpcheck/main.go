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

// fleetAim is that of a fleet, whose runs side by side have more that the collector cannot hold back: stacks, buffers, and what is made
// while a report is written. All together stays below the same 256 MiB.
const fleetAim = 144 << 20

func main() {
	// Before anything else: there is no moment in which a signal could leave something behind.
	c := &command{interrupts: catchInterrupts(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, env: os.LookupEnv, variables: os.Environ}
	c.aim(memoryAim)
	os.Exit(c.run(os.Args[1:]))
}

// aim tells the collector what to stay within, unless the user has.
func (c *command) aim(bytes int64) {
	if chosen, set := c.env("GOMEMLIMIT"); !set || chosen == "" {
		debug.SetMemoryLimit(bytes)
	}
}
