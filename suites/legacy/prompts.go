package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

func prompts(s *kit.Section) {
	promptsList(s)
	promptsGet(s)
	promptsRefused(s)
	promptsChanged(s)
}

// promptsList is about the capability and the list, which the inventory has walked.
func promptsList(s *kit.Section) {
	// Not the inventory's business: a client that keeps to the handshake never asks for what was not declared.
	undeclared := s.Script("prompts/undeclared", kit.Shared, func(c *kit.C) {
		if c.Facts.Capability("prompts") == kit.No {
			c.Call(promptList.Method, promptList.Method, client.Broken("a request of a feature that the server did not declare"))
		}
	})
	s.CheckAcross("prompts.capability-declared", []*kit.Script{inventory, undeclared}, func(t *kit.T) {
		judges.Declared(t, undeclared, promptList)
	})

	s.Check("prompts.list.answered", inventory, func(t *kit.T) {
		t.Control("initialize")
		const expected = "a result with prompts, an array"
		t.Says(expected)
		x := t.Conclusive(promptList.Method)
		answer, answered := x.Answer()
		switch {
		case !answered && x.Status()/100 == 4, answered && answer.Kind == wire.KindError:
			t.Breach(x, expected, kit.Describe(x))
		case !answered:
			t.Blocked("jsonrpc.request.answered", "prompts/list got no answer: "+kit.Describe(x))
		case !kit.ReadPage(x, promptList.List).Readable:
			member, _ := answer.Pointer("/result/prompts")
			t.Breach(x, expected, "a result in which prompts is "+kit.JSON(member))
		default:
			t.OK(x, "prompts/list is answered with an array of %d prompts", len(kit.ReadPage(x, promptList.List).Items))
		}
	}, kit.Prompts, kit.Serves, kit.BlockedBy("version-header.negotiated-accepted"))

	s.Check("prompts.list.shape", inventory, func(t *kit.T) {
		t.Says("prompts with a name, and arguments as an array of objects with a name and a boolean required if present")
		for _, page := range promptPages(t, promptList) {
			if found := badPrompts(t, page.Exchange); len(found) > 0 {
				// What one prompt has wrong, the others tend to have as well, on every page.
				expected, got := kit.Wording(found)
				t.Breach(page.Exchange, expected, got)
				return
			}
			t.OK(page.Exchange, "every prompt has a name, and arguments are well-formed")
		}
	}, kit.Prompts)

	s.Check("prompts.list.unique-names", inventory, func(t *kit.T) {
		judges.Unique(t, promptPages(t, promptList), promptList)
	}, kit.Prompts)
}

// promptPages are the pages of the list that have prompts on them.
func promptPages(t *kit.T, list judges.Listing) []kit.Page {
	return judges.Filled(t, list, "the list of prompts is empty")
}

// badPrompts lists what is wrong with names and arguments on a page. Icons are security.icons-src's, _meta is jsonrpc's, and texts for
// people are left alone.
func badPrompts(t *kit.T, page *wire.Exchange) []schema.Violation {
	found := kit.Within(t.Shape(page), "/result/prompts/*")
	for _, holder := range []string{"/result/prompts/*", "/result/prompts/*/arguments/*"} {
		found = kit.Without(found, holder+"/icons", holder+"/_meta", holder+"/title", holder+"/description")
	}
	return found
}
