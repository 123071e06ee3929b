package modern_test

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/modern"
	"github.com/mcpcheck/mcpcheck/suites/tables/tablestest"
)

// TestJudges: every row of the tables in testdata/judges gets the verdict and the message that it names. With -update they are written
// down, to be looked at.
func TestJudges(t *testing.T) {
	era := modern.Era()
	suite, err := suites.New(era)
	if err != nil {
		t.Fatal(err)
	}
	tablestest.Run(t, era, suite.Checks(), "testdata/judges")
}
