package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func logging(_ *kit.Section) {}
