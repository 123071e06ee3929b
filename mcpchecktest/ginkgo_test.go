package mcpchecktest_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/mcpcheck/mcpcheck/mcpchecktest"
)

// TestSuite is the suite of an author who uses Ginkgo, with the checks as specs in it: RunSpecs works as ever, since nothing of
// mcpchecktest runs in Ginkgo.
func TestSuite(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "my server")
}

var _ = Describe("my server", Ordered, ContinueOnFailure, func() {
	var checked *mcpchecktest.Report

	BeforeAll(func(ctx SpecContext) {
		var err error
		checked, err = mcpchecktest.Check(ctx, handler(nil), narrow...)
		Expect(err).NotTo(HaveOccurred())
	})

	for _, id := range mcpchecktest.IDs() {
		It("meets "+id, func() {
			one := checked.Requirement(id)
			if one.Skipped() {
				Skip(one.Text)
			}
			Expect(one.Err()).NotTo(HaveOccurred())
		})
	}

	It("could be looked at", func() {
		Expect(checked.Err()).NotTo(HaveOccurred())
	})
})
