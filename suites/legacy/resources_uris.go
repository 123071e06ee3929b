package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// resourcesURIs is about what identifies resources.
func resourcesURIs(s *kit.Section) {
	s.Check("resources.list.uri-valid", inventory, func(t *kit.T) { judges.ResourceURIs(t, resourceList, "resources.list.shape") }, kit.Resources)

	s.Check("resources.list.unique-uris", inventory, func(t *kit.T) {
		judges.Unique(t, judges.ResourcePages(t, resourceList), resourceList)
	}, kit.Resources)
}
