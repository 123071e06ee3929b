package modern

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// prompts is about the list and names that are not there; what prompts/get brings has no checks yet.
func prompts(s *kit.Section) {
	s.Check("modern.prompts.declared", methodsProbe, func(t *kit.T) { undeclaredListed(t, promptList) })
	unknown := s.Script("modern.prompts/unknown", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		c.Call("unknown prompt", "prompts/get", client.WithParams(map[string]any{"name": fmt.Sprintf("mcpcheck-no-such-%d", c.Client().NextID())}))
		c.Safe("control after")
	}, kit.Prompts)
	s.Check("modern.prompts.unknown-name", unknown, func(t *kit.T) {
		t.Control("control", "control after")
		unknownName(t, t.Conclusive("unknown prompt", gatewayless...), true)
	})
	s.Check("modern.prompts.list-answered", inventory, func(t *kit.T) { listAnswered(t, promptList) }, kit.Prompts)
	s.Check("modern.prompts.list-shape", inventory, func(t *kit.T) { judges.PromptShapes(t, promptList) }, kit.Prompts)
}
