package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func resourcesChanged(_ *kit.Section) {}
