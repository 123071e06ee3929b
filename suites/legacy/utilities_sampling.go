package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func utilitiesSampling(_ *kit.Section) {}
