package judges

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// NextCursors judges the cursors in the pages that the inventory read.
func NextCursors(t *kit.T) {
	const expected = "nextCursor as a string where more follows, else absent"
	t.Says(expected)
	var mistyped, empty, last []walkedPage
	eachPage(t, func(p walkedPage) {
		switch kind := kit.JSONType(p.Cursor); {
		case kind != "" && kind != "string":
			mistyped = append(mistyped, p)
		case kind == "string" && p.Next() == "":
			empty = append(empty, p)
		case kind == "" && p.Number > 1 && len(p.Items) == 0:
			last = append(last, p)
		case kind == "string":
			t.OK(p.Exchange, "%s comes in pages: nextCursor is a string", p.list.Method)
		}
	})
	if len(mistyped) > 0 {
		t.Breach(mistyped[0].Exchange, expected, "nextCursor "+kit.JSON(mistyped[0].Cursor)+inPages(mistyped))
	}
	if len(empty) > 0 {
		// By the letter it is a cursor that leads on; SDK clients take it for the end.
		t.Warn(empty[0].Exchange, expected, "nextCursor "+kit.JSON(empty[0].Cursor)+inPages(empty))
	}
	if len(last) > 0 {
		t.Note(last[0].Exchange, "the last page is empty%s: the one before need not have had a nextCursor", inPages(last))
	}
	if !t.Observed() {
		t.Unlisted(ListAll, "every list comes on one page")
	}
}

// CursorsTaken tells which lists take cursors. The id is that of the requirement which reports one that is not taken.
func CursorsTaken(t *kit.T, accepted string) {
	t.Says("every list that is longer than a page read with cursors")
	if len(t.Facts().Paged) == 0 {
		t.Unlisted(ListAll, "every list comes on one page, so that no cursor is needed")
	}
	var methods []string
	var at *wire.Exchange
	for _, list := range t.Facts().Paged {
		if pages := kit.Pages(t.Transcript(), list); len(pages) > 1 && pages[1].Served() {
			at, methods = pages[1].Exchange, append(methods, list.Method)
		}
	}
	if at == nil {
		t.Blocked(accepted, "no cursor was accepted")
	}
	t.OK(at, "cursors are taken by %s", andOf(methods))
}

// InvalidCursor judges the answers to cursors that the server never gave out. Where it is one of several tries only that is not as it should
// be, it is a note.
func InvalidCursor(t *kit.T, labels ...string) {
	const expected = "JSON-RPC error -32602"
	t.Says(expected)
	var wrong *wire.Exchange
	got, times, tries := "", 0, 0
	for i, label := range labels {
		if i > 0 && t.IfSent(label) == nil {
			continue // once was enough for earlier versions
		}
		x := t.Conclusive(label)
		answer, _ := x.Answer()
		code, _ := answer.ErrorCode()
		what := ""
		switch {
		case code == CodeInvalidParams:
			t.OK(x, "%s", kit.Describe(x))
		case x.Served():
			what = pageForNoCursor(t, x, answer)
		case answer.Kind == wire.KindError, x.Status()/100 == 4:
			what = kit.Describe(x)
		default:
			t.NotObservedAt(kit.Inconclusive, x, "the request got no answer: %s", kit.Describe(x))
		}
		tries++
		if what != "" {
			times++
		}
		if what != "" && wrong == nil {
			wrong, got = x, what
		}
	}
	switch {
	case times == tries && got == firstPage(t) && len(t.Facts().Paged) == 0:
		t.Note(wrong, "%s; no list comes in pages, so that no client has a cursor to be told of", got)
	case times == tries:
		t.Breach(wrong, expected, got)
	case times > 1:
		t.Breach(wrong, expected, fmt.Sprintf("%s, in %d of %d tries", got, times, tries))
	case times == 1:
		t.Note(wrong, "in 1 of %d tries a cursor that the server never gave out got %s", tries, got)
	}
}

