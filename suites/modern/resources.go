package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// resources is about the list; what resources/read brings has no checks yet.
func resources(s *kit.Section) {
	s.Check("modern.resources.list-answered", inventory, func(t *kit.T) { listAnswered(t, resourceList) }, kit.Resources)
	s.Check("modern.resources.list-shape", inventory, func(t *kit.T) { judges.ResourceShapes(t, resourceList) }, kit.Resources)
	s.Check("modern.resources.uri-valid", inventory, func(t *kit.T) { judges.ResourceURIs(t, resourceList, "modern.resources.list-shape") }, kit.Resources)
}
