package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpcheck/mcpcheck/report"
)

// unneeded are the flags that a run does without when it is repeated to see more of one finding.
var unneeded = []string{
	"only", "skip", "quiet", "verbose", "output", "transcript", "timings", "strict", "color", "no-color", "baseline", "write-baseline", "wait",
	"revision", "concurrency",
}

// copied is what a shell takes as it stands. A query is left out on purpose: it may hold a key, and the report goes to logs.
var copied = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,-]+$`)

// moreOfRun is the command that shows all about one finding of a run, "" where it cannot be told without repeating what may be
// secret (a header), or what is long (the command of the server).
func moreOfRun(flags *pflag.FlagSet, targets, server []string) string {
	repeated := len(server) == 0
	flags.Visit(func(f *pflag.Flag) { repeated = repeated && slices.Contains(unneeded, f.Name) })
	command := append([]string{"mcpcheck -v --only " + report.FindingID}, targets...)
	return moreOf(command, targets, repeated)
}

// moreOfFile is the command that shows all about the findings in a file.
func moreOfFile(flags *pflag.FlagSet) string {
	repeated := flags.Arg(0) != standardOutput
	flags.Visit(func(f *pflag.Flag) { repeated = repeated && slices.Contains(unneeded, f.Name) })
	if command := moreOf([]string{flags.Name() + " -v", flags.Arg(0)}, flags.Args(), repeated); command != "" {
		return command
	}
	return "the same command with -v"
}

func moreOf(command, words []string, repeated bool) string {
	if !repeated || slices.ContainsFunc(words, func(w string) bool { return !copied.MatchString(w) || strings.HasPrefix(w, "-") }) {
		return ""
	}
	return strings.Join(command, " ")
}
