package clients

import (
	"bytes"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func toolsModern(s *kit.Section) {
	s.Passive("modern.client.tools.no-network-ref", fetchesNoRef)
	s.Passive("modern.client.tools.schema-2020-12", reads2020)
}

// fetchesNoRef: what a schema refers to by an address is not fetched.
func fetchesNoRef(t *kit.T) {
	const expected = "no request for the address of a $ref"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client read no schema that refers to an address")
	for _, tr := range t.Transcripts() {
		for _, x := range fetches(tr, "/schemas/") {
			t.Breach(x, expected, "GET "+x.Request.URL)
		}
		for _, p := range pagesIn(tr) {
			for _, raw := range p.Items {
				if refersAway(raw) {
					t.Saw()
				}
			}
		}
	}
}

// reads2020: a schema without a dialect is one of 2020-12. A client that calls all the others of a list shows that it has left that tool out.
func reads2020(t *kit.T) {
	const expected = "a tool with $defs and prefixItems taken for one like any other"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client does not call every tool that it lists, so that it cannot be seen which it takes: have it call mcpcheck_2020_12")
	var left []*wire.Exchange
	for _, tr := range t.Transcripts() {
		for _, p := range pagesIn(tr) {
			for _, raw := range p.Items {
				schema, _ := wire.Lookup(raw, "/inputSchema")
				name, _ := kit.Text(raw, "name")
				if !bytes.Contains(schema, []byte(`"$defs"`)) || !bytes.Contains(schema, []byte(`"prefixItems"`)) {
					continue
				}
				switch called := calledIn(tr); {
				case slices.Contains(called, name):
					t.Saw()
				case len(called) > 1 && everyOther(p, name, called):
					left = append(left, p.Exchange)
				}
			}
		}
	}
	if len(left) > 1 && !t.Observed() {
		t.Warn(left[0], expected, "every other tool of the list is called, on two tries")
	}
}

// calledIn are the tools that were called in a conversation.
func calledIn(tr *wire.Transcript) []string {
	var names []string
	for _, x := range tr.Exchanges {
		var name string
		if m := x.RequestMessage(); m.Method == "tools/call" && m.Decode("/params/name", &name) == nil {
			names = append(names, name)
		}
	}
	return names
}

// everyOther tells that all tools of a page but one were called.
func everyOther(p kit.Page, but string, called []string) bool {
	return !slices.ContainsFunc(p.Keys("name"), func(name string) bool { return name != but && !slices.Contains(called, name) })
}
