package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func resources(s *kit.Section) {
	resourcesChanged(s)
}
