package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// The lists, which the inventory walks.
var (
	toolList     = listing(kit.Lists[0], "modern.tools.list-answered")
	promptList   = listing(kit.Lists[1], "modern.prompts.list-answered")
	resourceList = listing(kit.Lists[2], "modern.resources.list-answered")
)

func listing(l kit.List, answered string) judges.Listing {
	return judges.Listing{
		List: l, Opening: methodDiscover, Answered: answered,
		NextCursor: "modern.pagination.next-cursor-string", CursorAccepted: "modern.pagination.cursor-accepted", Ended: neverEnded,
	}
}

// neverEnded: without sessions there is nothing that could be over.
func neverEnded(*wire.Exchange) bool { return false }

// listAnswered judges that a declared feature gives its list.
func listAnswered(t *kit.T, list judges.Listing) {
	expected := "a result with " + list.Member + ", an array"
	t.Says(expected)
	for _, p := range judges.PagesSent(t, list) {
		switch {
		case p.Readable:
			t.OK(p.Exchange, "%s", kit.Describe(p.Exchange))
		case p.Number > 1:
			// Whether a cursor is accepted is judged by modern.pagination.cursor-accepted.
		case isBare(t.MustConclude(p.Exchange, gatewayless...)):
			bare(t, p.Exchange, expected)
		default:
			t.Breach(p.Exchange, expected, kit.Describe(p.Exchange))
		}
	}
}
