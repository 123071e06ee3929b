package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// promptsGet gets one prompt that needs no argument and looks at what it consists of.
func promptsGet(s *kit.Section) {
	get := s.Script("prompts/get", kit.Shared, func(c *kit.C) {
		if p, ok := c.Facts.PlainPrompt(); ok {
			// Arguments are optional, but some servers take a missing member for a missing object.
			resume(c, c.Call("get", "prompts/get", client.WithParams(map[string]any{"name": p.Name, "arguments": struct{}{}})))
			without := c.Call("without arguments", "prompts/get", client.WithParams(map[string]any{"name": p.Name}))
			resume(c, without)
			if !without.Served() {
				resume(c, c.Call("get after", "prompts/get", client.WithParams(map[string]any{"name": p.Name, "arguments": struct{}{}})))
			}
		}
	}, kit.Prompts)

	s.Check("prompts.get.shape", get, func(t *kit.T) { judges.PromptMessages(t, "get", (*kit.Facts).PlainPrompt) })

	s.Check("prompts.get.arguments-optional", get, func(t *kit.T) {
		judges.DemandPrompt(t, (*kit.Facts).PlainPrompt, "every prompt requires an argument")
		judges.DemandServed(t, "prompts/get", "prompts.get.shape")
		controls := []string{"get"}
		if x := t.IfSent("without arguments"); x == nil || !x.Served() {
			controls = append(controls, "get after")
		}
		judges.PromptArgumentsOptional(t, "without arguments", controls...)
	})

	s.Passive("prompts.get.image", func(t *kit.T) { judges.PromptMedia(t, "image") }, kit.Prompts)

	s.Passive("prompts.get.audio", func(t *kit.T) { judges.PromptMedia(t, "audio") }, kit.Prompts)

	s.Passive("prompts.get.embedded-resource", judges.PromptResources, kit.Prompts)
}

// promptsRefused are requests for prompts that cannot be had. They are no genuine ones, so that the list is the control.
func promptsRefused(s *kit.Section) {
	refused := s.Script("prompts/refused", kit.Shared, func(c *kit.C) {
		var steps []func()
		get := func(label, name string, arguments any, broken string) {
			params := map[string]any{"name": name, "arguments": arguments}
			steps = append(steps, func() {
				resume(c, c.Call(label, "prompts/get", client.WithParams(params), client.Broken(broken)))
			})
		}
		get("unknown name", c.BogusName(), struct{}{}, "the name of a prompt that does not exist")
		if p, ok := c.Facts.DemandingPrompt(); ok {
			get("missing argument", p.Name, struct{}{}, "a prompt without the argument "+kit.Quote([]byte(p.Required[0]))+", which it requires")
			// With more arguments than one there would be two things wrong, or values to make up.
			if len(p.Required) == 1 {
				get("number", p.Name, map[string]any{p.Required[0]: 7}, "a prompt with a number for an argument; arguments are strings")
			}
		}
		c.Control("control", "prompts/list")
		c.Unrelated(steps...)
		c.Call("control after", "prompts/list")
	}, kit.Prompts)

	s.Check("prompts.get.unknown-name", refused, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, "prompts/get", "prompts.get.shape")
		judges.InvalidParams(t, t.Conclusive("unknown name"), "the request for an unknown prompt")
	})

	s.Check("prompts.get.missing-argument", refused, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandPrompt(t, (*kit.Facts).DemandingPrompt, "")
		judges.DemandServed(t, "prompts/get", "prompts.get.shape")
		judges.InvalidParams(t, t.Conclusive("missing argument"), "the request without a required argument")
	})

	s.Passive("prompts.get.internal-error", func(t *kit.T) {
		judges.InternalFailures(t, "prompts/get", "prompts/list")
	}, kit.Prompts)

	s.Check("prompts.arguments-validated", refused, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandPrompt(t, (*kit.Facts).DemandingPrompt, "")
		judges.DemandServed(t, "prompts/get", "prompts.get.shape")
		judges.PromptArguments(t, "missing argument", "number", "prompts.get.missing-argument")
	})
}
