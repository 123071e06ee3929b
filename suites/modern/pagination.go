package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func pagination(s *kit.Section) {
	s.Check("modern.pagination.next-cursor-string", inventory, judges.NextCursors, kit.AnyList)
	s.Check("modern.pagination.cursor-accepted", inventory, func(t *kit.T) { judges.Walks(t, neverEnded) }, kit.AnyList)
	twice := s.Script("modern.pagination/same-cursor", kit.Shared, func(c *kit.C) { c.UseCursorTwice() }, kit.Paged, kit.Intricate())
	s.Check("modern.pagination.stable-cursors", twice, func(t *kit.T) {
		judges.CursorUsedTwice(t, neverEnded, "modern.pagination.cursor-accepted", answeredBy)
	})
	// modern.pagination.invalid-cursor-graceful, on which it rests, looks at the controls.
	s.Check("modern.pagination.invalid-cursor", alteredLists, func(t *kit.T) {
		judges.InvalidCursor(t, "invalid cursor")
	})
	s.Check("modern.pagination.invalid-cursor-graceful", alteredLists, func(t *kit.T) {
		const expected = "an answer, and a server that goes on"
		t.Says(expected)
		t.Control("control")
		x := t.Conclusive("invalid cursor", gatewayless...)
		if x.Status() >= 500 {
			t.Breach(x, expected, kit.Describe(x))
			return
		}
		if after := t.Conclusive("control after"); !after.Served() {
			t.Breach(after, expected, "the next request refused: "+kit.Describe(after))
			return
		}
		t.OK(x, "%s", kit.Describe(x))
	})
}
