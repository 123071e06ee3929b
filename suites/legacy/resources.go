package legacy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

func resources(s *kit.Section) {
	resourcesList(s)
	resourcesURIs(s)
	resourcesTemplates(s)
	resourcesRead(s)
	resourcesChanged(s)
	resourcesSubscribe(s)
}

// resourcesList is about the capability and the list, which the inventory has walked.
func resourcesList(s *kit.Section) {
	// Not the inventory's business: a client that keeps to the handshake never asks for what was not declared.
	undeclared := s.Script("resources/undeclared", kit.Shared, func(c *kit.C) {
		if c.Facts.Capability("resources") != kit.No {
			return
		}
		for _, list := range []judges.Listing{resourceList, templateList} {
			c.Call(list.Method, list.Method, client.Broken("a request of a feature that the server did not declare"))
		}
	})
	s.CheckAcross("resources.capability-declared", []*kit.Script{inventory, undeclared}, func(t *kit.T) {
		judgeResourcesDeclared(t, undeclared)
	})

	s.Check("resources.list.answered", inventory, func(t *kit.T) {
		t.Control("initialize")
		const expected = "a result with resources, an array"
		t.Says(expected)
		x := t.Conclusive(resourceList.Method)
		answer, answered := x.Answer()
		switch page := kit.ReadPage(x, resourceList.List); {
		case page.Readable:
			t.OK(x, "resources/list is answered with an array of %s", judges.Counted([]kit.Page{page}, "resource"))
		case answered && answer.Kind == wire.KindResult:
			member, _ := answer.Pointer("/result/resources")
			t.Breach(x, expected, "a result in which resources is "+kit.JSON(member))
		case answered, x.Status()/100 == 4:
			t.Breach(x, expected, kit.Describe(x))
		default:
			t.Blocked("jsonrpc.request.answered", "resources/list got no answer: "+kit.Describe(x))
		}
	}, kit.Resources, kit.Serves, kit.BlockedBy("version-header.negotiated-accepted"))

	s.Check("resources.list.shape", inventory, func(t *kit.T) {
		t.Says("resources with uri and name, and members of their types")
		pages := resourcePages(t, resourceList)
		if at, found := badItems(t, pages, resourceList, "uri", "name", "title", "description", "mimeType", "size"); len(found) > 0 {
			expected, got := kit.Wording(found)
			t.Breach(at, expected, got)
			return
		}
		t.OK(pages[0].Exchange, "%s, each with uri and name", judges.Counted(pages, "resource"))
	}, kit.Resources)
}

// judgeResourcesDeclared: who has resources or templates declares the capability. Both lists have to be empty or refused for the
// server to have none.
func judgeResourcesDeclared(t *kit.T, undeclared *kit.Script) {
	const expected = "the capability resources declared, since there are resources or templates"
	t.Says(expected)
	t.Control("initialize")
	lists := []judges.Listing{resourceList, templateList}
	switch t.Facts().Capability("resources") {
	case kit.Yes:
		for _, list := range lists {
			for _, page := range judges.PagesSent(t, list) {
				if len(page.Items) > 0 {
					t.OK(page.Exchange, "resources is declared, and %s has %s", list.Method, judges.Counted([]kit.Page{page}, "item"))
					return
				}
			}
		}
		judges.DemandList(t, judges.PagesSent(t, resourceList), resourceList)
		t.NotApplicable("resources is declared, and the server has none")
	case kit.Unknown:
		t.Lacks(kit.Resources)
	}
	for _, list := range lists {
		page := kit.ReadPage(t.In(undeclared).Conclusive(list.Method), list.List)
		if slices.ContainsFunc(page.Items, judges.IsObject) {
			t.Breach(page.Exchange, expected, fmt.Sprintf("resources undeclared, and %s with %s", list.Method, judges.Counted([]kit.Page{page}, "item")))
			return // one cause: the other list tells nothing new
		}
	}
	for _, list := range lists {
		x := t.In(undeclared).Answered(list.Method)
		page := kit.ReadPage(x, list.List)
		if ok, _ := kit.Refused().Match(x); !ok && (!page.Readable || len(page.Items) > 0) {
			t.NotObservedAt(kit.Inconclusive, x, "resources is not declared, and %s is answered by something that is neither a list nor an error: %s",
				list.Method, kit.Describe(x))
		}
	}
	t.NotApplicable("the server does not declare resources and has none")
}

// resourcePages are the pages of the list that have resources on them, templatePages those of the list of templates.
func resourcePages(t *kit.T, list judges.Listing) []kit.Page {
	return judges.Filled(t, list, "the server has no resources: the list is empty")
}

func templatePages(t *kit.T, list judges.Listing) []kit.Page {
	return judges.Filled(t, list, "the server has no resource templates: the list is empty")
}

// badItems lists what the revision's schema does not allow in the given members of listed items, or in what stands in place of an item:
// one finding in the end, since one cause repeats in every item. Icons are security.icons-src's, _meta is jsonrpc's.
func badItems(t *kit.T, pages []kit.Page, list judges.Listing, members ...string) (*wire.Exchange, []schema.Violation) {
	item := "/result/" + list.Member + "/*"
	patterns := make([]string, len(members))
	for i, m := range members {
		patterns[i] = item + "/" + m
	}
	var at *wire.Exchange
	var all []schema.Violation
	for _, page := range pages {
		for _, v := range kit.Within(t.Shape(page.Exchange), item) {
			whole := strings.Count(v.Path, "/") == strings.Count(item, "/")
			if !whole && len(kit.Within([]schema.Violation{v}, patterns...)) == 0 {
				continue
			}
			if at == nil {
				at = page.Exchange
			}
			all = append(all, v)
		}
	}
	return at, all
}
