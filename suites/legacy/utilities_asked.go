package legacy

import (
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// The scripts here call the tools that the user named, as clients that can be asked something: what a server asks for depends on what
// its client declared. No URL is ever opened.

// spoiledAnswer is what is wrong with a call whose elicitation is answered so.
const spoiledAnswer = "an answer to the elicitation that does not fit its schema"

// askedScripts are the two of them, for the checks on sampling and on elicitation.
func askedScripts(s *kit.Section) []*kit.Script {
	// Empty objects are the plainest declaration: sampling without tools and context, elicitation by form only.
	plainly := s.Script("utilities/asked-plainly", kit.Bare, func(c *kit.C) {
		can := map[string]any{"sampling": struct{}{}}
		if c.Since("2025-06-18") {
			can["elicitation"] = struct{}{}
		}
		a := &kit.Answering{Forms: c.Since("2025-06-18")}
		openAsked(c, can, a, func(call kit.ToolCall) {
			a.Begin(false)
			resume(c, c.CallTool("call "+call.Name, call))
			if a.Begin(true) {
				resume(c, c.CallTool("spoiled "+call.Name, call, client.Broken(spoiledAnswer)))
				c.Safe("after " + call.Name)
			}
		})
	}, kit.Open, kit.Serves, kit.Tools, kit.Named)

	// A tool may wait for a page that nobody visits: what it takes longer than this is not waited for.
	const patience = 5 * time.Second
	fully := s.Script("utilities/asked-fully", kit.Bare, func(c *kit.C) {
		can := map[string]any{
			"roots":       struct{}{},
			"sampling":    map[string]any{"tools": struct{}{}, "context": struct{}{}},
			"elicitation": map[string]any{"form": struct{}{}, "url": struct{}{}},
		}
		a := &kit.Answering{Forms: true, URLs: true, NextID: c.Client().NextID}
		openAsked(c, can, a, func(call kit.ToolCall) {
			a.Begin(false)
			resume(c, c.CallTool("call "+call.Name, call, client.GiveUp(patience)))
		})
	}, kit.Open, kit.Serves, kit.Tools, kit.Named, kit.Since("2025-11-25"))
	return []*kit.Script{plainly, fully}
}

// openAsked opens a session with what the client can do, and calls the named tools one after another: so it can be told which call
// brought which request.
func openAsked(c *kit.C, can map[string]any, a *kit.Answering, each func(kit.ToolCall)) {
	c.OnRequest(a.Answer)
	if !c.Open(client.WithCapabilities(can)).Served() {
		return
	}
	if c.Facts.Trait(traitGetStream) == kit.Yes {
		// Some servers ask there; what belongs to a call should come with its answer.
		defer c.Listen("get").Close()
	}
	for _, call := range c.Calls {
		each(call)
	}
}
