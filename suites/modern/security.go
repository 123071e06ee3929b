package modern

import (
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
	s.Check("modern.security.origin-validated", altered, judges.OriginValidated)
	s.Check("modern.security.origin-invalid-403", altered, judges.OriginInvalid403)
	s.Check("modern.security.origin-403-body", altered, judges.Origin403Body)
	s.Passive("modern.security.absent-origin-served", judges.OriginAbsentServed)
	s.Passive("modern.security.icons-safe", func(t *kit.T) { judges.Icons(t, icons, true) })
}
