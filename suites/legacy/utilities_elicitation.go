package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func utilitiesElicitation(_ *kit.Section) {}
