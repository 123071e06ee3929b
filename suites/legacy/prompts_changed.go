package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

// promptsChanged judges what the script of tools_changed.go recorded: only tools can be called on to change something.
func promptsChanged(s *kit.Section) {
	s.Check("prompts.list-changed", changedLists, func(t *kit.T) { judgeChanged(t, "prompts", "/name") },
		kit.Capability("prompts.listChanged"))
}
