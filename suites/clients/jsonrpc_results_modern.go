package clients

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func jsonrpcResultsModern(s *kit.Section) {
	s.Passive("modern.client.jsonrpc.absent-result-type", takesAbsentType)
	s.Passive("modern.client.jsonrpc.unknown-result-type", refusesUnknownType)
	s.Passive("modern.client.jsonrpc.no-meaning-in-legacy-codes", readsNoMeaning)
}

// takesAbsentType: who refuses a result without a type may do so of servers of this revision, which have to write one.
func takesAbsentType(t *kit.T) {
	t.Says("a result without resultType taken as complete")
	t.Unseen(kit.Unprovoked, "no result came without resultType")
	planned := plan(t)
	for _, tr := range t.Transcripts() {
		for i, x := range tr.Exchanges {
			if _, there := resultTypeOf(x); there || !x.Served() || !isModern(x.RequestMessage()) {
				continue
			}
			later := slices.ContainsFunc(tr.Exchanges[i+1:], func(o *wire.Exchange) bool { return o.Sent >= x.End && isRequest(o.RequestMessage()) })
			switch {
			case later:
				t.Saw()
			case missing(tr, planned) != "":
				t.Note(x, "the client breaks off behind a result without resultType, which servers of this revision may not leave out")
			}
		}
	}
}

// refusesUnknownType: a tool that stands only in a list of an unknown type is not there.
func refusesUnknownType(t *kit.T) {
	const expected = "a result with a resultType that nobody knows taken for none"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client read no list whose resultType nobody knows, or called nothing afterwards")
	known := []string{"", "complete", "input_required"}
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			kind, there := resultTypeOf(x)
			if x.RequestMessage().Method != "tools/list" || !there || slices.Contains(known, kind) || !isModern(x.RequestMessage()) {
				continue
			}
			names := kit.ReadPage(x, kit.ListFor("tools/list")).Keys("name")
			i := slices.IndexFunc(tr.Exchanges, func(o *wire.Exchange) bool {
				var name string
				m := o.RequestMessage()
				return m.Method == "tools/call" && o.Sent >= x.End && m.Decode("/params/name", &name) == nil && slices.Contains(names, name) && !listedIn(tr, name, x)
			})
			switch {
			case i >= 0:
				t.Breach(tr.Exchanges[i], expected, "a call of a tool that only stands in a list of the type "+kit.Quote([]byte(kind)))
			case len(names) > 0 && callsAll(t):
				t.Saw()
			}
		}
	}
}

// listedIn tells that another page of the conversation has a tool.
func listedIn(tr *wire.Transcript, name string, but *wire.Exchange) bool {
	return slices.ContainsFunc(pagesIn(tr), func(p kit.Page) bool { return p.Exchange != but && slices.Contains(p.Keys("name"), name) })
}

// callsAll tells that the client is one that calls tools from the second page of a list where that is as it should be.
func callsAll(t *kit.T) bool {
	for _, tr := range t.Everywhere() {
		pages := pagesIn(tr)
		for _, x := range tr.Exchanges {
			var name string
			if x.RequestMessage().Method != "tools/call" || x.RequestMessage().Decode("/params/name", &name) != nil {
				continue
			}
			i := slices.IndexFunc(pages, func(p kit.Page) bool { return slices.Contains(p.Keys("name"), name) })
			if i < 1 {
				continue
			}
			if kind, _ := resultTypeOf(pages[i].Exchange); kind == "" || kind == "complete" {
				return true
			}
		}
	}
	return false
}

// readsNoMeaning: an error of the old range is an error, and nothing else.
func readsNoMeaning(t *kit.T) {
	const expected = "a code from -32019 to -32000 taken for an error like any other"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no call was refused with such a code")
	for _, tr := range t.Transcripts() {
		for i, x := range tr.Exchanges {
			m, _ := x.Answer()
			code, has := m.ErrorCode()
			if !has || code < -32019 || code > -32000 || code == -32002 || x.RequestMessage().Method != "tools/call" || !isModern(x.RequestMessage()) {
				continue
			}
			acted := slices.IndexFunc(tr.Exchanges[i+1:], func(o *wire.Exchange) bool {
				r := o.RequestMessage()
				return r.Method == "tools/list" && !hasCursor(r) && o.Sent > x.End
			})
			if acted >= 0 && !lists(t, tr) {
				t.Warn(tr.Exchanges[i+1+acted], expected, "tools/list again, as after HeaderMismatch")
				continue
			}
			t.Saw()
		}
	}
}

// lists tells that the client lists the tools again behind a call that was served, in other conversations: then a refusal is not why. Behind
// HeaderMismatch everybody does.
func lists(t *kit.T, but *wire.Transcript) bool {
	for _, tr := range t.Everywhere() {
		if tr == but {
			continue
		}
		served := false // the call before
		for _, x := range tr.Exchanges {
			switch m := x.RequestMessage(); {
			case m.Method == "tools/call":
				answer, answered := x.Answer()
				served = answered && !answer.HasError
			case m.Method == "tools/list" && !hasCursor(m) && served:
				return true
			}
		}
	}
	return false
}
