package clients

import (
	"slices"
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

// stopped are the pages with a cursor, of those that are meant, behind which the client asked for no more although it came to its end.
func stopped(in []*wire.Transcript, meant func(page) bool) (at []page, on int) {
	for _, tr := range in {
		pages := pagesOf(tr)
		for i, p := range pages {
			if !p.Readable || !p.given() || !meant(p) {
				continue
			}
			if slices.ContainsFunc(pages[i+1:], func(o page) bool { return o.method == p.method && !o.first && o.cursor == p.Next() }) {
				on++
				continue
			}
			// Who hangs up behind an answer has read it, if something else is asked afterwards.
			read := p.Exchange.EndedBy == wire.ByServer ||
				p.Exchange.EndedBy == wire.ByClient && slices.Index(tr.Exchanges, p.Exchange) < len(tr.Exchanges)-1
			if tr.Aborted == "" && read {
				at = append(at, p)
			}
		}
	}
	return at, on
}
