package legacy

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// maxPages is how many pages of one list a run reads; a cursor that never ends must not keep it busy.
const maxPages = 50

// maxSame is how often running the same page or the same cursor may come before it counts as leading nowhere.
const maxSame = 3

// inventory is the first conversation of a revision: it opens the common session and learns what facts reads off it. Its requests are
// those of any client that has just connected.
var inventory = kit.NewScript("inventory", kit.Bare, func(c *kit.C) {
	open := c.Open()
	if !open.Served() {
		return
	}
	var ping *wire.Exchange
	steps := []func(){func() { ping = c.Call("ping", "ping") }}
	var declared map[string]any
	answer, _ := open.Answer()
	_ = answer.Decode("/result/capabilities", &declared)
	for _, l := range kit.ListMethods {
		if _, ok := declared[l.Capability]; ok {
			steps = append(steps, func() { walk(c, l.Method) })
		}
	}
	if _, ok := declared["resources"]; ok {
		steps = append(steps, func() { walk(c, "resources/templates/list") })
	}
	c.Parallel(steps...)
	if ping.Served() && ping.IsJSON() && !c.OldTransport() {
		c.Call(kit.PreferStream, "ping", client.WithAccept(kit.StreamFirst))
	}
	c.Listen("get").Close()
})

// walk reads all pages of a list.
func walk(c *kit.C, method string) { walkAs(c, method, method) }

// walkAs is walk with a label of its own for the first page. It ends early where the cursor leads
// nowhere: the same one, or the same page, three times running.
func walkAs(c *kit.C, first, method string) {
	list := listFor(method)
	label, last, sameCursor, samePage := first, kit.Page{}, 1, 1
	var options []client.Option
	for page := 1; page <= maxPages; page++ {
		p := kit.ReadPage(c.Call(label, method, options...), list)
		if p.Next() == "" {
			return
		}
		sameCursor, samePage = again(sameCursor, p.Next() == last.Next()), again(samePage, p.Same(last))
		if sameCursor == maxSame || samePage == maxSame {
			return
		}
		next := wire.PageOf(first, page+1)
		last, options = p, []client.Option{client.WithParams(map[string]any{"cursor": p.Next()}), client.From(next)}
		label = next.Label()
	}
}

// listFor is the list of a method.
func listFor(method string) kit.List {
	return kit.Lists[max(0, slices.IndexFunc(kit.Lists, func(l kit.List) bool { return l.Method == method }))]
}

// again counts how often running something was the same.
func again(times int, same bool) int {
	if same {
		return times + 1
	}
	return 1
}
