package legacy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// judgeUnique judges that a list names nothing twice, over the pages of one walk. What is no string is for the rules of the list's shape.
func judgeUnique(t *kit.T, pages []kit.Page, list kit.List) {
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
		demandEnd(t, list)
		t.OK(pages[0].Exchange, "%s, every %s once", counted(pages, noun), word)
		return
	case across:
		// No page has one twice: a list that moved on meanwhile, or pages that overlap, would explain it.
		if why := changedDuring(t, list); why != "" {
			t.NotObserved(kit.Raced, "the list changed during the walk: %s", why)
		}
		if overlapping(pages) != nil {
			t.Blocked("pagination.cursor-accepted", "pages repeat "+list.Capability+" of earlier pages")
		}
	}
	got := "the " + word + " " + kit.Quote([]byte(again)) + " again"
	if repeated > 1 {
		got += fmt.Sprintf(", and %d more repetitions", repeated-1)
	}
	t.Warn(at.Exchange, expected, got)
}

// changedDuring says in a phrase what shows that a list is not what it was when the inventory read it: an announcement, or another
// first page; "" where nothing does.
func changedDuring(t *kit.T, list kit.List) string { return changedSince(t, list.Method, list) }

// changedLists lists what may change, pulls the triggers that the user named, lists again, and listens all the while.
var changedLists = kit.NewScript("tools/changed", kit.Own, func(c *kit.C) {
	var before, after []func()
	for _, l := range kit.ListMethods {
		if c.Facts.Capability(l.Capability+".listChanged") == kit.Yes {
			before = append(before, func() { walkAs(c, "before "+l.Method, l.Method) })
			after = append(after, func() { walkAs(c, "after "+l.Method, l.Method) })
		}
	}
	if len(before) == 0 {
		return
	}
	stream := c.Listen("get")
	c.Parallel(before...)
	for _, call := range c.Calls {
		resume(c, c.CallTool("call "+call.Name, call))
	}
	c.Parallel(after...)
	c.Watch(stream, c.Safe("marker"))
	stream.Close()
}, withGetStream, kit.Named)

// changedSince is the same for the first page that the check's script read under a label.
func changedSince(t *kit.T, label string, list kit.List) string {
	announced := "notifications/" + list.Capability + "/list_changed"
	first := keySet(kit.ReadPage(t.Answered(label), list), list)
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			for _, m := range x.Messages() {
				if m.Kind == wire.KindNotification && m.Method == announced {
					return announced + " came"
				}
			}
			sent := x.RequestMessage()
			if sent.Method != list.Method || x.Broken != "" || !x.Served() {
				continue
			}
			if _, later := sent.Pointer("/params/cursor"); later {
				continue
			}
			if p := kit.ReadPage(x, list); p.Readable && !slices.Equal(keySet(p, list), first) {
				return "its first page was another at another time"
			}
		}
	}
	return ""
}

