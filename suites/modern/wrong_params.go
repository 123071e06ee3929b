package modern

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// wrongParams are requests for what is not there, or that lack what they need.
var wrongParams = kit.NewScript("modern.transport/wrong-params", kit.Shared, func(c *kit.C) {
	var steps []func()
	probe := func(label, method string, options ...client.Option) {
		steps = append(steps, func() { c.Call(label, method, options...) })
	}
	for _, area := range []struct {
		capability string
		probes     func(*kit.C, func(string, string, ...client.Option))
	}{
		{"resources", resourceProbes}, {"prompts", promptProbes}, {"completions", completionProbes},
	} {
		if c.Facts.Capability(area.capability) == kit.Yes {
			area.probes(c, probe)
		}
	}
	if c.Facts.Capability("tools") == kit.Yes {
		steps = append(steps, func() { c.Some(callsAtATime, toolProbes(c)...) })
	}
	if len(steps) == 0 {
		return
	}
	c.SafeControl("control")
	c.Unrelated(steps...)
	c.Safe("control after")
})

// incomplete is the label of a call that lacks an argument.
const incomplete = "call without an argument"

// toolProbes are calls that no server can carry out.
func toolProbes(c *kit.C) (steps []func()) {
	probe := func(label string, params map[string]any, broken string) {
		steps = append(steps, func() { c.Call(label, "tools/call", client.WithParams(params), client.Broken(broken)) })
	}
	probe("unknown tool", map[string]any{"name": c.BogusName(), "arguments": struct{}{}}, "a call of a tool that does not exist")
	probe("no name", map[string]any{"arguments": struct{}{}}, "a call without the name of a tool")
	if call, ok := c.HarmlessCall(); ok {
		steps = append(steps, func() {
			c.CallTool("arguments as text", kit.ToolCall{Name: call.Name, Arguments: "x"}, client.Broken("a call with arguments that are no object"))
		})
	}
	if call, argument, ok := c.IncompleteCall(); ok {
		steps = append(steps, func() {
			c.CallTool(incomplete, call, client.Broken("a call without the argument "+kit.Quote([]byte(argument))+", which its schema requires"))
		})
	}
	return steps
}

// resourceProbes are reads of what does not exist.
func resourceProbes(c *kit.C, probe func(string, string, ...client.Option)) {
	probe("unknown resource", readMethod, client.WithParams(map[string]any{"uri": "mcpcheck-no-such:///" + c.BogusName()}),
		client.Broken("the URI of a resource that does not exist"))
}

// promptProbes are requests for prompts that cannot be had.
func promptProbes(c *kit.C, probe func(string, string, ...client.Option)) {
	probe("unknown prompt", getMethod, client.WithParams(map[string]any{"name": c.BogusName()}), client.Broken("the name of a prompt that does not exist"))
	if p, ok := c.Facts.DemandingPrompt(); ok {
		probe("missing argument", getMethod, client.WithParams(map[string]any{"name": p.Name, "arguments": struct{}{}}),
			client.Broken("a prompt without the argument "+kit.Quote([]byte(p.Required[0]))+", which it requires"))
	}
}

// completionProbes are a request for a completion, and some that nothing can be found for.
func completionProbes(c *kit.C, probe func(string, string, ...client.Option)) {
	params, genuine := c.Facts.Completable()
	if genuine {
		probe("complete", judges.CompleteMethod, client.WithParams(params))
	}
	unknown := map[string]any{"type": "ref/prompt", "name": c.BogusName()}
	probe("unknown reference", judges.CompleteMethod, client.Broken("a reference to a prompt that does not exist"),
		client.WithParams(map[string]any{"ref": unknown, "argument": map[string]any{"name": "mcpcheck", "value": ""}}))
	if genuine {
		probe("no argument", judges.CompleteMethod, client.Broken("without the parameter argument, which is required"),
			client.WithParams(map[string]any{"ref": params["ref"]}))
	}
}
