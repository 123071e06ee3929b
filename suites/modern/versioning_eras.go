package modern

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// dualEra: the server serves initialize too.
var dualEra = kit.Need{
	Otherwise: "the server speaks this era only",
	Unclear:   "whether the server speaks the older era too could not be told",
	Cause:     func(*kit.Facts) kit.Cause { return kit.Inconclusive },
	Of:        func(f *kit.Facts) kit.Fact { return f.DualEra },
}

// versioningEras is the rule about a client of both eras.
func versioningEras(s *kit.Section) {
	probe := s.Script("modern.versioning/beside-a-session", kit.Own, func(c *kit.C) {
		x := c.Post("initialize", fmt.Appendf(nil,
			`{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"mcpcheck","version":"1"}}}`,
			c.Client().NextID(), revision.Newest(revision.Of(revision.Legacy))), client.WithoutVersion())
		c.Call("beside the session", methodDiscover, client.Fresh())
		for _, id := range x.ResponseSession() {
			c.Delete("end of the session", client.WithSession(id), client.WithVersion(revision.Newest(revision.Of(revision.Legacy))))
		}
	}, dualEra)
	s.CheckAcross("modern.version.modern-meta-served-statelessly", []*kit.Script{probe, inventory}, func(t *kit.T) {
		const expected = "a DiscoverResult without a session"
		t.Says(expected)
		if open := t.Answered("initialize"); !open.Served() {
			t.NotObservedAt(kit.TurnedAway, open, "initialize was not served: %s", kit.Describe(open))
		}
		if alone := t.In(inventory).Answered(methodDiscover); !processed(alone) {
			t.Blocked("modern.discover.implemented", "there is no DiscoverResult without a session of the client either", alone)
		}
		x := t.Conclusive("beside the session", gatewayless...)
		answer, _ := x.Answer()
		switch _, typed := answer.Pointer("/result/resultType"); {
		case answer.Kind == wire.KindResult && typed:
			t.OK(x, "server/discover is served beside a session of the older era, without one")
		case answer.Kind == wire.KindResult:
			// modern.jsonrpc.result-type-present reports that alone.
			t.NotObservedAt(kit.Inconclusive, x, "a result without resultType")
		default:
			t.Breach(x, expected, kit.Describe(x))
		}
	})
}
