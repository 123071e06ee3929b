package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/revision"
)

// Place returns an entry of which nothing is given but what its id tells: era, party, area and file. An error says what is wrong with an
// id that leads nowhere.
func Place(id string) (Entry, error) {
	if !idShape.MatchString(id) {
		return Entry{}, fmt.Errorf("%q is no id: parts of a-z, 0-9 and hyphens, joined by dots", id)
	}
	e := Entry{ID: id, Era: revision.Legacy, Party: Server}
	rest, modern := strings.CutPrefix(id, "modern.")
	if modern {
		e.Era = revision.Modern
	}
	parts := strings.Split(rest, ".")
	client := func(part string) bool { return part == "client" || strings.HasPrefix(part, "client-") }
	// revision.Modern ids say first whom they bind, legacy ones behind their area.
	if modern && parts[0] == "client" {
		e.Party, parts = Client, parts[1:]
	} else if !modern && slices.ContainsFunc(parts[1:], client) {
		e.Party = Client
	}
	for _, area := range areasOf(e.Era) {
		if slices.Contains(prefixes(e.Era, area), parts[0]) && len(parts) > 1 {
			e.Area, e.File = area, e.Era+"/"+area+".yaml"
			return e, nil
		}
	}
	return Entry{}, fmt.Errorf("%q names no area of the %s era and what it is about in it; the areas are %s", id, e.Era, strings.Join(areasOf(e.Era), ", "))
}

// What returns the id without what Place reads from it: missing-400 of session.missing-400, result-shape of modern.discover.result-shape.
func (e Entry) What() string {
	rest := strings.TrimPrefix(strings.TrimPrefix(e.ID, "modern."), "client.")
	_, what, _ := strings.Cut(rest, ".")
	return strings.TrimPrefix(what, "client.")
}
