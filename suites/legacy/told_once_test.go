package legacy_test

import (
	"testing"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/legacy"
	"github.com/mcpcheck/mcpcheck/suites/tables"
)

// TestToldOnce: what is wrong once, or in the same way in each of several answers, is one finding of these rows.
func TestToldOnce(t *testing.T) {
	era := legacy.Era()
	suite, err := suites.New(era)
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := tables.ReadFolder("testdata/judges")
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{
		"tools.call.execution-error: an error under 500":                          true,
		"tools.call.execution-error: an error under 501":                          true,
		"prompts.get.image: the same in two prompts":                              true,
		"lifecycle.initialize.known-version: one that was never published, twice": true,
	}
	bench := &tables.Bench{Era: era, Checks: suite.Checks()}
	for _, f := range d.Files {
		for _, row := range f.Rows {
			if !left[row.Name()] {
				continue
			}
			delete(left, row.Name())
			result, err := bench.Judge(d, f, row)
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Findings)+result.More != 1 {
				t.Errorf("%s: %d findings", row.Name(), len(result.Findings)+result.More)
			}
		}
	}
	for name := range left {
		t.Errorf("there is no row %q", name)
	}
}
