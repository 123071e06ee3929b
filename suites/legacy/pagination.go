package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func pagination(_ *kit.Section) {}
