package main

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/tables"
)

// row is mcpcheck judge FILE --row ID: the judgement of one requirement, with what it rests on, as a row for the tables of judges.
func (c *command) row(suite *suites.Suite, record *suites.Record, wanted string) error {
	id, revision, chosen := strings.Cut(wanted, "@")
	var cells []*suites.Cell
	for _, cell := range record.Cells(suite) {
		if cell.Entry.ID == id {
			cells = append(cells, cell)
		}
	}
	if len(cells) == 0 {
		return usagef("mcpcheck list shows the ids; a transcript has those that the run was about", "--row: the transcript was not recorded for %q", id)
	}
	cell := cells[len(cells)-1] // of the newest revision
	if chosen {
		i := slices.IndexFunc(cells, func(c *suites.Cell) bool { return c.Revision == revision })
		if i < 0 {
			return usagef("write it as --row ID@REVISION", "--row: %s was not judged in %q", id, revision)
		}
		cell = cells[i]
	}
	recording := cell.Recording()
	bench := &tables.Bench{Era: recording.Era, Checks: suite.Checks()}
	text, err := bench.Cut(recording, id)
	if err != nil {
		return err
	}
	return c.print(text)
}
