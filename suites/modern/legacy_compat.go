package modern

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// modernOnly: the server refuses initialize, so that it has no older half which could answer.
var modernOnly = kit.Need{
	Otherwise: "the server speaks the older era too, which answers this in its own way",
	Unclear:   "whether the server speaks the older era too could not be told",
	Cause:     func(*kit.Facts) kit.Cause { return kit.Inconclusive },
	Of: func(f *kit.Facts) kit.Fact {
		switch f.DualEra {
		case kit.No:
			return kit.Yes
		case kit.Yes:
			return kit.No
		}
		return kit.Unknown
	},
}

func legacyCompat(s *kit.Section) {
	probe := s.Script("modern.legacy-compat/leftovers", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		c.Get("get").Close()
		c.Delete("delete")
		c.Safe("session id", client.WithHeader("Mcp-Session-Id", "mcpcheck-none"))
		c.Safe("last event id", client.WithHeader("Last-Event-ID", "mcpcheck-1"))
		c.Safe("control after")
	}, modernOnly)
	for _, c := range [][2]string{{"modern.legacy.get-405", "get"}, {"modern.legacy.delete-405", "delete"}} {
		id, label := c[0], c[1]
		s.Check(id, probe, func(t *kit.T) {
			t.Control("control", "control after")
			t.Expect(t.Conclusive(label, gatewayless...), kit.HTTP(405))
		})
	}
	for _, c := range [][2]string{{"modern.legacy.session-id-ignored", "session id"}, {"modern.legacy.last-event-id-ignored", "last event id"}} {
		id, label := c[0], c[1]
		s.Check(id, probe, func(t *kit.T) {
			t.Control("control", "control after")
			toleratedBy(t, t.Conclusive(label, gatewayless...), true)
		})
	}
	s.Passive("modern.legacy.session-id-not-minted", func(t *kit.T) {
		const expected = "no Mcp-Session-Id"
		t.Says(expected)
		for _, x := range t.Exchanges() {
			if len(x.ResponseSession()) > 0 {
				t.Breach(x, expected, "one on the answer to "+x.RequestMessage().Method)
			} else {
				t.Saw()
			}
		}
	}, modernOnly)
}
