package suites

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/evidence"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Limits of a surface: what is beyond them counts as not listed.
const (
	maxOffers       = 2000
	maxSurfaceBytes = 2 << 20
)

// definitions are the members of an item that a client is told of. What a server may change with every answer (_meta) is none.
var definitions = []string{"title", "description", "inputSchema", "outputSchema", "annotations", "arguments", "mimeType", "execution"}

// surface is what the server offers in the newest revision whose inventory was served; nil where none was.
func (r *Record) surface(suite *Suite) *report.Surface {
	tracks := slices.Clone(r.Tracks)
	slices.SortStableFunc(tracks, func(a, b *Track) int {
		switch {
		case revision.Before(b.Revision, a.Revision):
			return -1
		case revision.Before(a.Revision, b.Revision):
			return 1
		}
		return 0
	})
	for _, track := range tracks {
		if len(track.First) == 0 || r.Plan.Challenged {
			continue
		}
		t := track.First[0]
		if facts := suite.era(track.Revision).Facts(t, r.Plan.given()); facts.Opened == kit.Yes {
			return surfaceOf(t, facts)
		}
	}
	return nil
}

func surfaceOf(t *wire.Transcript, facts *kit.Facts) *report.Surface {
	s := &report.Surface{Revision: t.Revision, Capabilities: []string{}}
	for _, name := range slices.Sorted(maps.Keys(facts.Capabilities)) {
		if facts.Capabilities[name] == kit.Yes {
			s.Capabilities = append(s.Capabilities, name)
		}
	}
	hide, room := evidence.Hider(t), maxSurfaceBytes
	for _, list := range kit.Lists {
		offers, whole := offersOf(t, list, facts, hide, &room)
		name := list.Member
		switch list.Method {
		case "tools/list":
			s.Tools = offers
		case "prompts/list":
			s.Prompts = offers
		case "resources/list":
			s.Resources = offers
		default:
			s.Templates, name = offers, "templates"
		}
		if !whole {
			s.Unlisted = append(s.Unlisted, name)
		}
	}
	return s
}

// offersOf reads a list, sorted by the names of its items, and tells whether it was read to its end.
func offersOf(t *wire.Transcript, list kit.List, facts *kit.Facts, hide func(string) string, room *int) (offers []report.Offer, whole bool) {
	offers = []report.Offer{}
	pages := kit.Pages(t, list)
	if len(pages) == 0 {
		return offers, facts.Capability(list.Capability) != kit.Yes
	}
	whole = pages[len(pages)-1].Next() == ""
	for _, p := range pages {
		whole = whole && p.Readable && p.Served()
		for _, raw := range p.Items {
			name, ok := kit.Text(raw, list.Key)
			if *room -= len(raw); !ok || *room < 0 || len(offers) == maxOffers {
				whole = false
				continue
			}
			if !slices.ContainsFunc(offers, func(o report.Offer) bool { return o.Name == hide(name) }) {
				offers = append(offers, report.Offer{Name: hide(name), Definition: definition(raw, list, hide)})
			}
		}
	}
	slices.SortFunc(offers, func(a, b report.Offer) int { return cmp.Compare(a.Name, b.Name) })
	return offers, whole
}

// definition is what a client is told of an item, in a form that the order of its members does not change.
func definition(raw json.RawMessage, list kit.List, hide func(string) string) map[string]any {
	var members, kept map[string]any
	kept = map[string]any{}
	if json.Unmarshal(raw, &members) != nil {
		return kept
	}
	keys := definitions
	if list.Key != "name" {
		keys = append(slices.Clone(keys), "name")
	}
	for _, key := range keys {
		if value, there := members[key]; there {
			kept[key] = canonical(value, key, hide)
		}
	}
	return kept
}

// canonical hides what is secret in a JSON value, and sorts what has no order: the names of required properties, and several types.
func canonical(value any, key string, hide func(string) string) any {
	switch v := value.(type) {
	case string:
		return hide(v)
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = canonical(v[i], "", hide)
		}
		if key == "required" || key == "type" {
			slices.SortStableFunc(all, func(a, b any) int { return strings.Compare(textOf(a), textOf(b)) })
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(v))
		for k, inner := range v {
			all[hide(k)] = canonical(inner, k, hide)
		}
		return all
	}
	return value
}

func textOf(v any) string {
	s, _ := v.(string)
	return s
}
