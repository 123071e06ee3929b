package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func prompts(_ *kit.Section) {}
