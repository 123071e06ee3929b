package modern

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// metaClient is the rule about what a client says of itself.
func metaClient(s *kit.Section) {
	s.Check("modern.meta.client-info-no-behaviour", alteredLists, func(t *kit.T) {
		const expected = "the same list for every client"
		t.Says(expected)
		t.Control("control", "control after")
		own := listedNames(t.Answered("control"))
		if !slices.Equal(own, listedNames(t.Answered("control after"))) {
			t.NotObservedAt(kit.Inconclusive, t.Answered("control after"), "the list changes by itself")
		}
		for _, label := range []string{"another client", "no client"} {
			switch x := t.Conclusive(label, gatewayless...); {
			case label == "no client" && !processed(x):
				// modern.meta.client-info-optional reports it.
			case !processed(x):
				t.Breach(x, expected, kit.Describe(x))
			case !slices.Equal(own, listedNames(x)):
				t.Breach(x, expected, "another list for "+label)
			default:
				t.OK(x, "a list is the same whatever the client says that it is")
			}
		}
	})
}

// listedNames are the names, or URIs, of what a page lists, in the order of the alphabet.
func listedNames(x *wire.Exchange) (names []string) {
	method := x.RequestMessage().Method
	for _, l := range kit.Lists {
		if l.Method != method {
			continue
		}
		for _, item := range kit.ReadPage(x, l).Items {
			for _, name := range []string{"uri", "name"} {
				if text, ok := kit.Text(item, name); ok {
					names = append(names, text)
					break
				}
			}
		}
	}
	slices.Sort(names)
	return names
}
