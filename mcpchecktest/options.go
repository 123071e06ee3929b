package mcpchecktest

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// An Option changes how a server is checked. The flags of mcpcheck have the same names and meanings.
type Option func(*settings)

// settings are what the options amount to.
type settings struct {
	header           http.Header
	path             string
	selection        suites.Selection
	timeout, maxTime time.Duration
	tls              *tls.Config
	strict           bool
	acceptIncomplete bool
	baseline         string
	outputs          []output
}

// output is a report that is to be written.
type output struct{ format, path string }

func newSettings(options []Option) *settings {
	s := &settings{header: http.Header{}, path: "/mcp"}
	for _, option := range options {
		option(s)
	}
	return s
}

// endBy bounds the run, where it is not bounded more closely.
func (s *settings) endBy(limit time.Duration) {
	if s.maxTime == 0 || limit < s.maxTime {
		s.maxTime = max(limit, time.Second)
	}
}

// Header sends a field with every request, such as Authorization. It is in no report.
func Header(name, value string) Option { return func(s *settings) { s.header.Add(name, value) } }

// Path is where the endpoint of a handler is, where it is not /mcp. A URL has its own.
func Path(path string) Option { return func(s *settings) { s.path = path } }

// Revision judges these revisions alone, such as 2025-06-18; without it, all that the server speaks.
func Revision(revisions ...string) Option {
	return func(s *settings) { s.selection.Revisions = append(s.selection.Revisions, revisions...) }
}

// Only judges these requirements alone: ids, areas, levels, or ids with * in them. What was left out has no subtest.
func Only(patterns ...string) Option {
	return func(s *settings) { s.selection.Only = append(s.selection.Only, patterns...) }
}

// Skip leaves these requirements out.
func Skip(patterns ...string) Option {
	return func(s *settings) { s.selection.Skip = append(s.selection.Skip, patterns...) }
}

// Call allows calling a tool, with these arguments. Without it only tools are called that are declared read-only and need none.
func Call(tool string, arguments map[string]any) Option {
	return func(s *settings) {
		if arguments == nil {
			arguments = map[string]any{}
		}
		s.selection.Calls = append(s.selection.Calls, kit.ToolCall{Name: tool, Arguments: arguments})
	}
}

// Timeout is how long one answer may take; 10 seconds without it.
func Timeout(d time.Duration) Option { return func(s *settings) { s.timeout = d } }

// MaxTime bounds the whole check; what was not reached by then could not be looked at. The time-out of go test bounds Run anyway.
func MaxTime(d time.Duration) Option { return func(s *settings) { s.maxTime = d } }

// TLS is how a server over https is trusted, such as that of the client of an httptest.Server.
func TLS(config *tls.Config) Option { return func(s *settings) { s.tls = config } }

// Strict makes warnings count: what the server SHOULD do.
func Strict() Option { return func(s *settings) { s.strict = true } }

// AcceptIncomplete lets a check pass in which something that is a MUST could not be looked at.
func AcceptIncomplete() Option { return func(s *settings) { s.acceptIncomplete = true } }

// Baseline accepts the findings that a file lists, as mcpcheck --baseline does: they are skipped. One that is gone fails, so that it
// cannot come back unnoticed. Report.WriteBaseline writes such a file.
func Baseline(path string) Option { return func(s *settings) { s.baseline = path } }

// Output writes a report to a file, as mcpcheck -o FORMAT=PATH does: text, json, junit, markdown, html, sarif, github, tap or badge.
func Output(format, path string) Option {
	return func(s *settings) { s.outputs = append(s.outputs, output{format, path}) }
}

// verify finds mistakes before anything is sent, and returns the baseline.
func (s *settings) verify(suite *suites.Suite) (report.Baseline, error) {
	for _, out := range s.outputs {
		if _, known := report.FormatByName(out.format); !known {
			return nil, fmt.Errorf("mcpchecktest: Output: no format is called %q", out.format)
		}
	}
	for _, r := range s.selection.Revisions {
		if !slices.Contains(suite.Revisions(), r) {
			return nil, fmt.Errorf("mcpchecktest: Revision: %q is not judged by this version, which has %v", r, suite.Revisions())
		}
	}
	ids, _, err := suite.Select(s.selection)
	if err != nil {
		return nil, fmt.Errorf("mcpchecktest: %w", err)
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("mcpchecktest: Skip leaves out everything that Only selects")
	}
	if s.baseline == "" {
		return nil, nil
	}
	file, err := os.Open(s.baseline)
	if err != nil {
		return nil, fmt.Errorf("mcpchecktest: reading the baseline: %w", err)
	}
	defer file.Close()
	baseline, err := report.ReadBaseline(file)
	if err != nil {
		return nil, fmt.Errorf("mcpchecktest: %s: %w", s.baseline, err)
	}
	return baseline, nil
}
