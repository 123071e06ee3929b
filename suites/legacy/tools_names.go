package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// toolsNames is about the names of tools. A name that is no string is reported by tools.list.shape and skipped here.
func toolsNames(s *kit.Section) {
	s.Check("tools.list.unique-names", inventory, func(t *kit.T) {
		judges.Unique(t, judges.ToolPages(t, toolList), toolList)
	}, kit.Tools)

	s.Check("tools.name.length", inventory, func(t *kit.T) { judges.ToolNameLengths(t, toolList, "tools.list.shape") }, kit.Tools)

	s.Check("tools.name.charset", inventory, func(t *kit.T) { judges.ToolNameCharacters(t, toolList, "tools.list.shape") }, kit.Tools)
}
