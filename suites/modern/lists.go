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
	templateList = listing(kit.Lists[3], "modern.resources.templates-list")
)

// answeredBy is the requirement that reports a list that cannot be read.
func answeredBy(list kit.List) string {
	for _, l := range []judges.Listing{toolList, promptList, resourceList, templateList} {
		if l.Method == list.Method {
			return l.Answered
		}
	}
	return ""
}

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
		case p.Status() == 405:
			t.Blocked("modern.transport.single-post-endpoint", "it is not served at this URL", p.Exchange)
		default:
			misanswered(t, t.MustConclude(p.Exchange, gatewayless...), expected)
		}
	}
}

// undeclaredListed judges that a feature whose list has something in it is declared.
func undeclaredListed(t *kit.T, list judges.Listing) {
	expected := "the capability " + list.Capability + " declared, or " + expectedNotFound
	t.Says(expected)
	label := "undeclared " + list.Method
	if t.IfSent(label) == nil {
		t.NotApplicable("%s is declared, or what is declared is not known", list.Capability)
	}
	t.Control("control", "control after")
	x := t.Conclusive(label)
	switch p := kit.ReadPage(x, list.List); {
	case p.Readable && len(p.Items) > 0:
		t.Breach(x, expected, list.Method+" with items, undeclared")
	case p.Readable:
		t.Warn(x, expected, "an empty list, undeclared")
	default:
		t.OK(x, "%s", kit.Describe(x))
	}
}

// invalidParams judges the answer to params that no server can serve, such as a name that is not there; soft: everything but -32602 can be
// defended.
func invalidParams(t *kit.T, x *wire.Exchange, soft bool) {
	const expected = "JSON-RPC error -32602"
	t.Says(expected)
	code := codeOf(x)
	switch {
	case code == codeInvalidParams:
		t.OK(x, "%s", kit.Describe(x))
	case soft, failed(x):
		t.Warn(x, expected, kit.Describe(x))
	default:
		misanswered(t, x, expected)
	}
}

// named are the requests whose name or URI Mcp-Name mirrors, with the capability that declares them.
var named = []struct{ capability, method, member string }{
	{"resources", "resources/read", "uri"}, {"prompts", "prompts/get", "name"}, {"tools", "tools/call", "name"},
}

// nowhere is a request for something that is not there, of a feature that is: the last declared of named, since its names are freest.
func nowhere(f *kit.Facts) (method, member string) {
	for _, n := range named {
		if f.Capability(n.capability) == kit.Yes {
			method, member = n.method, n.member
		}
	}
	return method, member
}

// failed tells that a result says that the call failed.
func failed(x *wire.Exchange) bool {
	answer, _ := x.Answer()
	var is bool
	_ = answer.Decode("/result/isError", &is)
	return is
}
