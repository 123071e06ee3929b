package legacy

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func pagination(s *kit.Section) {
	paginationWalk(s)
	paginationCursors(s)
}

// paginationWalk judges the walks of the inventory, which has read every declared list as clients do.
func paginationWalk(s *kit.Section) {
	s.Check("pagination.next-cursor", inventory, judges.NextCursors, kit.AnyList)

	s.Check("pagination.cursor-accepted", inventory, func(t *kit.T) { judges.Walks(t, sessionGone) }, kit.AnyList)

	s.Check("pagination.all-lists", inventory, func(t *kit.T) { judges.CursorsTaken(t, "pagination.cursor-accepted") }, kit.AnyList)
}

// paginationCursors uses a cursor twice, and one that the server never gave out.
func paginationCursors(s *kit.Section) {
	twice := s.Script("pagination/same-cursor", kit.Shared, func(c *kit.C) { c.UseCursorTwice() }, kit.Paged, kit.Intricate())

	s.Check("pagination.stable-cursors", twice, func(t *kit.T) {
		judges.CursorUsedTwice(t, sessionGone, "pagination.cursor-accepted", func(list kit.List) string { return list.Capability + ".list.answered" })
	})

	// Its own session, since a lost one is what the second check looks for.
	invalid := s.Script("pagination/invalid-cursor", kit.Own, func(c *kit.C) {
		c.ListControl("control")
		labels := invalidCursors()
		try := func(labels []string) (refused int) {
			tries := make([]*wire.Exchange, len(labels))
			var steps []func()
			for i, label := range labels {
				steps = append(steps, func() {
					tries[i] = c.List(label, client.WithParams(map[string]any{"cursor": "mcpcheck-invalid-cursor"}),
						client.Broken("with a cursor that the server never gave out"))
				})
			}
			c.Parallel(steps...)
			for _, x := range tries {
				answer, _ := x.Answer()
				if code, _ := answer.ErrorCode(); code == judges.CodeInvalidParams {
					refused++
				}
			}
			return refused
		}
		// Where two agree the others change no verdict.
		if try(labels[:2]) == 1 {
			try(labels[2:])
		}
		c.List("control after")
	}, kit.AnyList)

	// pagination.invalid-graceful, on which it rests, looks at the controls.
	s.Check("pagination.invalid-cursor", invalid, func(t *kit.T) {
		judges.InvalidCursor(t, invalidCursors()...)
	})

	s.Check("pagination.invalid-graceful", invalid, func(t *kit.T) {
		t.Control("control")
		const expected = "an answer, and a session that goes on"
		t.Says(expected)
		x := t.Conclusive("invalid cursor", 500, 501)
		if x.Status() >= 500 {
			t.Breach(x, expected, kit.Describe(x))
			return
		}
		after := t.Conclusive("control after")
		if !after.Served() {
			t.Breach(after, expected, "the next request refused: "+kit.Describe(after))
			return
		}
		t.OK(x, "the session goes on after an invalid cursor, which is answered %s", kit.Describe(x))
	})
}

// invalidCursors are the labels of the requests with a cursor that the server never gave out; some servers refuse it now and then only, and
// once of five times is chance.
func invalidCursors() []string {
	labels := []string{"invalid cursor"}
	for i := 2; i <= 5; i++ {
		labels = append(labels, fmt.Sprintf("invalid cursor %d", i))
	}
	return labels
}
