// Command mcpcheck checks servers of the Model Context Protocol over HTTP against the specification. This package holds the command
// line: arguments, streams, exit codes. Everything it does lives in the packages it calls.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.LookupEnv))
}