// firstPage says that a cursor was taken no notice of.
func firstPage(t *kit.T) string {
	return "the first page: " + t.Facts().List + " does not look at the cursor"
}

// pageForNoCursor says what came for a cursor that the server never gave out.
func pageForNoCursor(t *kit.T, x *wire.Exchange, answer wire.Message) string {
	method := t.Facts().List
	page := kit.ReadPage(x, kit.ListFor(method))
	control := kit.ReadPage(t.Answered("control"), kit.ListFor(method))
	switch {
	case (ToolAnswer{Seen: kit.Seen{Located: wire.Located{Message: answer}}}).Failed():
		return "a result with isError true, which only calls of tools have: " + resultText(answer)
	case !page.Readable:
		return "a result without a list, as if nothing were wrong"
	case len(page.Items) == 0 && len(control.Items) > 0:
		return "an empty list, as if " + method + " had come to its end"
	case page.Same(control):
		return firstPage(t)
	}
	return "a result, as if the cursor were one of its own"
}

// A walkedPage is a page with its list.
type walkedPage struct {
	kit.Page
	list kit.List
}

// eachPage visits all pages of all lists that the inventory read.
func eachPage(t *kit.T, visit func(walkedPage)) {
	for _, list := range kit.Lists {
		for _, p := range kit.Pages(t.Transcript(), list) {
			if p.Readable {
				visit(walkedPage{p, list})
			}
		}
	}
}

// inPages says in which answers something was found.
func inPages(pages []walkedPage) string {
	text := " in the answer to " + pages[0].list.Method
	if n := len(pages) - 1; n > 0 {
		text += fmt.Sprintf(", and in %d more pages", n)
	}
	return text
}

// andOf joins words for a sentence: "a", "a and b", "a, b and c".
func andOf(words []string) string {
	text := words[0]
	for i, w := range words[1:] {
		if i == len(words)-2 {
			text += " and " + w
		} else {
			text += ", " + w
		}
	}
	return text
}

// Walks judges the walks over the lists that go on after their first page. A conversation may have ended meanwhile.
func Walks(t *kit.T, ended func(*wire.Exchange) bool) {
	t.Says("the next page for the cursor of the one before")
	if len(t.Facts().Paged) == 0 {
		t.Unlisted(ListAll, "every list comes on one page")
	}
	var open []openWalk
	for _, list := range t.Facts().Paged {
		if w := judgeWalk(t, list, ended); w != nil {
			open = append(open, *w)
		}
	}
	if len(open) == 0 {
		return
	}
	// What could not be looked at weighs more than what there is nothing to see of.
	last := open[len(open)-1]
	for _, w := range open {
		if kit.CauseOf(w.at, kit.Limited).Class() == kit.CouldNotLook {
			last = w
		}
	}
	if last.at == nil {
		t.NotObserved(kit.Limited, "%s", last.why)
	}
	t.NotObservedAt(kit.Limited, last.at, "%s", last.why)
}

// An openWalk is a walk of which nothing can be said: why, and the exchange that shows it, where one does.
type openWalk struct {
	why string
	at  *wire.Exchange
}

