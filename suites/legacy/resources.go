package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func resources(_ *kit.Section) {}
