package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// shortID is the length up to which a session id is shown: too short to be a secret, and short ids are findings.
const shortID = 8

// Hider replaces the session ids of a transcript, except the ones that we made up. What it makes costs no more than the length of the
// ids and of the text: an id may have as many bytes as a head.
func Hider(t *wire.Transcript) func(string) string {
	var ids []string
	add := func(id string) {
		if len(id) >= shortID && !slices.Contains(ids, id) && !strings.HasPrefix(id, "mcpcheck") {
			ids = append(ids, id)
		}
	}
	add(t.Session.ID)
	for _, x := range t.Exchanges {
		add(kit.RequestHeader(x, "Mcp-Session-Id"))
		for _, id := range x.ResponseSession() {
			add(id)
		}
	}
	// An id may be the beginning of another.
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return func(s string) string {
		for _, id := range ids {
			if len(id) <= len(s) && strings.Contains(s, id) {
				s = strings.ReplaceAll(s, id, instead(id))
			}
		}
		return s
	}
}

// instead is what stands in the place of a session id.
func instead(id string) string { return "[session " + id[:4] + "…]" }
