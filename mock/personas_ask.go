package mock

import (
	"encoding/json"
	"fmt"
	"slices"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// askAgain are tools that are there to be called by those that call each tool once: not everything can be asked at once.
var askAgain = []string{"mcpcheck_ask_again", "mcpcheck_ask_a_third_time", "mcpcheck_ask_a_fourth_time"}

// The questions that a client may be asked. They say that nothing hangs on the answer: a model or a person reads them.
var (
	sampled = map[string]any{
		"messages": []any{map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": "Say mcpcheck."}}}, "maxTokens": 1,
	}
	sampledWithTools = map[string]any{
		"messages": []any{map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": "Say mcpcheck."}}}, "maxTokens": 1,
		"tools": []any{map[string]any{"name": "nothing", "description": "Does nothing.", "inputSchema": map[string]any{"type": "object"}}},
	}
	sampledWithResults = map[string]any{
		"messages": []any{map[string]any{"role": "user", "content": map[string]any{
			"type": "tool_result", "toolUseId": "of no use", "content": []any{map[string]any{"type": "text", "text": "mcpcheck"}}}}}, "maxTokens": 1,
	}
	form = map[string]any{
		"message": "mcpcheck asks for nothing that matters: any answer will do.",
		"requestedSchema": map[string]any{"type": "object", "required": []any{"word"}, "properties": map[string]any{
			"word":   map[string]any{"type": "string", "title": "A word", "maxLength": 20},
			"number": map[string]any{"type": "integer", "title": "A number from 1 to 9", "minimum": 1, "maximum": 9},
		}},
	}
	page = map[string]any{
		"mode": "url", "url": here + "/elicited/page",
		"message": "mcpcheck asks to open a page of its own that has nothing on it; to decline will do.",
	}
)

// with is a question with one more member.
func with(question map[string]any, name string, value any) map[string]any {
	more := map[string]any{name: value}
	for k, v := range question {
		more[k] = v
	}
	return more
}

// ask makes use of what the client declared, all of it on the stream of the first call: the model once, a form, a page; what is to be
// refused costs nothing.
func ask(capabilities []string) Persona {
	var everywhere, forms, latest []any
	if slices.Contains(capabilities, sampling) {
		everywhere = append(everywhere, message{"id": "sampling-1", "method": "sampling/createMessage",
			"params": with(sampled, "_meta", map[string]any{"progressToken": "progress of sampling-1"})})
		for i, q := range []map[string]any{sampledWithTools, sampledWithResults} {
			latest = append(latest, message{"id": fmt.Sprintf("sampling-%d", i+2), "method": "sampling/createMessage", "params": q})
		}
	}
	if slices.Contains(capabilities, elicitation) {
		forms = append(forms, message{"id": "elicitation-1", "method": "elicitation/create", "params": form})
		latest = append(latest, message{"id": "elicitation-2", "method": "elicitation/create", "params": with(page, "elicitationId", "mcpcheck-page")})
	}
	p := Persona{
		Name: "ask", About: "asks the client for what it declared: its model, its person", Twice: true, Asks: capabilities,
		Person:    "answer what you are asked while the tool is called, or decline; its answer waits for you, for 50 seconds at most",
		Profile:   refserver.Profile{Name: "ask", Sessions: true, SSE: true, DELETE: true, ToolsOnly: true, Tools: []string{EchoTool}},
		Deviation: &refserver.Deviation{},
	}
	edit := func(messages []any, revisions ...string) {
		if len(messages) > 0 {
			p.Deviation.Edits = append(p.Deviation.Edits, refserver.Edit{On: "result tools/call", Nth: 1, Before: messages, Revisions: revisions})
		}
	}
	edit(everywhere)
	edit(forms, "2025-06-18", "2025-11-25")
	edit(latest, "2025-11-25")
	if slices.Contains(capabilities, elicitation) {
		p.Deviation.Edits = append(p.Deviation.Edits, refserver.Edit{On: "result tools/list", Nth: 1, Revisions: []string{"2025-11-25"},
			Before: []any{message{"method": "notifications/elicitation/complete", "params": map[string]any{"elicitationId": "mcpcheck-unknown"}}}})
	}
	return p
}

// askInVain cancels what it asks for a second later. It prefers the person, who costs nothing.
func askInVain(capabilities []string) Persona {
	p := Persona{
		Name: "ask-in-vain", About: "asks the client for what it declared, and cancels that a second later", Asks: capabilities,
		Person:    "leave alone what you are asked: a second later your client should take the question back by itself",
		Profile:   refserver.Profile{Name: "ask-in-vain", Sessions: true, SSE: true, DELETE: true, ToolsOnly: true, Tools: []string{EchoTool}},
		Deviation: &refserver.Deviation{},
	}
	cancelled := func(method string, params map[string]any, revisions ...string) {
		p.Deviation.Edits = append(p.Deviation.Edits, refserver.Edit{On: "result tools/call", Nth: 1, Delay: "3s", Revisions: revisions, Before: []any{
			message{"id": "asked-in-vain", "method": method, "params": params},
			"1s",
			message{"method": "notifications/cancelled", "params": map[string]any{"requestId": "asked-in-vain", "reason": "mcpcheck does not need it any more"}},
		}})
	}
	vain := with(form, "message", "mcpcheck takes this question back in a second: there is nothing to do.")
	switch asksModel := slices.Contains(capabilities, sampling); {
	case !slices.Contains(capabilities, elicitation):
		cancelled("sampling/createMessage", sampled)
	case asksModel:
		cancelled("elicitation/create", vain, "2025-06-18", "2025-11-25")
		cancelled("sampling/createMessage", sampled, "2024-11-05", "2025-03-26")
	default:
		cancelled("elicitation/create", vain, "2025-06-18", "2025-11-25")
	}
	return p
}

// modernAsk is the same in 2026-07-28, where the answer to a call asks. What may only be refused as a whole comes in a call of its own.
func modernAsk(capabilities []string) Persona {
	const declared = "/params/_meta/io.modelcontextprotocol~1clientCapabilities/"
	var edits []refserver.Edit
	put := func(nth int, when map[string]any, at string, value any) {
		raw, _ := json.Marshal(value) // of maps and strings
		request := map[string]any{"/params/inputResponses": nil}
		for k, v := range when {
			request[declared+k] = v
		}
		edits = append(edits, refserver.Edit{On: "result tools/call", Nth: nth, When: &refserver.Condition{Request: request}, Set: text("/result" + at), Value: raw})
	}
	question := func(method string, params any) map[string]any {
		return map[string]any{"method": method, "params": params}
	}
	nothing := map[string]any{"resultType": "input_required", "inputRequests": map[string]any{}}
	asksModel, asksPerson := slices.Contains(capabilities, sampling), slices.Contains(capabilities, elicitation)
	if asksModel {
		put(1, map[string]any{sampling: "*"}, "", nothing)
	}
	if asksPerson {
		put(1, map[string]any{elicitation: "*"}, "", nothing)
		// Both mean forms.
		for _, forms := range []map[string]any{{elicitation: map[string]any{}}, {elicitation + "/form": "*"}} {
			put(1, forms, "/inputRequests/form", question("elicitation/create", form))
			put(2, forms, "", nothing)
			put(2, forms, "/inputRequests/form", question("elicitation/create", with(form, "mode", "form")))
			put(3, forms, "", nothing)
			put(3, forms, "/inputRequests/form", question("elicitation/create", form))
		}
		put(1, map[string]any{elicitation + "/url": "*"}, "/inputRequests/page", question("elicitation/create", page))
	}
	if asksModel {
		put(1, map[string]any{sampling: "*"}, "/inputRequests/model", question("sampling/createMessage", sampled))
		last := 2
		if asksPerson {
			last = 4
		}
		without := map[string]any{sampling: "*", sampling + "/tools": nil}
		put(last, without, "", nothing)
		put(last, without, "/inputRequests/model", question("sampling/createMessage", sampledWithTools))
	}
	return Persona{
		Name: "modern-ask", About: "2026-07-28 only, asks the client for what it declared: its model, its person", Asks: capabilities,
		Person:    "answer what you are asked while the tool is called, or decline",
		Profile:   refserver.Profile{Name: "modern-ask", Era: refserver.EraModern, SSE: true, ToolsOnly: true, Tools: slices.Concat([]string{EchoTool}, askAgain)},
		Deviation: &refserver.Deviation{Edits: edits},
	}
}