// judgeWalk judges the walk over a list that goes on after its first page. It returns why nothing can be said of it, nil where something is.
func judgeWalk(t *kit.T, list kit.List, ended func(*wire.Exchange) bool) *openWalk {
	pages := kit.Pages(t.Transcript(), list)
	if len(pages) < 2 {
		return &openWalk{why: "no second page of " + list.Method + " was asked for"}
	}
	expected := "the next page of " + list.Method
	last := pages[len(pages)-1]
	answer, _ := last.Answer()
	switch {
	case last.Served():
	case last.Response == nil, last.Status() >= 500, slices.Contains([]int{401, 402, 403, 407, 408, 429}, last.Status()):
		return &openWalk{fmt.Sprintf("page %d of %s says nothing about its cursor: %s", last.Number, list.Method, kit.Describe(last.Exchange)), last.Exchange}
	case ended(last.Exchange):
		return &openWalk{fmt.Sprintf("the session ended before page %d of %s: %s", last.Number, list.Method, kit.Describe(last.Exchange)), last.Exchange}
	case answer.Kind == wire.KindError, last.Status()/100 == 4:
		t.Breach(last.Exchange, expected, kit.Describe(last.Exchange))
		return nil
	default:
		return &openWalk{fmt.Sprintf("page %d of %s got no answer: %s", last.Number, list.Method, kit.Describe(last.Exchange)), last.Exchange}
	}
	if what := stuck(pages); what != "" {
		t.Breach(last.Exchange, expected, fmt.Sprintf("the same %s %d times running", what, kit.MaxSame))
		return nil
	}
	if p := Overlapping(pages); p != nil {
		if why := ChangedDuring(t, list); why != "" {
			return &openWalk{why: "items of " + list.Method + " are repeated across pages, and the list changed: " + why}
		}
		t.Warn(p.Exchange, "every item once in the pages of "+list.Method, fmt.Sprintf("items of earlier pages again on page %d", p.Number))
		return nil
	}
	if len(pages) >= kit.MaxPages && last.Next() != "" {
		return &openWalk{why: fmt.Sprintf("%s has a cursor on each of %d pages, and mcpcheck reads no more than that", list.Method, kit.MaxPages)}
	}
	t.OK(pages[1].Exchange, "%s was read to its end: %s", list.Method, Counted(pages, "item"))
	return nil
}

// stuck tells what came again and again at the end of a walk, "" where it led on. The walk ends as soon as that has happened.
func stuck(pages []kit.Page) string {
	if len(pages) < kit.MaxSame {
		return ""
	}
	tail := pages[len(pages)-kit.MaxSame:]
	every := func(same func(a, b kit.Page) bool) bool {
		for i := 1; i < len(tail); i++ {
			if !same(tail[i-1], tail[i]) {
				return false
			}
		}
		return true
	}
	switch {
	case every(func(a, b kit.Page) bool { return a.Next() != "" && a.Next() == b.Next() }):
		return "cursor"
	case every(kit.Page.Same):
		return "page"
	}
	return ""
}

// CursorUsedTwice judges that a cursor gives the same page each time. The ids are those of the requirements that report a cursor that is
// not taken, and a list that cannot be read.
func CursorUsedTwice(t *kit.T, ended func(*wire.Exchange) bool, accepted string, answered func(kit.List) string) {
	t.Says("the same page for the same cursor")
	t.Control("first page")
	list := kit.ListFor(t.Answered("first page").RequestMessage().Method)
	if t.IfSent("once") == nil {
		t.NotObserved(kit.Raced, "%s came with a cursor once, and without one the second time", list.Method)
	}
	if x := t.Conclusive("once"); !x.Served() {
		t.Blocked(accepted, "the cursor is not accepted: "+kit.Describe(x))
	}
	t.Control("first page again")
	x := t.Conclusive("twice")
	once, again := kit.ReadPage(t.Answered("once"), list), kit.ReadPage(x, list)
	const expected = "the same page as the first time"
	answer, _ := x.Answer()
	switch {
	case ended(x):
		t.NotObservedAt(kit.Inconclusive, x, "the session ended before the cursor was used again: %s", kit.Describe(x))
	case answer.Kind == wire.KindError, x.Status()/100 == 4:
		t.Breach(x, expected, kit.Describe(x))
	case !x.Served():
		t.NotObservedAt(kit.Inconclusive, x, "the second use of the cursor got no answer: %s", kit.Describe(x))
	case !once.Readable || !again.Readable:
		t.Blocked(answered(list), "a page cannot be read")
	case slices.Equal(KeySet(once, list), KeySet(again, list)):
		t.OK(x, "the first cursor of %s gives the same page twice", list.Method)
	default:
		if why := ChangedSince(t, "first page", list); why != "" {
			t.NotObserved(kit.Raced, "the list changed meanwhile: %s", why)
		}
		t.Breach(x, expected, "another page")
	}
}
