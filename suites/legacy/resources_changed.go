package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

// resourcesChanged judges what the script of tools_changed.go recorded: only tools can be called on to change something.
func resourcesChanged(s *kit.Section) {
	s.Check("resources.list-changed", changedLists, func(t *kit.T) { judgeChanged(t, "resources", "/uri") },
		kit.Capability("resources.listChanged"))
}
