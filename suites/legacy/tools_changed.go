package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func toolsChanged(s *kit.Section) {
	s.Add(changedLists)
	s.Check("tools.list-changed", changedLists, func(t *kit.T) { judgeChanged(t, "tools", "/name") },
		kit.Capability("tools.listChanged"))
}
