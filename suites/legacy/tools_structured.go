package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// toolsStructured is about structuredContent, which came with 2025-06-18.
func toolsStructured(s *kit.Section) {
	s.Passive("tools.structured.object", judges.StructuredObjects, kit.Tools)

	s.Passive("tools.structured.also-text", judges.StructuredTexts, kit.Tools)

	s.Passive("tools.structured.conforms", func(t *kit.T) {
		judges.StructuredConforms(t, "tools.structured.object", "tools.list.schemas-valid")
	}, kit.Tools)
}
