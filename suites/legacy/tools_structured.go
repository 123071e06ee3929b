package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func toolsStructured(_ *kit.Section) {}
