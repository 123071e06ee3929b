package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// prompts is about the list; what prompts/get brings has no checks yet.
func prompts(s *kit.Section) {
	s.Check("modern.prompts.list-answered", inventory, func(t *kit.T) { listAnswered(t, promptList) }, kit.Prompts)
	s.Check("modern.prompts.list-shape", inventory, func(t *kit.T) { judges.PromptShapes(t, promptList) }, kit.Prompts)
}
