package modern

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// tools is about the list and names that are not there; what calls bring has no checks yet.
func tools(s *kit.Section) {
	s.Check("modern.tools.declared", methodsProbe, func(t *kit.T) { undeclaredListed(t, toolList) })
	unknown := s.Script("modern.tools/unknown", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		c.Call("unknown tool", "tools/call", client.WithParams(map[string]any{"name": fmt.Sprintf("mcpcheck-no-such-%d", c.Client().NextID()), "arguments": struct{}{}}))
		c.Safe("control after")
	}, kit.Tools)
	s.Check("modern.tools.unknown-tool-error", unknown, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Conclusive("unknown tool", gatewayless...)
		unknownName(t, x, coded(x))
	})
	s.Check("modern.tools.list-answered", inventory, func(t *kit.T) { listAnswered(t, toolList) }, kit.Tools)
	s.Check("modern.tools.list-shape", inventory, func(t *kit.T) { judges.ToolShapes(t, toolList) }, kit.Tools)
	s.Check("modern.tools.input-schema-object", inventory, func(t *kit.T) { judges.ToolInputSchemas(t, toolList, "") }, kit.Tools)
	s.Check("modern.tools.schemas-valid", inventory, func(t *kit.T) {
		judges.ToolSchemas(t, toolList, "modern.tools.input-schema-object", "modern.tools.list-shape")
	}, kit.Tools)
	s.Check("modern.tools.name-length", inventory, func(t *kit.T) { judges.ToolNameLengths(t, toolList, "modern.tools.list-shape") }, kit.Tools)
	s.Check("modern.tools.name-charset", inventory, func(t *kit.T) { judges.ToolNameCharacters(t, toolList, "modern.tools.list-shape") }, kit.Tools)
	s.Check("modern.tools.name-unique", inventory, func(t *kit.T) {
		judges.Unique(t, judges.ToolPages(t, toolList), toolList)
	}, kit.Tools)
}
