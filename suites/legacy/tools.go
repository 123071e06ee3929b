package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func tools(s *kit.Section) {
	toolsList(s)
	toolsSchemas(s)
	toolsNames(s)
	toolsCall(s)
	toolsStructured(s)
	toolsContent(s)
	toolsChanged(s)
}

// toolsList is about the list itself: that it is declared, answered, and made of tools.
func toolsList(s *kit.Section) {
	undeclared := s.Script("tools/undeclared", kit.Shared, func(c *kit.C) {
		if c.Facts.Capability("tools") == kit.No {
			c.Call("tools/list", "tools/list")
		}
	})
	s.CheckAcross("tools.capability-declared", []*kit.Script{inventory, undeclared}, func(t *kit.T) {
		judges.Declared(t, undeclared, toolList)
	})

	// The inventory has asked without params.
	list := s.Script("tools/list", kit.Shared, func(c *kit.C) {
		if !c.Call("with params", "tools/list", client.WithParams(map[string]any{})).Served() {
			c.Safe("control after")
		}
	}, kit.Tools)
	s.CheckAcross("tools.list.answered", []*kit.Script{inventory, list}, func(t *kit.T) {
		t.Says("a result with tools, an array")
		for _, x := range judges.PagesSent(t, toolList) {
			// Whether a cursor is accepted is judged by pagination.cursor-accepted.
			if x.Number == 1 || x.Served() {
				judges.ToolsListed(t, x, toolList)
			}
		}
		with := t.In(list).Answered("with params")
		if !with.Served() {
			// The session may have ended meanwhile.
			t.In(list).Control("control after")
		}
		judges.ToolsListed(t, kit.ReadPage(with, toolList.List), toolList)
	}, kit.Tools, kit.BlockedBy("version-header.negotiated-accepted"))

	s.Check("tools.list.shape", inventory, func(t *kit.T) { judges.ToolShapes(t, toolList) }, kit.Tools)
}