// counted counts the items of pages in a phrase: "1 tool", "12 tools on 2 pages".
func counted(pages []kit.Page, what string) string {
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

// demandEnd demands that the inventory read a list to its end: what it says of the whole list is worth nothing otherwise.
func demandEnd(t *kit.T, list kit.List) {
	pages := kit.Pages(t.Transcript(), list)
	last := pages[len(pages)-1]
	kind := kit.JSONType(last.Cursor)
	switch {
	// A null or an empty string ends the walk of every client; pagination.next-cursor reports them.
	case last.Readable && last.Next() == "" && (kind == "" || kind == "null" || kind == "string"):
	case last.Readable && last.Next() == "":
		t.Blocked("pagination.next-cursor", list.Method+" was not read to its end: nextCursor is "+kit.JSON(last.Cursor))
	case last.Readable && len(pages) >= maxPages:
		t.NotObserved(kit.Limited, "%s was not read to its end: mcpcheck reads %d pages at most", list.Method, maxPages)
	default:
		t.Blocked("pagination.cursor-accepted", list.Method+" was not read to its end")
	}
}

// demandList demands that the first page of a list can be read; else its items cannot be judged.
func demandList(t *kit.T, pages []kit.Page, list kit.List) {
	if len(pages) == 0 || !pages[0].Readable {
		t.Blocked(list.Capability+".list.answered", list.Method+" gave no list: "+kit.Describe(t.Answered(list.Method)))
	}
}

// demandTrigger returns when the first of the named tools was called, provided that one of them did something.
func demandTrigger(t *kit.T, tr *wire.Transcript) (pulled time.Duration) {
	served, first := false, (*wire.Exchange)(nil)
	for _, x := range tr.Exchanges {
		if x.RequestMessage().Method != "tools/call" {
			continue
		}
		if first == nil {
			first = x
		}
		answer, ok := answerTo(t, tr, x)
		served = served || ok && answer.Kind == wire.KindResult
	}
	switch {
	case first == nil:
		t.NotObserved(kit.Unnamed, "the tools named with --call were not called")
	case !served:
		t.NotObservedAt(kit.Unnamed, first, "no call of the tools named with --call was served: %s", kit.Describe(first))
	}
	return first.Sent
}

func isObject(raw json.RawMessage) bool { return kit.JSONType(raw) == "object" }

// judgeChanged judges the announcement of a change in the list of a feature, whose items a member identifies.
func judgeChanged(t *kit.T, feature, key string) {
	tr, expected := t.Transcript(), "notifications/"+feature+"/list_changed when the list has changed"
	t.Says(expected)
	if get := t.Answered("get"); !get.IsSSE() || get.Status()/100 != 2 {
		t.NotObservedAt(kit.Inconclusive, get, "no stream was opened: %s", kit.Describe(get))
	}
	pulled := demandTrigger(t, tr)
	for _, m := range t.MessagesIn(tr) {
		if m.At >= pulled && m.Kind == wire.KindNotification && m.Method == "notifications/"+feature+"/list_changed" {
			t.OK(m.Exchange, "%s came after the tools named with --call were called", m.Method)
			return
		}
	}
	before, after := namesIn(t, tr, "before", feature, key), namesIn(t, tr, "after", feature, key)
	difference := differs(before, after)
	if difference == "" {
		t.NotObserved(kit.Unnamed, "the tools named with --call do not change the list of %s", feature)
	}
	t.Watched("get")
	t.Warn(tr.Exchange("after "+feature+"/list"), expected, fmt.Sprintf("no notification, and a list in which %s", difference))
}

// judgeDeclared judges that a feature whose list has something in it is declared. The script asks for the list where it is not.
func judgeDeclared(t *kit.T, undeclared *kit.Script, list kit.List) {
	expected := "the capability " + list.Capability + " declared, since there are " + list.Member
	t.Says(expected)
	t.Control("initialize")
	if t.Facts().Capability(list.Capability) == kit.Yes {
		pages := pagesSent(t, list)
		for _, p := range pages {
			if len(p.Items) > 0 {
				t.OK(p.Exchange, "%s is declared, and %s has %s", list.Capability, list.Method, counted(pages, "item"))
				return
			}
		}
		demandList(t, pages, list)
		t.NotApplicable("%s is declared, and %s is empty", list.Capability, list.Method)
	}
	x := t.In(undeclared).Conclusive(list.Method)
	p := kit.ReadPage(x, list)
	answer, answered := x.Answer()
	switch {
	case p.Readable && slices.ContainsFunc(p.Items, isObject):
		t.Breach(x, expected, fmt.Sprintf("%s undeclared, and %s with %s", list.Capability, list.Method, counted([]kit.Page{p}, "item")))
	case p.Readable && len(p.Items) == 0, answered && answer.Kind == wire.KindError, x.Status()/100 == 4:
		t.NotApplicable("the server does not declare %s and has none", list.Capability)
	default:
		t.NotObservedAt(kit.Inconclusive, x, "%s is not declared, and %s is answered by something that is neither a list nor an error: %s",
			list.Capability, list.Method, kit.Describe(x))
	}
}

// keySet is what identifies the items of a page, in an order of its own.
func keySet(p kit.Page, list kit.List) []string {
	keys := p.Keys(list.Key)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// overlapping returns the first page that repeats an item of an earlier one as it stands there, nil where none does.
func overlapping(pages []kit.Page) *kit.Page {
	list := listFor(pages[0].RequestMessage().Method)
	type place struct {
		page int
		raw  json.RawMessage
	}
	seen := map[string]place{}
	for i, p := range pages {
		for _, raw := range p.Items {
			key, ok := kit.Text(raw, list.Key)
			if !ok {
				continue
			}
			if before, ok := seen[key]; ok && before.page != p.Number && sameJSON(before.raw, raw) {
				return &pages[i]
			}
			seen[key] = place{p.Number, raw}
		}
	}
	return nil
}

// pagesSent are the pages of a list that the inventory asked for; the first was sent and got some response.
func pagesSent(t *kit.T, list kit.List) []kit.Page {
	t.Answered(list.Method)
	return slices.DeleteFunc(kit.Pages(t.Transcript(), list), func(p kit.Page) bool { return p.Response == nil })
}

// sessionGone tells that a request of a session was answered as one to a session that has ended, not for what it asked.
func sessionGone(x *wire.Exchange) bool {
	answer, _ := x.Answer()
	code, _ := answer.ErrorCode()
	return x.Status() == 404 && kit.RequestHeader(x, "Mcp-Session-Id") != "" && code != codeMethodNotFound && code != codeInvalidParams
}
