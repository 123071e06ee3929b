package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func prompts(s *kit.Section) {
	promptsList(s)
	promptsGet(s)
	promptsRefused(s)
	promptsChanged(s)
}

// promptsList is about the capability and the list, which the inventory has walked.
func promptsList(s *kit.Section) {
	// Not the inventory's business: a client that keeps to the handshake never asks for what was not declared.
	undeclared := s.Script("prompts/undeclared", kit.Shared, func(c *kit.C) {
		if c.Facts.Capability("prompts") == kit.No {
			c.Call(promptList.Method, promptList.Method, client.Broken("a request of a feature that the server did not declare"))
		}
	})
	s.CheckAcross("prompts.capability-declared", []*kit.Script{inventory, undeclared}, func(t *kit.T) {
		judges.Declared(t, undeclared, promptList)
	})

	s.Check("prompts.list.answered", inventory, func(t *kit.T) {
		judges.PromptsListed(t, promptList, "jsonrpc.request.answered")
	}, kit.Prompts, kit.Serves)

	s.Check("prompts.list.shape", inventory, func(t *kit.T) { judges.PromptShapes(t, promptList) }, kit.Prompts)

	s.Check("prompts.list.unique-names", inventory, func(t *kit.T) {
		judges.Unique(t, judges.PromptPages(t, promptList), promptList)
	}, kit.Prompts)
}

// promptsChanged judges what the script of changes.go recorded: only tools can be called on to change something.
func promptsChanged(s *kit.Section) {
	s.Check("prompts.list-changed", changedLists, func(t *kit.T) { judgeChanged(t, "prompts", "/name") },
		kit.Capability("prompts.listChanged"))
}
