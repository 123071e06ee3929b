package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func toolsCall(_ *kit.Section) {}
