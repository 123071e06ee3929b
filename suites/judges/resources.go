package judges

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ResourcesListed judges the answer to the request for the first page. The id is that of the requirement which reports silence.
func ResourcesListed(t *kit.T, list Listing, unanswered string) {
	const expected = "a result with resources, an array"
	t.Says(expected)
	x := t.Conclusive(list.Method, 500)
	answer, answered := x.Answer()
	switch page := kit.ReadPage(x, list.List); {
	case page.Readable:
		t.OK(x, "resources/list is answered with an array of %s", Counted([]kit.Page{page}, "resource"))
	case answer.Kind == wire.KindResult:
		member, _ := answer.Pointer("/result/resources")
		t.Breach(x, expected, "a result in which resources is "+kit.JSON(member))
	case answered, x.Status()/100 == 4, kit.OwnError(x.Status()):
		t.Breach(x, expected, kit.Describe(x))
	default:
		t.Blocked(unanswered, "resources/list got no answer: "+kit.Describe(x))
	}
}

// ResourceShapes judges the members of listed resources.
func ResourceShapes(t *kit.T, list Listing) {
	t.Says("resources with uri and name, and members of their types")
	pages := ResourcePages(t, list)
	if at, found := badItems(t, pages, list, "uri", "name", "title", "description", "mimeType", "size"); len(found) > 0 {
		expected, got := kit.Wording(found)
		t.Breach(at, expected, got)
		return
	}
	t.OK(pages[0].Exchange, "%s, each with uri and name", Counted(pages, "resource"))
}

// ResourcesDeclared judges that who has resources or templates declares the capability. Both lists have to be empty or refused for the
// server to have none.
func ResourcesDeclared(t *kit.T, undeclared *kit.Script, resources, templates Listing) {
	const expected = "the capability resources declared, since there are resources or templates"
	t.Says(expected)
	t.Control(resources.Opening)
	lists := []Listing{resources, templates}
	switch t.Facts().Capability("resources") {
	case kit.Yes:
		for _, list := range lists {
			for _, page := range PagesSent(t, list) {
				if len(page.Items) > 0 {
					t.OK(page.Exchange, "resources is declared, and %s has %s", list.Method, Counted([]kit.Page{page}, "item"))
					return
				}
			}
		}
		DemandList(t, PagesSent(t, resources), resources)
		t.Unlisted([]string{resources.Method, templates.Method}, "resources is declared, and the server has none")
	case kit.Unknown:
		t.Lacks(kit.Resources)
	}
	for _, list := range lists {
		page := kit.ReadPage(t.In(undeclared).Conclusive(list.Method), list.List)
		if slices.ContainsFunc(page.Items, isObject) {
			t.Breach(page.Exchange, expected, fmt.Sprintf("resources undeclared, and %s with %s", list.Method, Counted([]kit.Page{page}, "item")))
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

// ResourcePages are the pages of the list that have resources on them, templatePages those of the list of templates.
func ResourcePages(t *kit.T, list Listing) []kit.Page {
	return Filled(t, list, "the server has no resources: the list is empty")
}

func templatePages(t *kit.T, list Listing) []kit.Page {
	return Filled(t, list, "the server has no resource templates: the list is empty")
}

// badItems lists what the revision's schema does not allow in the given members of listed items, or in what stands in place of an item:
// one finding in the end, since one cause repeats in every item. Icons and _meta have judges of their own.
func badItems(t *kit.T, pages []kit.Page, list Listing, members ...string) (*wire.Exchange, []schema.Violation) {
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

// TemplatesListed judges the answer to the request for templates, and their members.
func TemplatesListed(t *kit.T, list Listing, unanswered string) {
	const expected = "a result with resourceTemplates, an array of objects with uriTemplate and name"
	t.Says(expected)
	x := t.Conclusive(list.Method)
	answer, answered := x.Answer()
	switch page := kit.ReadPage(x, list.List); {
	case page.Readable && x.Served():
	case answer.Kind == wire.KindError, x.Status()/100 == 4:
		// Whether templates are part of the capability or optional within it is not said: no more than a warning.
		t.Warn(x, expected, kit.Describe(x))
		return
	case answered:
		member, _ := answer.Pointer("/result/resourceTemplates")
		t.Breach(x, expected, "a result in which resourceTemplates is "+kit.JSON(member))
		return
	default:
		t.Blocked(unanswered, "resources/templates/list got no answer: "+kit.Describe(x))
	}
	TemplateItems(t, list)
}

// TemplateItems judges the members of listed templates.
func TemplateItems(t *kit.T, list Listing) {
	pages := PagesSent(t, list)
	if at, found := badItems(t, pages, list, "uriTemplate", "name", "title", "description", "mimeType"); len(found) > 0 {
		wanted, got := kit.Wording(found)
		t.Breach(at, wanted, got)
		return
	}
	t.OK(pages[0].Exchange, "resources/templates/list is answered with %s", Counted(pages, "template"))
}
