package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func completion(_ *kit.Section) {}
