package kit

import (
	"cmp"
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A List is a list method: the capability that declares it, the member of the result that holds its items, and the member of an item
// that tells it from the others.
type List struct{ Capability, Method, Member, Key string }

// Lists are the four methods that come in pages.
var Lists = []List{
	{"tools", "tools/list", "tools", "name"},
	{"prompts", "prompts/list", "prompts", "name"},
	{"resources", "resources/list", "resources", "uri"},
	{"resources", "resources/templates/list", "resourceTemplates", "uriTemplate"},
}

// A Page is one exchange of a walk over a list, and what can be read of its answer.
type Page struct {
	*wire.Exchange
	// Number counts from 1.
	Number int
	// Readable: a result came, and the items in it are an array. Items are what it holds.
	Readable bool
	Items    []json.RawMessage
	// Cursor is nextCursor as it came; nil: absent.
	Cursor json.RawMessage
}

// Next is the cursor of the next page; "" where none was given that could be sent. An empty string ends the walks of SDK clients, so
// it ends ours.
func (p Page) Next() string {
	if JSONType(p.Cursor) != "string" {
		return ""
	}
	return wire.Unquote(p.Cursor)
}

// Same tells whether two pages hold the same items. Empty ones say nothing: a filter may leave nothing of a page.
func (p Page) Same(q Page) bool {
	if len(p.Items) == 0 || len(p.Items) != len(q.Items) {
		return false
	}
	for i := range p.Items {
		if string(p.Items[i]) != string(q.Items[i]) {
			return false
		}
	}
	return true
}

// Keys are what identifies the items, as it came; items without it give nothing.
func (p Page) Keys(key string) []string {
	var all []string
	for _, raw := range p.Items {
		if k, ok := Text(raw, key); ok {
			all = append(all, k)
		}
	}
	return all
}

// Text returns a member of an object that is a string.
func Text(raw json.RawMessage, name string) (value string, ok bool) {
	member, _ := wire.Lookup(raw, "/"+name)
	if JSONType(member) != "string" {
		return "", false
	}
	return wire.Unquote(member), true
}

// ReadPage reads an exchange as a page of a list.
func ReadPage(x *wire.Exchange, list List) Page {
	p := Page{Exchange: x, Number: 1}
	answer, _ := x.Answer()
	items, _ := wire.Lookup(answer.Result, "/"+list.Member)
	p.Items, p.Readable = wire.Elements(items)
	p.Cursor, _ = wire.Lookup(answer.Result, "/nextCursor")
	return p
}

// IsPage tells that an exchange belongs to the walk over a list whose first exchange has that label.
func IsPage(x *wire.Exchange, first string) bool {
	return x.Label == first || x.Origin.Kind == wire.FromPage && x.Origin.Of == first
}

// PagesAs reads the pages of a walk whose first exchange has a label. Those that were not answered are among them.
func PagesAs(t *wire.Transcript, first string, list List) []Page {
	var pages []Page
	for _, x := range t.Exchanges {
		if IsPage(x, first) {
			p := ReadPage(x, list)
			p.Number = len(pages) + 1
			pages = append(pages, p)
		}
	}
	return pages
}

// Pages reads the pages of the inventory's walk over a list.
func Pages(t *wire.Transcript, list List) []Page { return PagesAs(t, list.Method, list) }

// ReadPages finds the lists that go on after their first page.
func (f *Facts) ReadPages(t *wire.Transcript) {
	for _, list := range Lists {
		x := t.Exchange(list.Method)
		if x == nil {
			continue
		}
		if ReadPage(x, list).Next() != "" {
			f.Paged = append(f.Paged, list)
		}
		if c := CauseOf(x, Unprovoked); c.Class() == CouldNotLook {
			f.unread = c
		}
	}
}

// Paged is the need for a list that names a next page.
var Paged = Need{
	Otherwise: "every list comes on one page",
	Unclear:   "a list was not answered, or none was served",
	Cause:     func(f *Facts) Cause { return cmp.Or(f.unread, f.unlisted) },
	Of: func(f *Facts) Fact {
		if len(f.Paged) > 0 {
			return Yes
		}
		if f.List == "" {
			return AnyList.Of(f)
		}
		if f.unread != "" {
			return Unknown
		}
		return No
	},
}
