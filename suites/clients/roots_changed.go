package clients

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// rootsChanged: who says that changes are announced announces them, before the other roots are told or after. Where a client connects more
// than once, each connection may have roots of its own.
func rootsChanged(t *kit.T) {
	const expected = "notifications/roots/list_changed, since there are other roots than before"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no client that declares roots with listChanged told other roots than before")
	type telling struct {
		asked ask
		roots []string
	}
	last := map[*wire.Transcript]telling{}
	answeredAsks(t, "roots/list", "roots", true, func(a ask, r kit.Seen) {
		announces, _ := wire.Lookup(declares(a.tr, "roots"), "/listChanged")
		roots, ok := rootsIn(r)
		if !ok || string(announces) != "true" || converse(a.tr).openings > 1 {
			return
		}
		before, again := last[a.tr]
		last[a.tr] = telling{a, roots}
		switch {
		case !again || slices.Equal(before.roots, roots):
		case slices.ContainsFunc(t.MessagesIn(a.tr), func(m kit.Seen) bool {
			return m.Method == "notifications/roots/list_changed" && m.At >= before.asked.At
		}):
			t.Saw()
		case a.tr.Aborted == "" && (a.on.AnsweredAt()-r.At >= patience || wentOn(t, r)):
			t.BreachAt(r, expected, "other roots, and no notification")
		default:
			t.Unseen(kit.Inconclusive, "the client told other roots than before, and was not there long enough to announce them")
		}
	})
}

// rootsIn are the URIs of the roots that an answer tells, in an order of ours. A recording keeps their schemes and lengths only, so that
// some that differ look the same, which accuses nobody.
func rootsIn(r kit.Seen) ([]string, bool) {
	raw, _ := r.Pointer("/result/roots")
	roots, ok := wire.Elements(raw)
	var uris []string
	for _, root := range roots {
		uri, _ := kit.Text(root, "uri")
		uris = append(uris, uri)
	}
	slices.Sort(uris)
	return uris, ok
}

// wentOn tells that the client said something of its own accord after an answer to the server.
func wentOn(t *kit.T, r kit.Seen) bool {
	return slices.ContainsFunc(t.MessagesIn(r.Transcript), func(m kit.Seen) bool { return m.HasMethod && m.At > r.At })
}
