package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// toolsSchemas is about inputSchema and outputSchema. Each place is reported once: what the protocol demands of inputSchema by the
// first two checks, the rest by tools.list.schemas-valid.
func toolsSchemas(s *kit.Section) {
	s.Check("tools.list.input-schema-object", inventory, func(t *kit.T) {
		judges.ToolInputSchemas(t, toolList, "tools.list.input-schema-not-null")
	}, kit.Tools)

	s.Check("tools.list.input-schema-not-null", inventory, func(t *kit.T) { judges.ToolInputObjects(t, toolList) }, kit.Tools)

	s.Check("tools.list.schemas-valid", inventory, func(t *kit.T) { judges.ToolSchemas(t, toolList) }, kit.Tools)

	s.Check("tools.list.schema-dialect", inventory, func(t *kit.T) { judges.ToolDialects(t, toolList) }, kit.Tools)
}
