package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func tools(s *kit.Section) {
	s.Check("modern.tools.declared", methodsProbe, func(t *kit.T) { undeclaredListed(t, toolList) })
	s.Add(connections)
	s.Check("modern.tools.list-not-per-connection", connections, func(t *kit.T) { samePerConnection(t, toolList) }, kit.Tools)
	s.Check("modern.tools.deterministic-order", connections, sameOrder, kit.Tools)
	toolsListed(s)
	toolsResults(s)
	toolsRefused(s)
}

// toolsListed are the rules about the list, which the inventory walks.
func toolsListed(s *kit.Section) {
	s.Check("modern.tools.list-answered", inventory, func(t *kit.T) { listAnswered(t, toolList) }, kit.Tools)
	s.Check("modern.tools.list-shape", inventory, func(t *kit.T) { judges.ToolShapes(t, toolList) }, kit.Tools)
	s.Check("modern.tools.input-schema-object", inventory, func(t *kit.T) { judges.ToolInputSchemas(t, toolList, "") }, kit.Tools)
	s.Check("modern.tools.schemas-valid", inventory, func(t *kit.T) {
		judges.ToolSchemas(t, toolList, "modern.tools.input-schema-object", "modern.tools.list-shape")
	}, kit.Tools)
	s.Check("modern.tools.schema-dialect", inventory, func(t *kit.T) { judges.ToolDialects(t, toolList) }, kit.Tools)
	s.Check("modern.tools.no-external-refs", inventory, externalRefs, kit.Tools)
	s.Check("modern.tools.name-length", inventory, func(t *kit.T) { judges.ToolNameLengths(t, toolList, "modern.tools.list-shape") }, kit.Tools)
	s.Check("modern.tools.name-charset", inventory, func(t *kit.T) { judges.ToolNameCharacters(t, toolList, "modern.tools.list-shape") }, kit.Tools)
	s.Check("modern.tools.name-unique", inventory, func(t *kit.T) {
		judges.Unique(t, judges.ToolPages(t, toolList), toolList)
	}, kit.Tools)
}

// toolsResults look at every result of a call that was asked for as it should be.
func toolsResults(s *kit.Section) {
	s.Passive("modern.tools.call-result-shape", func(t *kit.T) {
		judges.CallContents(t)
		judges.CallResults(t)
	}, kit.Tools)
	s.Passive("modern.tools.structured-conforms", func(t *kit.T) {
		judges.StructuredConforms(t, "", "modern.tools.schemas-valid")
	}, kit.Tools)
	s.Passive("modern.tools.structured-also-text", judges.StructuredTexts, kit.Tools)
	s.Passive("modern.tools.embedded-resource-capability", judges.EmbeddedDeclared, kit.Tools)
	s.Passive("modern.tools.annotations-of-content", judges.AnnotationValues)
}

// toolsRefused are the rules about calls that no server can carry out.
func toolsRefused(s *kit.Section) {
	s.Add(wrongParams)
	s.Check("modern.tools.unknown-tool-error", wrongParams, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, "tools/call", "modern.tools.call-result-shape")
		x := t.Conclusive("unknown tool", gatewayless...)
		invalidParams(t, x, coded(x))
	}, kit.Tools)
	s.Check("modern.tools.malformed-call-error", wrongParams, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, "tools/call", "modern.tools.call-result-shape")
		malformed(t)
	}, kit.Tools)

	s.Check("modern.tools.execution-error-in-result", wrongParams, func(t *kit.T) {
		o := judges.IncompleteCall(t, incomplete, gatewayless, "control", "control after")
		judges.DemandServed(t, "tools/call", "modern.tools.call-result-shape")
		executionError(t, o)
	}, kit.Tools)
}
