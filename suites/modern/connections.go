package modern

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// The looks at lists that connections takes: twice on one connection, and where these differ, from one another or from what the inventory saw
// on a connection of its own, twice on each of two others. Between the two on A and on C come other requests on the same connection, one of
// which is refused.
var looks = []string{"A 1", "A 2", "B 1", "B 2", "C 1", "C 2"}

// always is how many of them are taken whatever they show.
const always = 2

var connectionLists = []judges.Listing{toolList, promptList, resourceList}

// connections lists what is declared over connections that nobody else uses.
var connections = kit.NewScript("modern.tools/connections", kit.Shared, func(c *kit.C) {
	var mu sync.Mutex
	pages := map[string][]kit.Page{}
	look := func(connection string, n int) {
		for _, list := range connectionLists {
			if c.Facts.Capability(list.Capability) == kit.Yes {
				p := kit.ReadPage(c.Call(lookAt(list, fmt.Sprintf("%s %d", connection, n)), list.Method, client.OnConnection(connection)), list.List)
				mu.Lock()
				pages[list.Method] = append(pages[list.Method], p)
				mu.Unlock()
			}
		}
	}
	offered := slices.DeleteFunc(slices.Clone(connectionLists), func(l judges.Listing) bool { return c.Facts.Capability(l.Capability) != kit.Yes })
	others := func(connection string) {
		// Each list is another request for the others.
		if len(offered) < 2 {
			c.Call("discover on "+connection, methodDiscover, client.OnConnection(connection))
		}
		if c.Facts.Capability("tools") == kit.Yes {
			c.Call("unknown tool on "+connection, "tools/call", client.OnConnection(connection), client.Broken("a call of a tool that does not exist"),
				client.WithParams(map[string]any{"name": c.BogusName(), "arguments": struct{}{}}))
		}
	}
	look("A", 1)
	others("A")
	look("A", 2)
	// The order of a few tools is often the same by chance.
	more := len(c.Facts.Tools) == 2 || len(c.Facts.Tools) == 3
	for _, list := range connectionLists {
		more = more || slices.ContainsFunc(pages[list.Method], func(p kit.Page) bool {
			return !slices.Equal(judges.KeySet(p, list.List), listedBefore(c.Facts, list, len(p.Items)))
		})
	}
	if !more {
		return
	}
	c.Parallel(func() { look("B", 1); look("B", 2) }, func() {
		look("C", 1)
		others("C")
		look("C", 2)
	})
}, kit.AnyList, kit.Intricate())

// listedBefore is what the items of a list were called when the inventory was taken, in the order of the alphabet: the first so many, where it
// has pages.
func listedBefore(f *kit.Facts, list judges.Listing, n int) []string {
	var names []string
	switch list.Method {
	case toolList.Method:
		for _, t := range f.Tools {
			names = append(names, t.Name)
		}
	case promptList.Method:
		for _, p := range f.Prompts {
			names = append(names, p.Name)
		}
	case resourceList.Method:
		for _, r := range f.Resources {
			names = append(names, r.URI)
		}
	}
	if slices.ContainsFunc(f.Paged, func(l kit.List) bool { return l.Method == list.Method }) {
		names = names[:min(n, len(names))]
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// lookAt is the label of a look at a list.
func lookAt(list judges.Listing, look string) string { return list.Method + " " + look }

// sameKeys tells that two first pages of a list hold the same, in whatever order.
func sameKeys(list judges.Listing, a, b kit.Page) bool {
	return slices.Equal(judges.KeySet(a, list.List), judges.KeySet(b, list.List))
}

// seen are the first pages of a list in all looks that were taken, by look. Where one could not be had, the judgement ends.
func seen(t *kit.T, list judges.Listing) map[string]kit.Page {
	pages := map[string]kit.Page{}
	for i, look := range looks {
		if i >= always && t.IfSent(lookAt(list, look)) == nil && t.Transcript().Aborted == "" {
			continue
		}
		t.Control(lookAt(list, look))
		p := kit.ReadPage(t.Answered(lookAt(list, look)), list.List)
		if !p.Readable {
			t.Blocked(list.Answered, "a list cannot be read: "+kit.Describe(p.Exchange), p.Exchange)
		}
		pages[look] = p
	}
	return pages
}

// seenBefore is the first page of a list that the inventory had; nil where it could not be read.
func seenBefore(t *kit.T, list judges.Listing) *kit.Page {
	if x := t.In(inventory).IfSent(list.Method); x != nil {
		if p := kit.ReadPage(x, list.List); p.Readable {
			return &p
		}
	}
	return nil
}

// samePerConnection judges that a list is the same on every connection, whatever came before on it. Where it changed in another way, it
// may have changed for everybody, or some of several instances are newer.
func samePerConnection(t *kit.T, list judges.Listing) {
	expected := "the same " + list.Capability + " on every connection"
	t.Says(expected)
	pages, before := seen(t, list), seenBefore(t, list)
	alike := func(looks ...string) bool {
		for _, look := range looks[1:] {
			if !sameKeys(list, pages[looks[0]], pages[look]) {
				return false
			}
		}
		return true
	}
	apart := func(looks ...string) bool {
		for i, look := range looks {
			for _, other := range looks[:i] {
				if alike(look, other) || pages[look].Conn == pages[other].Conn {
					return false
				}
			}
		}
		return true
	}
	const undecided = "%s was not always the same, and not as if it hung on the connection: it changed meanwhile, or several instances differ"
	switch {
	// What was otherwise in the inventory alone changed since.
	case alike(slices.Collect(maps.Keys(pages))...) && (len(pages) > always || before == nil || sameKeys(list, *before, pages["A 1"])):
		t.OK(pages["A 1"].Exchange, "%s is the same on each connection, and behind other requests", list.Method)
	case len(pages) < len(looks):
		t.NotObserved(kit.Raced, undecided, list.Method)
	case alike("A 1", "B 1", "B 2", "C 1") && alike("A 2", "C 2"):
		t.Breach(pages["A 2"].Exchange, expected, "another list behind other requests on the connection, twice")
	case alike("A 1", "B 1", "C 1") && alike("A 2", "B 2", "C 2"):
		t.Breach(pages["A 2"].Exchange, expected, "another list the second time on a connection, on each of three")
	case alike("A 1", "A 2") && alike("B 1", "B 2") && alike("C 1", "C 2") && apart("A 1", "B 1", "C 1"):
		t.Breach(pages["B 1"].Exchange, expected, "another list on each of three connections")
	default:
		t.NotObserved(kit.Raced, undecided, list.Method)
	}
}

// sameOrder judges that the tools come in the same order while they are the same.
func sameOrder(t *kit.T) {
	const expected = "the same tools in the same order"
	t.Says(expected)
	pages := seen(t, toolList)
	first := pages[looks[0]]
	if len(first.Items) < 2 {
		t.NotApplicable("there are fewer than two tools")
	}
	t.Unseen(kit.Raced, "the tools were others each time")
	others := []kit.Page{}
	if before := seenBefore(t, toolList); before != nil {
		others = append(others, *before)
	}
	for _, look := range looks[1:] {
		if p, taken := pages[look]; taken {
			others = append(others, p)
		}
	}
	for _, p := range others {
		switch {
		case !sameKeys(toolList, first, p):
		case !slices.Equal(first.Keys(toolList.Key), p.Keys(toolList.Key)):
			t.Breach(p.Exchange, expected, "the same tools in another order")
		default:
			t.OK(p.Exchange, "the tools come in the same order each time")
		}
	}
}
