package judges

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A Listing is a list as an era has it.
type Listing struct {
	kit.List
	// Opening is the label of the exchange that has to be served before the inventory asks for lists.
	Opening string
	// Answered is the requirement that reports a list that cannot be read, NextCursor the one that reports a cursor which cannot be sent,
	// and CursorAccepted the one for a cursor that is not taken.
	Answered, NextCursor, CursorAccepted string
	// Ended tells that a request was answered as one to a conversation that is over, not for what it asked.
	Ended func(*wire.Exchange) bool
}

// Declared judges that a feature whose list has something in it is declared. The script asks for the list where it is not.
func Declared(t *kit.T, undeclared *kit.Script, list Listing) {
	expected := "the capability " + list.Capability + " declared, since there are " + list.Member
	t.Says(expected)
	t.Control(list.Opening)
	if t.Facts().Capability(list.Capability) == kit.Yes {
		pages := PagesSent(t, list)
		for _, p := range pages {
			if len(p.Items) > 0 {
				t.OK(p.Exchange, "%s is declared, and %s has %s", list.Capability, list.Method, Counted(pages, "item"))
				return
			}
		}
		DemandList(t, pages, list)
		t.Unlisted([]string{list.Method}, "%s is declared, and %s is empty", list.Capability, list.Method)
	}
	x := t.In(undeclared).Conclusive(list.Method)
	p := kit.ReadPage(x, list.List)
	answer, _ := x.Answer()
	switch {
	case p.Readable && slices.ContainsFunc(p.Items, isObject):
		t.Breach(x, expected, fmt.Sprintf("%s undeclared, and %s with %s", list.Capability, list.Method, Counted([]kit.Page{p}, "item")))
	case p.Readable && len(p.Items) == 0, answer.Kind == wire.KindError, x.Status()/100 == 4:
		t.NotApplicable("the server does not declare %s and has none", list.Capability)
	default:
		t.NotObservedAt(kit.Inconclusive, x, "%s is not declared, and %s is answered by something that is neither a list nor an error: %s",
			list.Capability, list.Method, kit.Describe(x))
	}
}

// The methods that list what is spoken of.
var (
	ListTools       = []string{"tools/list"}
	ListPrompts     = []string{"prompts/list"}
	ListAll         = []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"}
	ListCompletable = []string{"prompts/list", "resources/templates/list"}
)

// PagesSent are the pages of a list that the inventory asked for; the first was sent and got some response.
func PagesSent(t *kit.T, list Listing) []kit.Page {
	t.Answered(list.Method)
	return slices.DeleteFunc(kit.Pages(t.Transcript(), list.List), func(p kit.Page) bool { return p.Response == nil })
}

// DemandList demands that the first page of a list can be read; else its items cannot be judged.
func DemandList(t *kit.T, pages []kit.Page, list Listing) {
	if !pages[0].Readable {
		t.Blocked(list.Answered, list.Method+" gave no list: "+kit.Describe(t.Answered(list.Method)))
	}
}

// Filled are the pages of a list that have items on them; the sentence says what there is not where there are none.
func Filled(t *kit.T, list Listing, empty string) []kit.Page {
	pages := PagesSent(t, list)
	DemandList(t, pages, list)
	pages = slices.DeleteFunc(pages, func(p kit.Page) bool { return len(p.Items) == 0 })
	if len(pages) == 0 {
		t.Unlisted([]string{list.Method}, "%s", empty)
	}
	return pages
}

// DemandEnd demands that the inventory read a list to its end: what it says of the whole list is worth nothing otherwise.
func DemandEnd(t *kit.T, list Listing) {
	pages := kit.Pages(t.Transcript(), list.List)
	last := pages[len(pages)-1]
	kind := kit.JSONType(last.Cursor)
	switch {
	// A null or an empty string ends the walk of every client; NextCursor reports them.
	case last.Readable && last.Next() == "" && (kind == "" || kind == "null" || kind == "string"):
	case last.Readable && last.Next() == "":
		t.Blocked(list.NextCursor, list.Method+" was not read to its end: nextCursor is "+kit.JSON(last.Cursor))
	case last.Readable && len(pages) >= kit.MaxPages:
		t.NotObserved(kit.Limited, "%s was not read to its end: mcpcheck reads %d pages at most", list.Method, kit.MaxPages)
	default:
		t.Blocked(list.CursorAccepted, list.Method+" was not read to its end")
	}
}

// Unique judges that a list names nothing twice, over the pages of one walk. What is no string is for the rules of the list's shape.
func Unique(t *kit.T, pages []kit.Page, list Listing) {
	noun := strings.TrimSuffix(list.Capability, "s")
	word := strings.Replace(list.Key, "uri", "URI", 1)
	expected := fmt.Sprintf("every %s %s once", noun, word)
	t.Says(expected)
	seen := map[string]int{} // the number of the page that had it
	again, repeated, across := "", 0, true
	var at kit.Page
	for _, p := range pages {
		for _, key := range p.Keys(list.Key) {
			on, before := seen[key]
			if before {
				// A page that repeats itself is the plainer evidence.
				if repeated++; repeated == 1 || across && on == p.Number {
					again, at = key, p
				}
				across = across && on != p.Number
			}
			seen[key] = p.Number
		}
	}
	switch {
	case repeated == 0:
		DemandEnd(t, list)
		t.OK(pages[0].Exchange, "%s, every %s once", Counted(pages, noun), word)
		return
	case across:
		// No page has one twice: a list that moved on meanwhile, or pages that overlap, would explain it.
		if why := ChangedDuring(t, list.List); why != "" {
			t.NotObserved(kit.Raced, "the list changed during the walk: %s", why)
		}
		if Overlapping(pages) != nil {
			t.Blocked(list.CursorAccepted, "pages repeat "+list.Capability+" of earlier pages")
		}
	}
	got := "the " + word + " " + kit.Quote([]byte(again)) + " again"
	if repeated > 1 {
		got += fmt.Sprintf(", and %d more repetitions", repeated-1)
	}
	t.Warn(at.Exchange, expected, got)
}

// Counted counts the items of pages in a phrase: "1 tool", "12 tools on 2 pages".
func Counted(pages []kit.Page, what string) string {
	n := 0
	for _, p := range pages {
		n += len(p.Items)
	}
	phrase := fmt.Sprintf("%d %s", n, what)
	if n != 1 {
		phrase += "s"
	}
	if len(pages) > 1 {
		phrase += fmt.Sprintf(" on %d pages", len(pages))
	}
	return phrase
}

func isString(raw json.RawMessage) bool { return kit.JSONType(raw) == "string" }

// isObject tells that a JSON value is an object.
func isObject(raw json.RawMessage) bool { return kit.JSONType(raw) == "object" }
