package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func utilitiesCancel(_ *kit.Section) {}
