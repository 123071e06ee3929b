package kit

import (
	"encoding/json"
	"strconv"
	"sync"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Answering is the person and the model behind a client: it says yes to everything, with made-up data.
type Answering struct {
	// Forms and URLs tell which elicitations the client declared; one by URL comes with roots.
	Forms, URLs bool
	// NextID names tool uses; without it the model has no tools.
	NextID func() int64

	mu       sync.Mutex
	spoil    bool // the first form is filled in wrong
	asked    int  // forms in this call
	spoilt   bool // one of them can be filled in wrong
	usedTool bool
}

// Begin starts the next call. One with spoilt answers is worth while only where the last one showed a form to spoil.
func (a *Answering) Begin(spoil bool) (worthWhile bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	worthWhile = !spoil || a.spoilt
	a.spoil, a.asked, a.spoilt, a.usedTool = spoil, 0, false, false
	return worthWhile
}

// Answer returns what a request of the server gets, false where the client declared nothing of the kind.
func (a *Answering) Answer(m wire.Message) (any, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch m.Method {
	case "roots/list":
		return map[string]any{"roots": []any{}}, a.URLs
	case "sampling/createMessage":
		return a.sample(m), true
	case "elicitation/create":
		if a.Forms {
			return a.elicit(m), true
		}
	}
	return nil, false
}

// sample speaks for the model: where it has tools it uses two at once, once in a call.
func (a *Answering) sample(m wire.Message) any {
	result := map[string]any{"role": "assistant", "model": "mcpcheck", "stopReason": "endTurn",
		"content": map[string]any{"type": "text", "text": "mcpcheck answers in place of a model"}}
	tools, mode := []json.RawMessage(nil), ""
	_ = m.Decode("/params/tools", &tools)
	_ = m.Decode("/params/toolChoice/mode", &mode)
	if a.NextID == nil || len(tools) == 0 || mode == "none" || a.usedTool {
		return result
	}
	a.usedTool = true
	uses := []any{a.use(tools[0]), a.use(tools[min(1, len(tools)-1)])}
	result["content"], result["stopReason"] = uses, "toolUse"
	return result
}

func (a *Answering) use(tool json.RawMessage) any {
	var t struct {
		Name        string          `json:"name"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	_ = json.Unmarshal(tool, &t)
	input, ok := Fill(t.InputSchema)
	if !ok {
		input = map[string]any{}
	}
	return map[string]any{"type": "tool_use", "id": "mcpcheck-use-" + strconv.FormatInt(a.NextID(), 10), "name": t.Name, "input": input}
}

// elicit speaks for the person. A second form in a call with a spoilt answer is declined: a server may ask until it fits.
func (a *Answering) elicit(m wire.Message) any {
	switch mode := ElicitationMode(m); {
	case mode == "url" && a.URLs:
		return map[string]any{"action": "accept"}
	case mode != "form":
		return &client.RPCError{Code: -32602, Message: "this mode was not declared"}
	}
	requested, _ := m.Pointer("/params/requestedSchema")
	content, ok := Fill(requested)
	a.asked++
	switch {
	case !ok, a.spoil && a.asked > 1:
		return map[string]any{"action": "decline"}
	case a.spoil:
		return map[string]any{"action": "accept", "content": Spoil(requested)}
	}
	a.spoilt = a.spoilt || len(Spoil(requested)) > 0
	return map[string]any{"action": "accept", "content": content}
}

// ElicitationMode is the mode of an elicitation; one without is a form. One that is no string is returned as it came.
func ElicitationMode(m wire.Message) string {
	raw, ok := m.Pointer("/params/mode")
	switch {
	case !ok:
		return "form"
	case JSONType(raw) != "string":
		return string(raw)
	}
	var mode string
	_ = json.Unmarshal(raw, &mode)
	return mode
}
