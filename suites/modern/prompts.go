package modern

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func prompts(s *kit.Section) {
	s.Check("modern.prompts.declared", methodsProbe, func(t *kit.T) { undeclaredListed(t, promptList) })
	s.Check("modern.prompts.list-not-per-connection", connections, func(t *kit.T) { samePerConnection(t, promptList) }, kit.Prompts)
	s.Check("modern.prompts.list-answered", inventory, func(t *kit.T) { listAnswered(t, promptList) }, kit.Prompts)
	s.Check("modern.prompts.list-shape", inventory, func(t *kit.T) { judges.PromptShapes(t, promptList) }, kit.Prompts)
	promptsGot(s)
	promptsRefused(s)
}

// promptsGot look at what a prompt consists of.
func promptsGot(s *kit.Section) {
	get := s.Script("modern.prompts/get", kit.Shared, func(c *kit.C) {
		if p, ok := c.Facts.PlainPrompt(); ok {
			c.Call("get", getMethod, client.WithParams(map[string]any{"name": p.Name}))
		}
	}, kit.Prompts)
	s.Check("modern.prompts.get-shape", get, func(t *kit.T) { judges.PromptMessages(t, "get", (*kit.Facts).PlainPrompt) })
	s.Passive("modern.prompts.image-data", func(t *kit.T) { judges.PromptMedia(t, "image") }, kit.Prompts)
	s.Passive("modern.prompts.audio-data", func(t *kit.T) { judges.PromptMedia(t, "audio") }, kit.Prompts)
	s.Passive("modern.prompts.embedded-resource", judges.PromptResources, kit.Prompts)
	s.Passive("modern.prompts.internal-error-code", func(t *kit.T) { internalFailures(t, getMethod) }, kit.Prompts)
}

// promptsRefused are the rules about requests for prompts that cannot be had.
func promptsRefused(s *kit.Section) {
	s.Check("modern.prompts.unknown-name", wrongParams, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, getMethod, "modern.prompts.get-shape")
		invalidParams(t, t.Conclusive("unknown prompt", gatewayless...), true)
	}, kit.Prompts)
	s.Check("modern.prompts.missing-argument", wrongParams, func(t *kit.T) {
		t.Says("JSON-RPC error -32602, or the argument asked for")
		t.Control("control", "control after")
		judges.DemandPrompt(t, (*kit.Facts).DemandingPrompt, "")
		judges.DemandServed(t, getMethod, "modern.prompts.get-shape")
		x := t.Conclusive("missing argument", gatewayless...)
		answer, _ := judges.AnswerOf(t, x)
		code, coded := codeOf(x), coded(x)
		switch {
		case judges.Interim(t, answer.Message):
			t.OK(x, "the server asks for what is missing")
		case coded && code == codeMissingCapability:
			t.NotObservedAt(kit.Inconclusive, x, "the prompt wants a capability of the client first: %s", kit.Describe(x))
		default:
			invalidParams(t, x, true)
		}
	}, kit.Prompts)
}
