package legacy

import (
	"fmt"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
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
