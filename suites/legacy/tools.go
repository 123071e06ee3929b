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
		alive := aliveAfter(t.In(list).IfSent("with params"), t.In(list).IfSent("control after"))
		for _, x := range judges.PagesSent(t, toolList) {
			// Whether a cursor is accepted is judged by pagination.cursor-accepted.
			if x.Number == 1 || x.Served() {
				judges.ToolsListed(t, x, toolList, alive)
			}
		}
		with := t.In(list).Answered("with params")
		if !with.Served() {
			// The session may have ended meanwhile.
			t.In(list).Control("control after")
		}
		judges.ToolsListed(t, kit.ReadPage(with, toolList.List), toolList, alive)
	}, kit.Tools)

	s.Check("tools.list.shape", inventory, func(t *kit.T) { judges.ToolShapes(t, toolList) }, kit.Tools)
}

// toolsSchemas is about inputSchema and outputSchema. Each place is reported once: what the protocol demands of inputSchema by the
// first two checks, the rest by tools.list.schemas-valid.
func toolsSchemas(s *kit.Section) {
	s.Check("tools.list.input-schema-object", inventory, func(t *kit.T) {
		judges.ToolInputSchemas(t, toolList, "tools.list.input-schema-not-null")
	}, kit.Tools)

	s.Check("tools.list.input-schema-not-null", inventory, func(t *kit.T) { judges.ToolInputObjects(t, toolList) }, kit.Tools)

	s.Check("tools.list.schemas-valid", inventory, func(t *kit.T) {
		judges.ToolSchemas(t, toolList, "tools.list.input-schema-object", "tools.list.output-schema-object")
	}, kit.Tools)

	s.Check("tools.list.output-schema-object", inventory, func(t *kit.T) { judges.ToolOutputSchemas(t, toolList) }, kit.Tools)

	s.Check("tools.list.schema-dialect", inventory, func(t *kit.T) { judges.ToolDialects(t, toolList) }, kit.Tools)
}

// toolsNames is about the names of tools. A name that is no string is reported by tools.list.shape and skipped here.
func toolsNames(s *kit.Section) {
	s.Check("tools.list.unique-names", inventory, func(t *kit.T) {
		judges.Unique(t, judges.ToolPages(t, toolList), toolList)
	}, kit.Tools)

	s.Check("tools.name.length", inventory, func(t *kit.T) { judges.ToolNameLengths(t, toolList, "tools.list.shape") }, kit.Tools)

	s.Check("tools.name.charset", inventory, func(t *kit.T) { judges.ToolNameCharacters(t, toolList, "tools.list.shape") }, kit.Tools)
}

// toolsStructured is about structuredContent, which came with 2025-06-18.
func toolsStructured(s *kit.Section) {
	s.Passive("tools.structured.object", judges.StructuredObjects, kit.Tools)

	s.Passive("tools.structured.also-text", judges.StructuredTexts, kit.Tools)

	s.Passive("tools.structured.conforms", func(t *kit.T) {
		judges.StructuredConforms(t, "tools.structured.object", "tools.list.schemas-valid")
	}, kit.Tools)
}

// toolsContent is about what goes with content: embedded resources, and annotations, which resources and templates have too.
func toolsContent(s *kit.Section) {
	s.Passive("tools.embedded-resource-capability", judges.EmbeddedDeclared, kit.Tools)

	s.Passive("tools.annotations-values", judges.AnnotationValues)
}

func toolsChanged(s *kit.Section) {
	s.Add(changedLists)
	s.Check("tools.list-changed", changedLists, func(t *kit.T) { judgeChanged(t, "tools", "/name") },
		kit.Capability("tools.listChanged"))
}
