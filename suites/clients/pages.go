package clients

import (
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A page is what was answered to a request for a list, and which cursor the request had.
type page struct {
	kit.Page
	method string
	cursor string
	first  bool // it had none
}

// pagesOf are the pages that a conversation read, in the order in which they were asked for.
func pagesOf(tr *wire.Transcript) []page {
	var all []page
	for _, x := range tr.Exchanges {
		m := x.RequestMessage()
		if m.Kind != wire.KindRequest || !strings.HasSuffix(m.Method, "/list") {
			continue
		}
		p := page{Page: kit.ReadPage(x, kit.ListFor(m.Method)), method: m.Method}
		p.first = m.Decode("/params/cursor", &p.cursor) != nil
		all = append(all, p)
	}
	return all
}

// given tells that a page was answered with a cursor, empty or not.
func (p page) given() bool { return kit.JSONType(p.Cursor) == "string" }

// pagesIn are the pages of tools that a conversation read.
func pagesIn(tr *wire.Transcript) []kit.Page {
	var all []kit.Page
	for _, x := range tr.Exchanges {
		if x.RequestMessage().Method == "tools/list" {
			all = append(all, kit.ReadPage(x, kit.ListFor("tools/list")))
		}
	}
	return all
}
