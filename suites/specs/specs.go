// Package specs is the only importer of Ginkgo: it wraps every judgement in a spec, so that a run has what a test runner gives
// (isolation of panics, one outcome per cell), and collects the results. Judging itself is kit's business; a test proves that both
// ways agree.
package specs

import (
	"fmt"
	"io"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/format"
	"github.com/onsi/gomega/gcustom"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// maxMessage bounds what Gomega writes about one value.
const maxMessage = 2000

// Judge judges the cells inside Ginkgo specs, in their order, and returns one result for each. It must not run twice at a time: Ginkgo
// keeps its suite in package state, which is reset here. A spec that did not come to its end gives verdict error. RunSpecs leaves a handler
// of SIGINT and SIGTERM behind, which does nothing: a caller who wants signals to end the process has one of its own in force.
func Judge(cells []*suites.Cell) []kit.Result {
	results := make([]kit.Result, len(cells))
	for i, c := range cells {
		results[i] = kit.Result{
			ID: c.Entry.ID, Revision: c.Revision, Transport: c.Transport, Level: c.Entry.Levels[c.Revision],
			Verdict: kit.Error, Message: "the judgement did not come to its end",
		}
	}
	if len(cells) == 0 {
		return results
	}
	globals.Reset()
	register(cells, results)
	quietly(func() {
		suiteConfig, reporterConfig := types.NewDefaultSuiteConfig(), types.NewDefaultReporterConfig()
		reporterConfig.Succinct, reporterConfig.NoColor = true, true
		ginkgo.RunSpecs(ignored{}, "mcpcheck", suiteConfig, reporterConfig)
	})
	return results
}

// register puts every cell into one container. Texts are ids and revisions only: Ginkgo ends the process on odd ones.
func register(cells []*suites.Cell, results []kit.Result) {
	format.MaxLength = maxMessage
	ginkgo.Describe("requirements", func() {
		for i, c := range cells {
			// The location keeps catalogue order: specs made in a loop would be sorted by text.
			at := types.CodeLocation{FileName: c.Entry.File, LineNumber: i + 1}
			ginkgo.It(fmt.Sprintf("%s %s %s", c.Entry.ID, c.Revision, c.Transport), at, func(ginkgo.SpecContext) {
				results[i] = c.Judge()
				gomega.NewGomega(ginkgo.Fail).Expect(results[i]).To(hold)
			})
		}
	})
}

// hold is satisfied by every result that does not count against the server.
var hold = gcustom.MakeMatcher(func(r kit.Result) (bool, error) {
	return r.Verdict != kit.Fail && r.Verdict != kit.Error, nil
}).WithTemplate("{{.Actual.ID}}: {{.Actual.Message}}")

// quietly runs f with Ginkgo's own output discarded: the report is ours to write.
func quietly(f func()) {
	out := formatter.ColorableStdOut
	formatter.ColorableStdOut = io.Discard
	defer func() { formatter.ColorableStdOut = out }()
	f()
}

// ignored takes the outcome that Ginkgo reports to a testing.T; the results already hold it.
type ignored struct{}

func (ignored) Fail() {}
