package judges

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ToolShapes judges the members of listed tools but those of their schemas, icons and _meta.
func ToolShapes(t *kit.T, list Listing) {
	t.Says("tools with a name, and members of the types that the revision defines")
	pages := ToolPages(t, list)
	judgeTools(t, pages, t.Breach, func(v schema.Violation, place string) bool {
		member, below, _ := strings.Cut(place, "/")
		switch member {
		case "inputSchema", "icons", "_meta":
			return false // ToolInputSchemas, ToolInputObjects, Icons, MetaKeys
		case "outputSchema":
			return below == "" // what is in it is judged by ToolSchemas
		}
		return true
	})
	t.OK(pages[0].Exchange, "%s, each with a name and members of the right types", Counted(pages, "tool"))
}

// ToolsListed judges one answer to a list request: a result with the list, an array. What reads as the end of a conversation is one only
// where it was not alive afterwards.
func ToolsListed(t *kit.T, p kit.Page, list Listing, alive bool) {
	expected := "a result with " + list.Member + ", an array"
	x := t.MustConclude(p.Exchange, 500)
	answer, answered := x.Answer()
	switch {
	case p.Readable && x.Served():
		t.OK(x, "%s is answered with and without params", list.Method)
	case p.Readable:
		t.NotObservedAt(kit.Inconclusive, x, "the list came with an id that is not the request's: %s", kit.Describe(x))
	case kit.JSONType(answer.Result) == "object":
		tools, _ := answer.Pointer("/result/" + list.Member)
		t.Breach(x, expected, "a result in which "+list.Member+" is "+kit.JSON(tools))
	case list.Ended(x) && !alive:
		t.NotObservedAt(kit.Inconclusive, x, "the session ended before the list was asked for: %s", kit.Describe(x))
	case answered, x.Status()/100 == 4, kit.OwnError(x.Status()):
		t.Breach(x, expected, kit.Describe(x))
	default:
		t.NotObservedAt(kit.Inconclusive, x, "the request got no answer: %s", kit.Describe(x))
	}
}

// ToolPages are the pages of the tool list with tools in them.
func ToolPages(t *kit.T, list Listing) []kit.Page {
	return Filled(t, list, "the list of tools is empty")
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
	if name, ok := toolName(p.Items[index]); ok {
		return "the tool " + kit.Quote([]byte(name))
	}
	return fmt.Sprintf("a tool without a name, number %d of its page", index+1)
}

// toolName reads the name of a listed tool.
func toolName(raw json.RawMessage) (name string, ok bool) { return kit.Text(raw, "name") }
