// Package tablestest runs the tables of an era as a test.
package tablestest

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/tables"
	"github.com/mcpcheck/mcpcheck/wire"
)

var update = flag.Bool("update", false, "write what the judges say into the tables, to be looked at")

// Run judges every row of the tables in a folder, one subtest for each: area/row. How conversations usually go stands in the folder
// usual in it. Every check has to have a row. With -update the tables are written anew.
func Run(t *testing.T, era *kit.Era, checks []*kit.Check, folder string) {
	d, names, err := tables.ReadFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	bench := &tables.Bench{Era: remembering(era), Checks: checks}
	judged := map[string]bool{}
	for i, f := range d.Files {
		for _, row := range f.Rows {
			judged[row.ID] = true
		}
		t.Run(f.Name, func(t *testing.T) {
			for _, row := range f.Rows {
				t.Run(row.Name(), func(t *testing.T) { judge(t, bench, d, f, row) })
			}
		})
		if *update {
			if err := os.WriteFile(names[i], f.Format(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range checks {
		if !judged[c.Entry.ID] {
			t.Errorf("%s has no row", c.Entry.ID)
		}
	}
}

// remembering returns the era with facts that are read once of an inventory: most rows share the usual one.
func remembering(era *kit.Era) *kit.Era {
	type key struct {
		inventory                  *wire.Transcript
		echoed, named, credentials string
		dualEra                    kit.Fact
		httpSSE, challenged        bool
	}
	known := map[key]*kit.Facts{}
	e := *era
	e.Facts = func(t *wire.Transcript, given kit.Given) *kit.Facts {
		k := key{t, strings.Join(given.Echoed, " "), strings.Join(given.Named, " "), strings.Join(given.Credentials, " "),
			given.DualEra, given.HTTPSSE, given.Challenged}
		if known[k] == nil {
			known[k] = era.Facts(t, given)
		}
		return known[k]
	}
	return &e
}

func judge(t *testing.T, bench *tables.Bench, d *tables.Folder, f *tables.File, row *tables.Row) {
	result, err := bench.Judge(d, f, row)
	if err != nil {
		t.Fatal(err)
	}
	said := tables.SaidOf(result)
	if result.Verdict == kit.Error {
		t.Errorf("the judge failed: %s", result.Message)
	}
	if result.Verdict == kit.Pass && result.Expected == "" {
		t.Error("it passes, and reports would not say what was expected")
	}
	if by := result.BlockedBy; by != "" && !bench.Knows(by) {
		t.Errorf("it is blocked by %s, which nothing judges", by)
	}
	if *update {
		row.Said = said
		return
	}
	if said.Is != row.Said.Is {
		t.Errorf("is:   %s\nwant: %s", said.Is, row.Said.Is)
	}
	if said.Says != row.Said.Says {
		t.Errorf("says: %s\nwant: %s", said.Says, row.Said.Says)
	}
}
