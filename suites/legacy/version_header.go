package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// badVersions are values of MCP-Protocol-Version that no server supports. Future dates are left out: servers that also speak the
// modern era route them to their other stack.
var badVersions = []string{"1900-01-01", "mcpcheck"}

func versionHeader(s *kit.Section) {
	since := kit.Revisions("2025-06-18", "2025-11-25")

	unsupported := s.Script("version-header/unsupported", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		for _, v := range badVersions {
			c.Safe(v, client.WithVersion(v), client.Broken("with MCP-Protocol-Version: "+v))
		}
		c.Safe("control after")
	}, since)
	s.Check("version-header.unsupported-400", unsupported, func(t *kit.T) {
		t.Control("control", "control after")
		for _, v := range badVersions {
			x := t.Probe(v, 402, 407, 500, 501)
			t.Expect(x, kit.HTTP(400))
		}
	})
}
