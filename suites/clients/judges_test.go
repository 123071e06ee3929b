package clients_test

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/clients"
	"github.com/mcpcheck/mcpcheck/suites/tables/tablestest"
)

// TestJudges: every row of the tables in testdata/judges gets the verdict and the message that it names, era by era. With -update they are
// written down, to be looked at.
func TestJudges(t *testing.T) {
	for _, era := range clients.Eras() {
		t.Run(era.Name, func(t *testing.T) {
			suite, err := suites.New(era)
			if err != nil {
				t.Fatal(err)
			}
			tablestest.Run(t, era, suite.Checks(), "testdata/judges/"+era.Name)
		})
	}
}
