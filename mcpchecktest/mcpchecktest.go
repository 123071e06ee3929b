// Package mcpchecktest checks an MCP server from within a Go test: each requirement of the specification is a subtest, beside whatever
// else the author tests.
//
//	func TestMCP(t *testing.T) {
//		mcpchecktest.Run(t, myserver.Handler())
//	}
//
// A subtest bears the id of its requirement, which mcpcheck explain tells about. It fails where the server breaks the requirement, with
// Strict also where it does not do what it SHOULD, and it is skipped, with the reason, where there was nothing to judge. The test itself
// fails where the server could not be tested, or something that is a MUST could not be looked at: a green test has looked.
//
// Check does the same without a testing.T, for Ginkgo and other frameworks; this package links none. The whole check is recorded before
// the first subtest begins, and takes some seconds; go test -run 'TestMCP/session.*' chooses what is reported, Only what is asked.
//
// # What is stable
//
// The names that this package exports and what they do, the ids of requirements, and the JSON form of a report keep their meaning within
// a major version of the module, and only grow. The texts, the number of requests and the order of subtests may change. A newer version
// judges more: a server that did not change can fail a requirement that nobody looked at before; go.mod pins the version, and Baseline
// accepts what is known. The other packages of the module serve the mcpcheck command and promise nothing to who imports them.
package mcpchecktest

import (
	"context"
	"testing"
	"time"
)

// Run checks a server and reports every requirement as a subtest of t. The target is a URL (string), or an http.Handler, which is served
// on a loopback port meanwhile, at /mcp unless Path says otherwise. What Run returns tells more, such as an HTML page to keep.
func Run(t *testing.T, target any, options ...Option) *Report {
	t.Helper()
	settings := newSettings(options)
	if end, limited := t.Deadline(); limited {
		// What go test would end by a panic ends in good order, and says so.
		settings.endBy(time.Until(end) * 9 / 10)
	}
	r, err := settings.check(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	if r.report.Diagnosis != nil {
		t.Fatal(r.Err())
	}
	for _, one := range r.Requirements() {
		t.Run(one.ID, func(t *testing.T) {
			t.Helper()
			switch {
			case one.Err() != nil:
				t.Error(one.Text)
			case one.Skipped():
				t.Skip(one.Text)
			case one.Text != "":
				t.Log(one.Text)
			}
		})
	}
	if err := r.whole(); err != nil {
		t.Error(err)
	}
	t.Log(r.Summary())
	return r
}

// Check checks a server as Run does, and leaves it to the caller what to make of the report. An error means that the check could not
// begin, or that a file could not be written: what is wrong with the server is in the report.
func Check(ctx context.Context, target any, options ...Option) (*Report, error) {
	return newSettings(options).check(ctx, target)
}
