package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// tools is about the list; what calls bring has no checks yet.
func tools(s *kit.Section) {
	s.Check("modern.tools.list-answered", inventory, func(t *kit.T) { listAnswered(t, toolList) }, kit.Tools)
	s.Check("modern.tools.list-shape", inventory, func(t *kit.T) { judges.ToolShapes(t, toolList) }, kit.Tools)
	s.Check("modern.tools.input-schema-object", inventory, func(t *kit.T) { judges.ToolInputSchemas(t, toolList, "") }, kit.Tools)
	s.Check("modern.tools.schemas-valid", inventory, func(t *kit.T) { judges.ToolSchemas(t, toolList) }, kit.Tools)
	s.Check("modern.tools.name-length", inventory, func(t *kit.T) { judges.ToolNameLengths(t, toolList, "modern.tools.list-shape") }, kit.Tools)
	s.Check("modern.tools.name-charset", inventory, func(t *kit.T) { judges.ToolNameCharacters(t, toolList, "modern.tools.list-shape") }, kit.Tools)
	s.Check("modern.tools.name-unique", inventory, func(t *kit.T) {
		judges.Unique(t, judges.ToolPages(t, toolList), toolList)
	}, kit.Tools)
}
