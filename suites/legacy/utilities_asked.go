package legacy

import (
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
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
		a := &answering{forms: c.Since("2025-06-18")}
		openAsked(c, can, a, func(call kit.ToolCall) {
			a.begin(false)
			resume(c, c.CallTool("call "+call.Name, call))
			if a.begin(true) {
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
		a := &answering{forms: true, urls: true, nextID: c.Client().NextID}
		openAsked(c, can, a, func(call kit.ToolCall) {
			a.begin(false)
			resume(c, c.CallTool("call "+call.Name, call, client.GiveUp(patience)))
		})
	}, kit.Open, kit.Serves, kit.Tools, kit.Named, kit.Since("2025-11-25"))
	return []*kit.Script{plainly, fully}
}

// openAsked opens a session with what the client can do, and calls the named tools one after another: so it can be told which call
// brought which request.
func openAsked(c *kit.C, can map[string]any, a *answering, each func(kit.ToolCall)) {
	c.OnRequest(a.answer)
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

// answering is a client that says yes to everything, with made-up data.
type answering struct {
	forms, urls bool
	// nextID names tool uses; without it the model has no tools.
	nextID func() int64

	mu       sync.Mutex
	spoil    bool // the first form is filled in wrong
	asked    int  // forms in this call
	spoilt   bool // one of them can be filled in wrong
	usedTool bool
}

// begin starts the next call. One with spoilt answers is worth while only where the last one showed a form to spoil.
func (a *answering) begin(spoil bool) (worthWhile bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	worthWhile = !spoil || a.spoilt
	a.spoil, a.asked, a.spoilt, a.usedTool = spoil, 0, false, false
	return worthWhile
}

func (a *answering) answer(m wire.Message) (any, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch m.Method {
	case "roots/list":
		return map[string]any{"roots": []any{}}, a.urls
	case "sampling/createMessage":
		return a.sample(m), true
	case "elicitation/create":
		if a.forms {
			return a.elicit(m), true
		}
	}
	return nil, false
}

// sample speaks for the model: where it has tools it uses two at once, once in a call.
func (a *answering) sample(m wire.Message) any {
	result := map[string]any{"role": "assistant", "model": "mcpcheck", "stopReason": "endTurn",
		"content": map[string]any{"type": "text", "text": "mcpcheck answers in place of a model"}}
	tools, mode := []json.RawMessage(nil), ""
	_ = m.Decode("/params/tools", &tools)
	_ = m.Decode("/params/toolChoice/mode", &mode)
	if a.nextID == nil || len(tools) == 0 || mode == "none" || a.usedTool {
		return result
	}
	a.usedTool = true
	uses := []any{a.use(tools[0]), a.use(tools[min(1, len(tools)-1)])}
	result["content"], result["stopReason"] = uses, "toolUse"
	return result
}

func (a *answering) use(tool json.RawMessage) any {
	var t struct {
		Name        string          `json:"name"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	_ = json.Unmarshal(tool, &t)
	input, ok := fill(t.InputSchema, 0)
	if !ok {
		input = map[string]any{}
	}
	return map[string]any{"type": "tool_use", "id": "mcpcheck-use-" + strconv.FormatInt(a.nextID(), 10), "name": t.Name, "input": input}
}

// elicit speaks for the person. A second form in a call with a spoilt answer is declined: a server may ask until it fits.
func (a *answering) elicit(m wire.Message) any {
	switch mode := elicitationMode(m); {
	case mode == "url" && a.urls:
		return map[string]any{"action": "accept"}
	case mode != "form":
		return &client.RPCError{Code: -32602, Message: "this mode was not declared"}
	}
	requested, _ := m.Pointer("/params/requestedSchema")
	content, ok := fill(requested, 0)
	a.asked++
	switch {
	case !ok, a.spoil && a.asked > 1:
		return map[string]any{"action": "decline"}
	case a.spoil:
		return map[string]any{"action": "accept", "content": spoil(requested)}
	}
	a.spoilt = a.spoilt || len(spoil(requested)) > 0
	return map[string]any{"action": "accept", "content": content}
}

// elicitationMode is the mode of an elicitation; one without is a form. One that is no string is returned as it came.
func elicitationMode(m wire.Message) string {
	raw, ok := m.Pointer("/params/mode")
	switch {
	case !ok:
		return "form"
	case kit.JSONType(raw) != "string":
		return string(raw)
	}
	var mode string
	_ = json.Unmarshal(raw, &mode)
	return mode
}
