package modern

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// icons are the places where a server puts them.
var icons = []judges.IconHolder{
	{Method: methodDiscover, Pointer: "/result/_meta/io.modelcontextprotocol~1serverInfo"},
	{Method: "tools/list", Pointer: "/result/tools"},
	{Method: "prompts/list", Pointer: "/result/prompts"},
	{Method: "resources/list", Pointer: "/result/resources"},
	{Method: "resources/templates/list", Pointer: "/result/resourceTemplates"},
}

func security(s *kit.Section) {
	origin := s.Script("modern.security/origin", kit.Shared, func(c *kit.C) {
		c.SafeControl("control")
		c.Safe("foreign origin", client.WithHeader("Origin", judges.ForeignOrigin), client.Broken("with Origin: "+judges.ForeignOrigin))
		if c.Environment.Loopback {
			// Also where the foreign Origin alone is refused: who compares it with Host is taken in by the two together.
			rebound, host := judges.ReboundTo(c.Environment.URL)
			c.Safe("rebound", client.WithHeader("Origin", rebound), client.WithHost(host),
				client.Broken("with Origin and Host of "+judges.ForeignHost+", as DNS rebinding sends it"))
		}
		c.Safe("control after")
	})
	s.Check("modern.security.origin-validated", origin, judges.OriginValidated)
	s.Check("modern.security.origin-invalid-403", origin, judges.OriginInvalid403)
	s.Check("modern.security.origin-403-body", origin, judges.Origin403Body)
	s.Passive("modern.security.absent-origin-served", judges.OriginAbsentServed)
	s.Passive("modern.security.icons-safe", func(t *kit.T) { judges.Icons(t, icons, true) })
}
