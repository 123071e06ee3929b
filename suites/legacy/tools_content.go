package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// toolsContent is about what goes with content: embedded resources, and annotations, which resources and templates have too.
func toolsContent(s *kit.Section) {
	s.Passive("tools.embedded-resource-capability", judges.EmbeddedDeclared, kit.Tools)

	s.Passive("tools.annotations-values", judges.AnnotationValues)
}
