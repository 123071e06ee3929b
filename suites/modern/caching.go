package modern

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// The methods whose results may be cached, and so carry hints.
var cacheable = []string{methodDiscover, "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"}

func caching(s *kit.Section) {
	for _, c := range []struct {
		id, method, answered string
		needs                []kit.Option
	}{
		{"modern.caching.hints-discover", methodDiscover, "modern.discover.implemented", nil},
		{"modern.caching.hints-tools-list", "tools/list", toolList.Answered, []kit.Option{kit.Tools}},
		{"modern.caching.hints-prompts-list", "prompts/list", promptList.Answered, []kit.Option{kit.Prompts}},
		{"modern.caching.hints-resources-list", "resources/list", resourceList.Answered, []kit.Option{kit.Resources}},
		{"modern.caching.hints-resource-templates-list", "resources/templates/list", "", []kit.Option{kit.Resources}},
	} {
		s.Check(c.id, inventory, func(t *kit.T) { hints(t, c.method, c.answered) }, c.needs...)
	}
	s.Passive("modern.caching.hints-resources-read", func(t *kit.T) { eachHinted(t, readMethod, t.Exchanges()) }, kit.Resources)
	s.Passive("modern.caching.no-hints-on-input-required", noHints)
	s.Passive("modern.caching.ttl-value", func(t *kit.T) {
		const expected = "ttlMs as an integer that is not negative"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no result with ttlMs was seen")
		eachHint(t, "ttlMs", func(m kit.Seen, raw json.RawMessage) {
			n, err := strconv.ParseFloat(string(raw), 64)
			if err != nil || n < 0 || n != math.Trunc(n) {
				t.BreachAt(m, expected, "ttlMs "+kit.JSON(raw))
				return
			}
			t.Saw()
		})
	})
	s.Passive("modern.caching.scope-value", func(t *kit.T) {
		const expected = `cacheScope "public" or "private"`
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no result with cacheScope was seen")
		eachHint(t, "cacheScope", func(m kit.Seen, raw json.RawMessage) {
			if s := string(raw); s != `"public"` && s != `"private"` {
				t.BreachAt(m, expected, "cacheScope "+kit.JSON(raw))
				return
			}
			t.Saw()
		})
	})
	s.Check("modern.caching.same-scope-across-pages", inventory, func(t *kit.T) {
		const expected = "the same cacheScope on every page"
		t.Says(expected)
		for _, list := range t.Facts().Paged {
			scope := ""
			for _, p := range kit.Pages(t.Transcript(), list) {
				answer, _ := p.Answer()
				raw, there := answer.Pointer("/result/cacheScope")
				switch {
				case !there:
				case scope == "" || scope == string(raw):
					if scope = string(raw); p.Number > 1 {
						t.OK(p.Exchange, "%s has one cacheScope", list.Method)
					}
				default:
					t.Breach(p.Exchange, expected, "cacheScope "+kit.JSON(raw)+" behind "+scope)
				}
			}
		}
	}, kit.Paged)
}

// noHints judges that a result which asks for input says nothing of how long it may be kept.
func noHints(t *kit.T) {
	const expected = "no ttlMs and no cacheScope in a result that asks for input"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no result asked for input")
	for _, m := range t.Messages() {
		if !inputRequired(m.Message) {
			continue
		}
		for _, name := range hintNames {
			if raw, there := m.Pointer("/result/" + name); there {
				t.WarnAt(m, expected, name+" "+kit.JSON(raw))
			} else {
				t.OK(m.Exchange, "results that ask for input have no hints")
			}
		}
	}
}

// hintNames are the members that say how long, and for whom, a result may be kept.
var hintNames = []string{"ttlMs", "cacheScope"}

// hints judges that every page of a result has both hints. Where no result came answered reports it, if there is such a requirement.
func hints(t *kit.T, method, answered string) {
	first := t.Answered(method)
	eachHinted(t, method, t.Transcript().Exchanges)
	switch answer, _ := first.Answer(); {
	case t.Observed():
	case processed(first) && judges.Interim(t, answer):
		t.Blocked("modern.mrtr.only-supported-methods", "the result of "+method+" asks for something first", first)
	case processed(first):
		t.Blocked("modern.jsonrpc.result-member", "the result of "+method+" is no object", first)
	case answered != "":
		t.Blocked(answered, "no result of "+method+" came: "+kit.Describe(first), first)
	default:
		t.NotObservedAt(kit.TurnedAway, first, "no result of %s came: %s", method, kit.Describe(first))
	}
}

// eachHinted judges that every complete result of a method has both hints.
func eachHinted(t *kit.T, method string, exchanges []*wire.Exchange) {
	const expected = "ttlMs and cacheScope"
	t.Says(expected)
	t.Unseen(kit.Inconclusive, "no result of %s came", method)
	for _, x := range exchanges {
		answer, _ := x.Answer()
		// What is no object has no members: modern.jsonrpc.result-member reports it. What a server has for a URI that we made up may be
		// anything.
		if x.RequestMessage().Method != method || x.Broken != "" || kit.JSONType(answer.Result) != "object" || inputRequired(answer) {
			continue
		}
		for _, name := range hintNames {
			if _, there := answer.Pointer("/result/" + name); !there {
				t.Breach(x, expected, "no "+name+" in a result of "+method)
			} else {
				t.OK(x, "both hints are there")
			}
		}
	}
}

// eachHint visits a hint of every result that has it.
func eachHint(t *kit.T, name string, visit func(kit.Seen, json.RawMessage)) {
	for _, m := range t.Messages() {
		if !slices.Contains(cacheable, m.Exchange.RequestMessage().Method) || mayBeOlder(t, m.Exchange) {
			continue
		}
		if raw, there := m.Pointer("/result/" + name); there {
			visit(m, raw)
		}
	}
}
