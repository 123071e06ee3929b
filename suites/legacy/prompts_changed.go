package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func promptsChanged(_ *kit.Section) {}
