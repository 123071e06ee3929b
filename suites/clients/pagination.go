package clients

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func pagination(s *kit.Section) {
	s.Passive("pagination.client.opaque", cursorsOpaque)
	s.Passive("pagination.client.page-size", pageSizes)
	s.Passive("pagination.client.end", pagesEnd)
	s.Passive("pagination.client.empty-cursor", func(t *kit.T) { emptyCursor(t, true) })
}

func paginationModern(s *kit.Section) {
	s.Passive("modern.client.pagination.opaque-cursor", cursorsOpaque)
	s.Passive("modern.client.pagination.no-fixed-page-size", pageSizes)
	s.Passive("modern.client.pagination.missing-cursor-ends", pagesEnd)
	s.Passive("modern.client.pagination.empty-cursor-continues", func(t *kit.T) { emptyCursor(t, false) })
}

// cursorsOpaque: a cursor comes back as it was given, in the conversation that gave it. Both eras have the rule.
func cursorsOpaque(t *kit.T) {
	const expected = "a cursor as the server gave it"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client asked for no second page")
	for _, tr := range t.Transcripts() {
		pages := pagesOf(tr)
		for i, p := range pages {
			if p.first {
				continue
			}
			if slices.ContainsFunc(pages[:i], func(o page) bool { return o.given() && o.method == p.method && o.Next() == p.cursor }) {
				t.Saw()
				continue
			}
			if slices.ContainsFunc(pages[:i], func(o page) bool { return o.given() && o.method == p.method && asLatin1(o.Next()) == p.cursor }) {
				continue // transport.client.decodes-utf8 has it
			}
			t.Breach(p.Exchange, expected, what(p.Exchange)+" with the cursor "+kit.Quote([]byte(p.cursor))+", which no page of the list gave")
		}
	}
}

// follows tells in how many conversations the client followed a cursor of a list that was not empty.
func follows(t *kit.T, list string) int {
	n := 0
	for _, tr := range t.Everywhere() {
		if slices.ContainsFunc(pagesOf(tr), func(p page) bool { return p.method == list && !p.first && p.cursor != "" }) {
			n++
		}
	}
	return n
}

// pageSizes: a page that is empty, or shorter than the one before, is no last one while it has a cursor. Both eras have the rule.
func pageSizes(t *kit.T) {
	const expected = "the page behind an empty one that has a cursor"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client read no empty page that has a cursor")
	for _, list := range listed(t) {
		at, on := stopped(t.Transcripts(), func(p page) bool { return p.method == list && len(p.Items) == 0 && !p.first })
		switch {
		case on > 0:
			t.Saw()
		case len(at) > 0 && follows(t, list) > 0:
			t.Breach(at[0].Exchange, expected, "no request with its cursor, though the client had followed the one of the page before")
		}
	}
}

// listed are the methods by which the client read lists: what it does with one it need not do with another.
func listed(t *kit.T) (methods []string) {
	for _, tr := range t.Transcripts() {
		for _, p := range pagesOf(tr) {
			if !slices.Contains(methods, p.method) {
				methods = append(methods, p.method)
			}
		}
	}
	return methods
}

// pagesEnd: the walk over a list goes on while there is a cursor, and ends with it. Both eras have the rule.
func pagesEnd(t *kit.T) {
	const expected = "one request for each page of a list, to its end"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client listed nothing")
	// Prompts have a requirement of their own.
	first := func(p page) bool { return p.first && p.Next() != "" && p.method != "prompts/list" }
	unfollowed, _ := stopped(t.Transcripts(), first)
	all, on := stopped(t.Everywhere(), first)
	for _, tr := range t.Transcripts() {
		pages := pagesOf(tr)
		for i, p := range pages {
			if !p.Readable || p.given() || p.first {
				continue
			}
			if i+1 < len(pages) && !pages[i+1].first && pages[i+1].method == p.method {
				t.Warn(pages[i+1].Exchange, expected, what(pages[i+1].Exchange)+" with a cursor behind a page that had none")
				continue
			}
			t.Saw()
		}
		if slices.ContainsFunc(pages, func(p page) bool { return p.first && p.Readable && !p.given() }) {
			t.Saw()
		}
	}
	if len(unfollowed) > 0 && len(all) > 1 && on == 0 {
		t.Warn(unfollowed[0].Exchange, expected, "no request with the nextCursor of the first page, in any conversation")
	}
}

// emptyCursor: a cursor of no characters is one all the same, where the revision says so.
func emptyCursor(t *kit.T, unsaid bool) {
	const expected = `a request with the cursor ""`
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client that follows cursors met no empty one")
	for _, list := range listed(t) {
		at, on := stopped(t.Transcripts(), func(p page) bool { return p.method == list && p.Next() == "" })
		switch {
		case on > 0:
			t.Saw()
		case len(at) == 0 || follows(t, list) == 0:
		case unsaid:
			t.Note(at[0].Exchange, `a nextCursor "" ends the list for this client, which these revisions leave open`)
		default:
			t.Breach(at[0].Exchange, expected, `no more of the list behind nextCursor "", though other cursors are followed`)
		}
	}
}
