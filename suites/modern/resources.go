package modern

import (
	"encoding/json"
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// resources is about the list and URIs that are not there; what resources/read brings has no checks yet.
func resources(s *kit.Section) {
	s.Check("modern.resources.declared", methodsProbe, func(t *kit.T) { undeclaredListed(t, resourceList) })
	unknown := s.Script("modern.resources/unknown", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		c.Call("unknown resource", "resources/read", client.WithParams(map[string]any{"uri": fmt.Sprintf("mcpcheck-no-such:///%d", c.Client().NextID())}))
		c.Safe("control after")
	}, kit.Resources)
	contents := func(x *wire.Exchange) (items []json.RawMessage, ok bool) {
		answer, _ := x.Answer()
		return items, processed(x) && answer.Decode("/result/contents", &items) == nil && items != nil
	}
	s.Check("modern.resources.not-found-code", unknown, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Conclusive("unknown resource", gatewayless...)
		switch items, read := contents(x); {
		case read && len(items) == 0:
			t.Blocked("modern.resources.no-empty-contents", "the answer has no contents", x)
		case read:
			t.NotObservedAt(kit.Inconclusive, x, "a template that takes everything may have answered: %s", kit.Describe(x))
		default:
			unknownName(t, x, false)
		}
	})
	s.Check("modern.resources.no-empty-contents", unknown, func(t *kit.T) {
		const expected = "an error, not a result without contents"
		t.Says(expected)
		t.Control("control", "control after")
		x := t.Conclusive("unknown resource")
		if items, read := contents(x); read && len(items) == 0 {
			t.Breach(x, expected, kit.Describe(x)+" and contents []")
			return
		}
		t.OK(x, "%s", kit.Describe(x))
	})
	s.Check("modern.resources.list-answered", inventory, func(t *kit.T) { listAnswered(t, resourceList) }, kit.Resources)
	s.Check("modern.resources.list-shape", inventory, func(t *kit.T) { judges.ResourceShapes(t, resourceList) }, kit.Resources)
	s.Check("modern.resources.uri-valid", inventory, func(t *kit.T) { judges.ResourceURIs(t, resourceList, "modern.resources.list-shape") }, kit.Resources)
}
