package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// The lists, which the inventory walks.
var (
	toolList     = listing(kit.Lists[0], "tools.list.answered")
	promptList   = listing(kit.Lists[1], "prompts.list.answered")
	resourceList = listing(kit.Lists[2], "resources.list.answered")
	templateList = listing(kit.Lists[3], "resources.templates.answered")
)

func listing(l kit.List, answered string) judges.Listing {
	return judges.Listing{
		List: l, Opening: opening, Answered: answered,
		NextCursor: "pagination.next-cursor", CursorAccepted: "pagination.cursor-accepted", Ended: sessionGone,
	}
}
