package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func utilitiesProgress(_ *kit.Section) {}
