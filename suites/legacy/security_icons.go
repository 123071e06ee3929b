package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// iconHolders are the places where a server puts icons.
var iconHolders = []judges.IconHolder{
	{Method: "initialize", Pointer: "/result/serverInfo", JudgedElsewhere: true}, // by lifecycle.initialize.server-info
	{Method: "tools/list", Pointer: "/result/tools"},
	{Method: "prompts/list", Pointer: "/result/prompts"},
	{Method: "resources/list", Pointer: "/result/resources"},
	{Method: "resources/templates/list", Pointer: "/result/resourceTemplates"},
}

func securityIcons(s *kit.Section) {
	s.Passive("security.icons-src", func(t *kit.T) { judges.Icons(t, iconHolders) })
}
