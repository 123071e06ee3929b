package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/mcpcheck/mcpcheck/report"
)

// Exit codes; part of the contract.
const (
	exitOK          = 0   // no requirement failed
	exitFailed      = 1   // at least one failed, or a warning with --strict
	exitUsage       = 2   // wrong usage or configuration
	exitUntestable  = 3   // the target could not be tested, or not completely
	exitInternal    = 4   // mcpcheck itself failed
	exitInterrupted = 130 // interrupted, after writing what there is
)

// A usageError is the user's mistake: what is wrong and what to do about it.
type usageError struct {
	err  error
	hint string
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(hint, format string, args ...any) error {
	return &usageError{err: fmt.Errorf(format, args...), hint: hint}
}

// exitError is an outcome that has been reported already.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// exitCode maps an error to an exit code and says it on w, once, in one place.
func exitCode(w io.Writer, err error) int {
	var exit exitError
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return int(exit)
	case errors.As(err, &usage):
		fmt.Fprintf(w, "error: %s\n", report.Visible(usage.Error()))
		if usage.hint != "" {
			fmt.Fprintf(w, "hint: %s\n", report.Visible(usage.hint))
		}
		return exitUsage
	}
	fmt.Fprintf(w, "error: %s\nhint: this is a fault of mcpcheck or of this machine, not of the server\n", report.Visible(err.Error()))
	return exitInternal
}

// outcome is the exit code that a report stands for.
func outcome(r report.Report, strict bool) int {
	fails, warns := report.Decisive(r)
	switch {
	case r.Interrupted:
		return exitInterrupted
	case r.Diagnosis != nil && r.Diagnosis.Kind == diagnosisInternal:
		return exitInternal
	case r.Diagnosis != nil:
		return exitUntestable
	case r.Summary.Error > 0:
		return exitInternal
	case fails > 0, strict && warns > 0, len(r.Unexpected) > 0:
		return exitFailed
	case r.Summary.Judged() == 0:
		// A run that judged nothing must not look like a clean one.
		return exitUntestable
	case r.Incomplete != nil && !r.Incomplete.Accepted:
		return exitUntestable
	}
	return exitOK
}
