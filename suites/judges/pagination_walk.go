package judges

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Walks judges the walks over the lists that go on after their first page. A conversation may have ended meanwhile.
func Walks(t *kit.T, ended func(*wire.Exchange) bool) {
	t.Says("the next page for the cursor of the one before")
	if len(t.Facts().Paged) == 0 {
		t.NotApplicable("every list comes on one page")
	}
	unknown := ""
	for _, list := range t.Facts().Paged {
		if why := judgeWalk(t, list, ended); why != "" {
			unknown = why
		}
	}
	if unknown != "" {
		t.NotObserved(kit.Limited, "%s", unknown)
	}
}

// judgeWalk judges the walk over a list that goes on after its first page. It returns why nothing can be said of it.
func judgeWalk(t *kit.T, list kit.List, ended func(*wire.Exchange) bool) (unknown string) {
	pages := kit.Pages(t.Transcript(), list)
	if len(pages) < 2 {
		return "no second page of " + list.Method + " was asked for"
	}
	expected := "the next page of " + list.Method
	last := pages[len(pages)-1]
	answer, answered := last.Answer()
	switch {
	case last.Served():
	case last.Response == nil, last.Status() >= 500, slices.Contains([]int{401, 402, 403, 407, 408, 429}, last.Status()):
		return fmt.Sprintf("page %d of %s says nothing about its cursor: %s", last.Number, list.Method, kit.Describe(last.Exchange))
	case ended(last.Exchange):
		return fmt.Sprintf("the session ended before page %d of %s: %s", last.Number, list.Method, kit.Describe(last.Exchange))
	case answered && answer.Kind == wire.KindError, last.Status()/100 == 4:
		t.Breach(last.Exchange, expected, kit.Describe(last.Exchange))
		return ""
	default:
		return fmt.Sprintf("page %d of %s got no answer: %s", last.Number, list.Method, kit.Describe(last.Exchange))
	}
	if what := stuck(pages); what != "" {
		t.Breach(last.Exchange, expected, fmt.Sprintf("the same %s %d times running", what, kit.MaxSame))
		return ""
	}
	if p := Overlapping(pages); p != nil {
		if why := ChangedDuring(t, list); why != "" {
			return "items of " + list.Method + " are repeated across pages, and the list changed: " + why
		}
		t.Warn(p.Exchange, "every item once in the pages of "+list.Method, fmt.Sprintf("items of earlier pages again on page %d", p.Number))
		return ""
	}
	if len(pages) >= kit.MaxPages && last.Next() != "" {
		return fmt.Sprintf("%s has a cursor on each of %d pages, and mcpcheck reads no more than that", list.Method, kit.MaxPages)
	}
	t.OK(pages[1].Exchange, "%s was read to its end: %s", list.Method, Counted(pages, "item"))
	return ""
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
