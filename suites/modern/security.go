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

// originProbes are requests as pages of others have browsers send them.
func originProbes(c *kit.C, probe func(string, ...client.Option)) {
	probe("foreign origin", client.WithHeader("Origin", judges.ForeignOrigin), client.Broken("with Origin: "+judges.ForeignOrigin))
	if c.Environment.Loopback {
		// Also where the foreign Origin alone is refused: who compares it with Host is taken in by the two together.
		rebound, host := judges.ReboundTo(c.Environment.URL)
		probe("rebound", client.WithHeader("Origin", rebound), client.WithHost(host),
			client.Broken("with Origin and Host of "+judges.ForeignHost+", as DNS rebinding sends it"))
	}
}

func security(s *kit.Section) {
	s.Check("modern.security.origin-validated", altered, judges.OriginValidated)
	s.Check("modern.security.origin-invalid-403", altered, judges.OriginInvalid403)
	s.Check("modern.security.origin-403-body", altered, judges.Origin403Body)
	s.Passive("modern.security.absent-origin-served", judges.OriginAbsentServed)
	s.Passive("modern.security.icons-safe", func(t *kit.T) { judges.Icons(t, icons, true) })
}
