package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

func prompts(s *kit.Section) {
	promptsChanged(s)
}
