package report

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A SurfaceChange is something that a client would notice, or could.
type SurfaceChange struct {
	// Kind is "revision", "capability", "tool", "prompt", "resource" or "template", Name what changed.
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Change is a stable word: "removed", "renamed", "added", "argument-required", "argument-removed", "argument-added", "narrowed",
	// "widened", "output-changed", "annotation-changed", "described-anew" or "schema-changed".
	Change string `json:"change"`
	// Breaking: a client that worked before may not work now.
	Breaking bool `json:"breaking"`
	// Says is the sentence.
	Says string `json:"says"`
}

// where names what changed: "tool echo".
func (c SurfaceChange) where() string { return c.Kind + " " + oneLine(c.Name) }

// DiffSurface compares what two runs were offered, breaking changes first. Of a list that one of them could not read to its end nothing is
// said that may be because of that.
func DiffSurface(before, after Report) []SurfaceChange {
	var d surfaceDiff
	if !before.Filtered && !after.Filtered && before.Diagnosis == nil && after.Diagnosis == nil && !before.Interrupted && !after.Interrupted {
		d.words("revision", before.Target.Revisions, after.Target.Revisions)
	}
	if before.Surface != nil && after.Surface != nil {
		d.words("capability", before.Surface.Capabilities, after.Surface.Capabilities)
		old := before.Surface.lists()
		for i, list := range after.Surface.lists() {
			cut := slices.Contains(before.Surface.Unlisted, list.name) || slices.Contains(after.Surface.Unlisted, list.name)
			d.offers(list.item, old[i].offers, list.offers, cut)
		}
	}
	slices.SortStableFunc(d.changes, func(a, b SurfaceChange) int { return boolInt(b.Breaking) - boolInt(a.Breaking) })
	return d.changes
}

type surfaceDiff struct{ changes []SurfaceChange }

func (d *surfaceDiff) add(kind, name, change string, breaking bool, format string, args ...any) {
	d.changes = append(d.changes, SurfaceChange{kind, name, change, breaking, fmt.Sprintf(format, args...)})
}

// words compares sets of names.
func (d *surfaceDiff) words(kind string, before, after []string) {
	for _, w := range before {
		if !slices.Contains(after, w) {
			d.add(kind, w, "removed", true, "it is gone")
		}
	}
	for _, w := range after {
		if !slices.Contains(before, w) {
			d.add(kind, w, "added", false, "it is new")
		}
	}
}

func (d *surfaceDiff) offers(kind string, before, after []Offer, cut bool) {
	find := func(list []Offer, name string) (Offer, bool) {
		i := slices.IndexFunc(list, func(o Offer) bool { return o.Name == name })
		if i < 0 {
			return Offer{}, false
		}
		return list[i], true
	}
	var added []Offer
	for _, o := range after {
		if _, was := find(before, o.Name); !was {
			added = append(added, o)
		}
	}
	renamed := map[string]bool{}
	for _, o := range before {
		now, there := find(after, o.Name)
		switch {
		case there:
			d.offer(kind, o, now)
		case cut:
		default:
			to := slices.IndexFunc(added, func(n Offer) bool { return !renamed[n.Name] && alike(kind, o, n) })
			if to < 0 {
				d.add(kind, o.Name, "removed", true, "it is gone")
				continue
			}
			renamed[added[to].Name] = true
			d.add(kind, o.Name, "renamed", true, "it is gone, and %s takes its place", oneLine(added[to].Name))
		}
	}
	for _, o := range added {
		if !renamed[o.Name] && !cut {
			d.add(kind, o.Name, "added", false, "it is new")
		}
	}
}

// alike tells that one offer may be another under a new name: it is described in the same words, or takes the same arguments, of which
// there are some.
func alike(kind string, a, b Offer) bool {
	if text, ok := a.Definition["description"].(string); ok && text != "" && reflect.DeepEqual(a.Definition["description"], b.Definition["description"]) {
		return true
	}
	if kind == "tool" {
		properties, _ := object(a.Definition["inputSchema"])["properties"].(map[string]any)
		return len(properties) > 0 && reflect.DeepEqual(a.Definition["inputSchema"], b.Definition["inputSchema"])
	}
	return false
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// offer compares two definitions of one name.
func (d *surfaceDiff) offer(kind string, before, after Offer) {
	name := before.Name
	switch kind {
	case "tool":
		s := schemaDiff{add: func(change string, breaking bool, format string, args ...any) {
			d.add(kind, name, change, breaking, format, args...)
		}}
		s.input("", object(before.Definition["inputSchema"]), object(after.Definition["inputSchema"]), 0)
		s.output(before.Definition["outputSchema"], after.Definition["outputSchema"])
	case "prompt":
		d.arguments(name, before.Definition["arguments"], after.Definition["arguments"])
	case "resource", "template":
		if was, is := before.Definition["mimeType"], after.Definition["mimeType"]; !reflect.DeepEqual(was, is) {
			d.add(kind, name, "output-changed", was != nil, "its media type was %s and is %s", valueText(was), valueText(is))
		}
	}
	d.annotations(kind, name, object(before.Definition["annotations"]), object(after.Definition["annotations"]))
	for _, member := range []string{"title", "description"} {
		if was, is := before.Definition[member], after.Definition[member]; !reflect.DeepEqual(was, is) {
			d.add(kind, name, "described-anew", false, "its %s is another", member)
		}
	}
}

// arguments compares those of a prompt.
func (d *surfaceDiff) arguments(name string, before, after any) {
	read := func(v any) (names []string, required map[string]bool) {
		required = map[string]bool{}
		list, _ := v.([]any)
		for _, item := range list {
			if n, ok := object(item)["name"].(string); ok {
				names = append(names, n)
				required[n], _ = object(item)["required"].(bool)
			}
		}
		return names, required
	}
	old, oldRequired := read(before)
	now, nowRequired := read(after)
	for _, a := range old {
		switch {
		case !slices.Contains(now, a):
			d.add("prompt", name, "argument-removed", true, "the argument %s is gone", oneLine(a))
		case nowRequired[a] && !oldRequired[a]:
			d.add("prompt", name, "argument-required", true, "the argument %s has to be given now", oneLine(a))
		case !nowRequired[a] && oldRequired[a]:
			d.add("prompt", name, "widened", false, "the argument %s may be left out now", oneLine(a))
		}
	}
	for _, a := range now {
		switch {
		case slices.Contains(old, a):
		case nowRequired[a]:
			d.add("prompt", name, "argument-required", true, "the argument %s is new and has to be given", oneLine(a))
		default:
			d.add("prompt", name, "argument-added", false, "the argument %s is new", oneLine(a))
		}
	}
}

// annotations are hints: hosts decide by them whether they ask a person first.
func (d *surfaceDiff) annotations(kind, name string, before, after map[string]any) {
	var keys []string
	for _, m := range []map[string]any{before, after} {
		for k := range m {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		if was, is := before[k], after[k]; k != "title" && !reflect.DeepEqual(was, is) {
			d.add(kind, name, "annotation-changed", false, "%s was %s and is %s", oneLine(k), valueText(was), valueText(is))
		}
	}
}

// valueText is a JSON value in a sentence.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "not given"
	case string:
		return cmp.Or(cut(oneLine(v), 60), `""`)
	case []any:
		var all []string
		for _, item := range v {
			all = append(all, valueText(item))
		}
		return cut(strings.Join(all, ", "), 120)
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(v)
}
