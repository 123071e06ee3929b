package mcpchecktest_test

import (
	"context"
	"crypto/tls"
	"io"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/mcpchecktest"
)

// What the package promises: a change that breaks an author's test does not compile here. Lines are added, never changed.
var (
	_ func(*testing.T, any, ...mcpchecktest.Option) *mcpchecktest.Report               = mcpchecktest.Run
	_ func(context.Context, any, ...mcpchecktest.Option) (*mcpchecktest.Report, error) = mcpchecktest.Check
	_ func() []string                                                                  = mcpchecktest.IDs
	_ func(name, value string) mcpchecktest.Option                                     = mcpchecktest.Header
	_ func(string) mcpchecktest.Option                                                 = mcpchecktest.Path
	_ func(...string) mcpchecktest.Option                                              = mcpchecktest.Revision
	_ func(...string) mcpchecktest.Option                                              = mcpchecktest.Only
	_ func(...string) mcpchecktest.Option                                              = mcpchecktest.Skip
	_ func(string, map[string]any) mcpchecktest.Option                                 = mcpchecktest.Call
	_ func(time.Duration) mcpchecktest.Option                                          = mcpchecktest.Timeout
	_ func(time.Duration) mcpchecktest.Option                                          = mcpchecktest.MaxTime
	_ func(*tls.Config) mcpchecktest.Option                                            = mcpchecktest.TLS
	_ func() mcpchecktest.Option                                                       = mcpchecktest.Strict
	_ func() mcpchecktest.Option                                                       = mcpchecktest.AcceptIncomplete
	_ func(string) mcpchecktest.Option                                                 = mcpchecktest.Baseline
	_ func(format, path string) mcpchecktest.Option                                    = mcpchecktest.Output
	_ func(*mcpchecktest.Report) []mcpchecktest.Requirement                            = (*mcpchecktest.Report).Requirements
	_ func(*mcpchecktest.Report, string) mcpchecktest.Requirement                      = (*mcpchecktest.Report).Requirement
	_ func(*mcpchecktest.Report) error                                                 = (*mcpchecktest.Report).Err
	_ func(*mcpchecktest.Report) string                                                = (*mcpchecktest.Report).Outcome
	_ func(*mcpchecktest.Report) string                                                = (*mcpchecktest.Report).Summary
	_ func(*mcpchecktest.Report, io.Writer, string) error                              = (*mcpchecktest.Report).Write
	_ func(*mcpchecktest.Report, io.Writer) error                                      = (*mcpchecktest.Report).WriteBaseline
	_ func(mcpchecktest.Requirement) error                                             = mcpchecktest.Requirement.Err
	_ func(mcpchecktest.Requirement) bool                                              = mcpchecktest.Requirement.Skipped
	_                                                                                  = mcpchecktest.Requirement{ID: "", Title: "", Verdict: "", Text: "", Broken: false, Excused: false}
)
