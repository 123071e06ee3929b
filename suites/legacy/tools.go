package legacy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

func tools(s *kit.Section) {
	toolsList(s)
	toolsSchemas(s)
	toolsNames(s)
	toolsCall(s)
	toolsStructured(s)
	toolsContent(s)
	toolsChanged(s)
}

// toolsList is about the list itself: that it is declared, answered, and made of tools.
func toolsList(s *kit.Section) {
	undeclared := s.Script("tools/undeclared", kit.Shared, func(c *kit.C) {
		if c.Facts.Capability("tools") == kit.No {
			c.Call("tools/list", "tools/list")
		}
	})
	s.CheckAcross("tools.capability-declared", []*kit.Script{inventory, undeclared}, func(t *kit.T) {
		judges.Declared(t, undeclared, toolList)
	})

	// The inventory has asked without params.
	list := s.Script("tools/list", kit.Shared, func(c *kit.C) {
		if !c.Call("with params", "tools/list", client.WithParams(map[string]any{})).Served() {
			c.Safe("control after")
		}
	}, kit.Tools)
	s.CheckAcross("tools.list.answered", []*kit.Script{inventory, list}, func(t *kit.T) {
		t.Says("a result with tools, an array")
		for _, x := range judges.PagesSent(t, toolList) {
			// Whether a cursor is accepted is judged by pagination.cursor-accepted.
			if x.Number == 1 || x.Served() {
				judgeList(t, x)
			}
		}
		with := t.In(list).Answered("with params")
		if !with.Served() {
			// The session may have ended meanwhile.
			t.In(list).Control("control after")
		}
		judgeList(t, kit.ReadPage(with, toolList.List))
	}, kit.Tools, kit.BlockedBy("version-header.negotiated-accepted"))

	s.Check("tools.list.shape", inventory, func(t *kit.T) {
		t.Says("tools with a name, and members of the types that the revision defines")
		pages := toolPages(t)
		judgeTools(t, pages, t.Breach, func(v schema.Violation, place string) bool {
			member, below, _ := strings.Cut(place, "/")
			switch member {
			case "inputSchema", "icons", "_meta":
				return false // tools.list.input-schema-object and -not-null, security.icons-src, jsonrpc.meta-*
			case "outputSchema":
				return below == "" // what is in it is judged by tools.list.schemas-valid
			}
			return true
		})
		for _, p := range pages {
			if len(p.Items) > 0 {
				t.OK(p.Exchange, "%s, each with a name and members of the right types", judges.Counted(pages, "tool"))
			}
		}
	}, kit.Tools)
}

// judgeList judges one answer to a list request: a result with the list, an array.
func judgeList(t *kit.T, p kit.Page) {
	expected := "a result with " + toolList.Member + ", an array"
	x := t.MustConclude(p.Exchange)
	answer, answered := x.Answer()
	switch {
	case p.Readable && x.Served():
		t.OK(x, "tools/list is answered with and without params")
	case p.Readable:
		t.NotObservedAt(kit.Inconclusive, x, "the list came with an id that is not the request's: %s", kit.Describe(x))
	case answered && answer.Kind == wire.KindResult && kit.JSONType(answer.Result) == "object":
		tools, _ := answer.Pointer("/result/" + toolList.Member)
		t.Breach(x, expected, "a result in which "+toolList.Member+" is "+kit.JSON(tools))
	case sessionGone(x):
		t.NotObservedAt(kit.Inconclusive, x, "the session ended before the list was asked for: %s", kit.Describe(x))
	case answered, x.Status()/100 == 4:
		t.Breach(x, expected, kit.Describe(x))
	default:
		t.NotObservedAt(kit.Inconclusive, x, "the request got no answer: %s", kit.Describe(x))
	}
}

// toolPages are the pages of the tool list with tools in them.
func toolPages(t *kit.T) []kit.Page {
	pages := judges.PagesSent(t, toolList)
	judges.DemandList(t, pages, toolList)
	pages = slices.DeleteFunc(pages, func(p kit.Page) bool { return len(p.Items) == 0 })
	if len(pages) == 0 {
		t.NotApplicable("the list of tools is empty")
	}
	return pages
}

// judgeTools writes down what the message schema of the revision does not allow in the listed tools, as far as the requirement asks
// for it: one finding, since one cause repeats in every tool. The place is a pointer into the tool, without its first slash.
func judgeTools(t *kit.T, pages []kit.Page, write func(*wire.Exchange, string, string), asks func(v schema.Violation, place string) bool) {
	var at kit.Page
	var all []schema.Violation
	for _, p := range pages {
		found := slices.DeleteFunc(kit.Within(t.Shape(p.Exchange), "/result/tools/*"), func(v schema.Violation) bool {
			_, place := toolPlace(v.Path)
			return !asks(v, place)
		})
		if len(all) == 0 {
			at = p
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return
	}
	expected, got := kit.Wording(all)
	index, _ := toolPlace(all[0].Path)
	write(at.Exchange, expected, got+", in "+called(at, index))
}

// toolPlace splits a pointer into the result of tools/list: the index of the tool, and the place in it without its first slash.
func toolPlace(path string) (index int, place string) {
	steps := strings.SplitN(path, "/", 5)
	if len(steps) < 4 {
		return -1, ""
	}
	index, err := strconv.Atoi(steps[3])
	if err != nil {
		index = -1
	}
	if len(steps) == 5 {
		place = steps[4]
	}
	return index, place
}

// called names a tool of a page in a sentence.
func called(p kit.Page, index int) string {
	if index >= 0 && index < len(p.Items) {
		if name, ok := toolName(p.Items[index]); ok {
			return "the tool " + kit.Quote([]byte(name))
		}
	}
	return fmt.Sprintf("a tool without a name, number %d of its page", index+1)
}
