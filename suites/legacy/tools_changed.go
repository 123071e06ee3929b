package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func toolsChanged(_ *kit.Section) {}
