package legacy

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// promptsGet gets one prompt that needs no argument and looks at what it consists of.
func promptsGet(s *kit.Section) {
	get := s.Script("prompts/get", kit.Shared, func(c *kit.C) {
		if p, ok := plainPrompt(c.Facts); ok {
			// Arguments are optional, but some servers take a missing member for a missing object.
			resume(c, c.Call("get", "prompts/get", client.WithParams(map[string]any{"name": p.Name, "arguments": struct{}{}})))
			resume(c, c.Call("without arguments", "prompts/get", client.WithParams(map[string]any{"name": p.Name})))
			resume(c, c.Call("get after", "prompts/get", client.WithParams(map[string]any{"name": p.Name, "arguments": struct{}{}})))
		}
	}, kit.Prompts)

	s.Check("prompts.get.shape", get, func(t *kit.T) { judges.PromptMessages(t, "get", plainPrompt) })

	s.Check("prompts.get.arguments-optional", get, func(t *kit.T) {
		judges.DemandPrompt(t, plainPrompt, "every prompt requires an argument")
		judges.DemandServed(t, "prompts/get", "prompts.get.shape")
		judges.PromptArgumentsOptional(t, "without arguments", "get", "get after")
	})

	s.Passive("prompts.get.image", func(t *kit.T) { judges.PromptMedia(t, "image") }, kit.Prompts)

	s.Passive("prompts.get.audio", func(t *kit.T) { judges.PromptMedia(t, "audio") }, kit.Prompts)

	s.Passive("prompts.get.embedded-resource", judges.PromptResources, kit.Prompts)
}

// promptsRefused are requests for prompts that cannot be had. They are no genuine ones, so that the list is the control.
func promptsRefused(s *kit.Section) {
	refused := s.Script("prompts/refused", kit.Shared, func(c *kit.C) {
		get := func(label, name string, arguments any, broken string) {
			params := map[string]any{"name": name, "arguments": arguments}
			resume(c, c.Call(label, "prompts/get", client.WithParams(params), client.Broken(broken)))
		}
		c.Call("control", "prompts/list")
		get("unknown name", bogusName(c), struct{}{}, "the name of a prompt that does not exist")
		if p, ok := demandingPrompt(c.Facts); ok {
			get("missing argument", p.Name, struct{}{}, "a prompt without the argument "+kit.Quote([]byte(p.Required[0]))+", which it requires")
			// With more arguments than one there would be two things wrong, or values to make up.
			if len(p.Required) == 1 {
				get("number", p.Name, map[string]any{p.Required[0]: 7}, "a prompt with a number for an argument; arguments are strings")
			}
		}
		c.Call("control after", "prompts/list")
	}, kit.Prompts)

	s.Check("prompts.get.unknown-name", refused, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandServed(t, "prompts/get", "prompts.get.shape")
		judges.InvalidParams(t, t.Conclusive("unknown name"), "the request for an unknown prompt")
	})

	s.Check("prompts.get.missing-argument", refused, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandPrompt(t, demandingPrompt, "")
		judges.DemandServed(t, "prompts/get", "prompts.get.shape")
		judges.InvalidParams(t, t.Conclusive("missing argument"), "the request without a required argument")
	})

	s.Passive("prompts.get.internal-error", func(t *kit.T) {
		judges.InternalFailures(t, "prompts/get", "prompts/list")
	}, kit.Prompts)

	s.Check("prompts.arguments-validated", refused, func(t *kit.T) {
		t.Control("control", "control after")
		judges.DemandPrompt(t, demandingPrompt, "")
		judges.DemandServed(t, "prompts/get", "prompts.get.shape")
		judges.PromptArguments(t, "missing argument", "number", "prompts.get.missing-argument")
	})
}

// plainPrompt is the first prompt that requires no argument, demandingPrompt the first that does. A name that is listed twice is none:
// prompts.list.unique-names says so.
func plainPrompt(f *kit.Facts) (kit.Prompt, bool) {
	return promptThat(f, func(p kit.Prompt) bool { return len(p.Required) == 0 })
}

func demandingPrompt(f *kit.Facts) (kit.Prompt, bool) {
	// Where its arguments could not be read it has none of them, see prompts.list.shape.
	return promptThat(f, func(p kit.Prompt) bool { return len(p.Arguments) > 0 && len(p.Required) > 0 && p.Required[0] != "" })
}

func promptThat(f *kit.Facts, fits func(kit.Prompt) bool) (kit.Prompt, bool) {
	times := map[string]int{}
	for _, p := range f.Prompts {
		times[p.Name]++
	}
	i := slices.IndexFunc(f.Prompts, func(p kit.Prompt) bool { return times[p.Name] == 1 && fits(p) })
	if i < 0 {
		return kit.Prompt{}, false
	}
	return f.Prompts[i], true
}
