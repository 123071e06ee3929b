package kit

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/wire"
)

// MaxPages is how many pages of one list a run reads; a cursor that never ends must not keep it busy.
const MaxPages = 50

// MaxSame is how often running the same page or the same cursor may come before it counts as leading nowhere.
const MaxSame = 3

// Walk reads all pages of a list; the label is that of the first page. It ends early where the cursor leads nowhere: the same one, or the
// same page, MaxSame times running.
func (c *C) Walk(first, method string) {
	list := ListFor(method)
	label, last, sameCursor, samePage := first, Page{}, 1, 1
	var options []client.Option
	for page := 1; page <= MaxPages; page++ {
		p := ReadPage(c.Call(label, method, options...), list)
		if p.Next() == "" {
			return
		}
		sameCursor, samePage = again(sameCursor, p.Next() == last.Next()), again(samePage, p.Same(last))
		if sameCursor == MaxSame || samePage == MaxSame {
			return
		}
		next := wire.PageOf(first, page+1)
		last, options = p, []client.Option{client.WithParams(map[string]any{"cursor": p.Next()}), client.From(next)}
		label = next.Label()
	}
}

// UseCursorTwice asks for the second page of a list twice, between two looks at the first.
func (c *C) UseCursorTwice() {
	list := c.Facts.Paged[0]
	first := ReadPage(c.Call("first page", list.Method), list)
	if first.Next() == "" {
		return
	}
	cursor := client.WithParams(map[string]any{"cursor": first.Next()})
	c.Call("once", list.Method, cursor)
	c.Call("twice", list.Method, cursor)
	c.Call("first page again", list.Method)
}

// ListFor is the list of a method.
func ListFor(method string) List {
	return Lists[max(0, slices.IndexFunc(Lists, func(l List) bool { return l.Method == method }))]
}

// again counts how often running something was the same.
func again(times int, same bool) int {
	if same {
		return times + 1
	}
	return 1
}
