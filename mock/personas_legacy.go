package mock

import (
	"encoding/json"
	"fmt"
	"strings"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// Tools whose names stand only where reading is to be proven: who calls one has read that place.
const (
	canary      = "mcpcheck_second_page"
	afterEmpty  = "mcpcheck_behind_an_empty_page"
	namedParams = "mcpcheck_named_parameters"
)

// fixedPrompts are enough for some pages. Most clients never ask for them.
func fixedPrompts() []string {
	return []string{"mcpcheck_prompt", "mcpcheck_second_prompt", "mcpcheck_third_prompt"}
}

// plain is the control: what a client does here twice is what its command does.
func plain() Persona {
	return Persona{
		Name: "plain", About: "sessions, JSON answers, no stream, tools and nothing else", Conforms: true,
		Profile: refserver.Profile{Name: "plain", Sessions: true, DELETE: true, ToolsOnly: true, Tools: []string{EchoTool}},
	}
}

// streams packs what a server may do on streams into one start.
func streams() Persona {
	p := streamsWith("streams", "answers on event streams of every legal form, pings and unknown messages on them, lists in pages, completes the arguments of a prompt, initialize takes a second",
		append(legacyForms(), cancelledPing())...)
	for _, f := range append(legacyForms(), cancelledPing()) {
		p.Parts = append(p.Parts, streamsWith("streams: "+f.name, "answers on event streams with "+f.name+" and nothing else that is unusual", f))
	}
	p.Profile.GET, p.Profile.Completes, p.Profile.Pages = true, true, []int{1, 0, 1}
	p.Profile.Tools, p.Profile.Prompts = []string{EchoTool, afterEmpty, canary}, fixedPrompts()
	p.Deviation.Edits = append(p.Deviation.Edits, refserver.Edit{On: "result initialize", Delay: "1s"})
	p.Deviation.Edits = append(p.Deviation.Edits, twice(func(call int) []any {
		return []any{
			message{"id": 5 + call, "method": "ping"},
			message{"id": fmt.Sprintf("five of call %d", call), "method": "ping"},
			message{"id": fmt.Sprintf("unknown of call %d", call), "method": "mcpcheck/no-such-method"},
			message{"method": "notifications/tools/list_changed"},
		}
	})...)
	p.Deviation.Edits = append(p.Deviation.Edits, refserver.Edit{On: "result tools/call", Delay: "100ms"}, refserver.Edit{On: "accepted-notification", Nth: 1, Delay: "300ms"})
	p.Deviation.Edits = append(p.Deviation.Edits, refuseProbe(400, "", "")...)
	return p
}

// streamsWith answers on event streams that have some forms.
func streamsWith(name, about string, forms ...legalForm) Persona {
	p := Persona{
		Name: name, About: about, Conforms: true, Twice: true,
		Profile:   refserver.Profile{Name: name, Sessions: true, SSE: true, DELETE: true, ToolsOnly: true, Tools: []string{EchoTool}},
		Deviation: &refserver.Deviation{},
	}
	for _, f := range forms {
		p.Deviation.Edits = append(p.Deviation.Edits, f.edits...)
		p.Deviation.Switches = append(p.Deviation.Switches, f.switches...)
	}
	return p
}

// A legalForm is a way in which a server may write an event stream, that a client could stumble over.
type legalForm struct {
	name     string
	edits    []refserver.Edit
	switches []string
}

func eventForm(name, on string, e refserver.EventEdit) legalForm {
	return legalForm{name: name, edits: []refserver.Edit{{On: on, Event: &e}}}
}

func text(s string) *string { return &s }

// legacyForms are on different answers where one would hide another.
func legacyForms() []legalForm {
	return []legalForm{
		eventForm("lines that end in CR LF", "result initialize", refserver.EventEdit{LineEnd: text("\r\n")}),
		eventForm("data over several lines", "result tools/list", refserver.EventEdit{Break: text("\ndata: ")}),
		eventForm("comments", "result tools/list", refserver.EventEdit{Before: []string{": a comment", ":"}}),
		{name: "events of an unknown name", edits: []refserver.Edit{{On: "served-sse", When: &refserver.Condition{RPC: []string{"tools/list"}}, Prefix: "event: mcpcheck\ndata: {}\n\n"}}},
		{name: "a charset in Content-Type", edits: []refserver.Edit{{On: "served-sse", When: &refserver.Condition{RPC: []string{"initialize", "server/discover"}},
			Header: map[string]*string{"Content-Type": text("text/event-stream; charset=utf-8")}}}},
		{name: "Content-Type in odd letter case", edits: []refserver.Edit{{On: "served-sse", When: &refserver.Condition{RPC: []string{"tools/list"}},
			Header: map[string]*string{"Content-Type": text("Text/Event-Stream")}}}},
		{name: "an unknown notification ahead of the response", edits: []refserver.Edit{{On: "result tools/list", Nth: 1,
			Before: []any{message{"method": "notifications/mcpcheck-unknown"}}}}},
		{name: "more than a megabyte in one line", edits: []refserver.Edit{{On: "result tools/list", Nth: 1, Set: text("/result/_meta"),
			Value: json.RawMessage(`{"com.example/long":"` + strings.Repeat("long ", 1<<20/5+1) + `"}`)}}},
	}
}

// cancelledPing is a ping that is cancelled at once: that crosses its answer.
func cancelledPing() legalForm {
	return legalForm{name: "the cancellation of a ping", edits: []refserver.Edit{{On: "result tools/list", Nth: 1, Before: []any{
		message{"id": "ping to be cancelled", "method": "ping"},
		message{"method": "notifications/cancelled", "params": map[string]any{"requestId": "ping to be cancelled", "reason": "mcpcheck does not need it any more"}},
	}}}}
}

// refuseProbe answers server/discover, by which clients of both eras find out what a server speaks, as a legacy server may. With a code
// the body is a JSON-RPC error, else the text.
func refuseProbe(status int, code, body string) []refserver.Edit {
	probe := &refserver.Condition{RPC: []string{"server/discover"}}
	if code != "" {
		edits := []refserver.Edit{{On: "refusal server/discover", Set: text("/error/code"), Value: json.RawMessage(code)}}
		for _, guard := range []string{"missing-session", "unsupported-version"} {
			edits = append(edits, refserver.Edit{On: guard, When: probe, Status: status})
		}
		return edits
	}
	var edits []refserver.Edit
	for _, guard := range []string{"missing-session", "unsupported-version"} {
		edits = append(edits, refserver.Edit{On: guard, When: probe, Status: status, Body: &body, Header: map[string]*string{"Content-Type": text("text/plain")}})
	}
	return edits
}

// twice puts messages ahead of the answers to the first two calls of a tool: silence counts where it is met twice, and ids are used once.
func twice(messages func(call int) []any) []refserver.Edit {
	return []refserver.Edit{
		{On: "result tools/call", Nth: 1, Before: messages(1)},
		{On: "result tools/call", Nth: 2, Before: messages(2)},
	}
}

// batch speaks the one revision that has batches, and sends some.
func batch() Persona {
	return Persona{
		Name: "batch", About: "2025-03-26 only, sends notifications and pings in arrays on the stream of a call", Conforms: true,
		Profile: refserver.Profile{Name: "batch", Revisions: []string{"2025-03-26"}, Sessions: true, SSE: true, ToolsOnly: true, PageSize: 1, Tools: []string{EchoTool, canary}, Prompts: fixedPrompts()},
		Deviation: &refserver.Deviation{Edits: append(twice(func(call int) []any {
			return []any{
				message{"id": fmt.Sprintf("alone in call %d", call), "method": "ping"},
				[]any{message{"method": "notifications/mcpcheck-unknown"}, message{"method": "notifications/mcpcheck-unknown-too"}},
				[]any{
					message{"id": fmt.Sprintf("first in call %d", call), "method": "ping"},
					message{"id": fmt.Sprintf("second in call %d", call), "method": "ping"},
				},
			}
		}), refuseProbe(400, "", "this server does not speak that version\n")...)},
	}
}

// olderServer speaks one older revision and nothing else, knows no sessions, and asks its client for what that may not have declared. What
// was declared is not asked for: it costs money, or opens dialogs. Roots are asked for all the same, and again, since they may be others then.
func olderServer(revision string) Persona {
	return Persona{
		Name: "older", About: "speaks nothing newer than " + revision + ", knows no sessions, and asks for roots, twice, and for what the client did not declare",
		Person:  "if your client has roots, let it have another one between the two calls",
		Profile: refserver.Profile{Name: "older", Revisions: []string{revision}, SSE: true, ToolsOnly: true, Tools: []string{EchoTool, afterEmpty}, Pages: []int{1, 1}},
		Deviation: &refserver.Deviation{Generate: map[string]string{"cursor": "empty"}, Edits: append([]refserver.Edit{
			{On: "result tools/list", Nth: 1, Set: text("/result/nextCursor"), Value: json.RawMessage(`""`)},
			{On: "result tools/call", Nth: 1, Before: []any{
				message{"id": "roots-1", "method": "roots/list"},
				message{"id": "sampling-1", "method": "sampling/createMessage", "params": map[string]any{
					"messages": []any{map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": "Say mcpcheck."}}}, "maxTokens": 1,
				}},
				message{"id": "elicitation-1", "method": "elicitation/create", "params": map[string]any{
					"message": "mcpcheck asks for nothing.", "requestedSchema": map[string]any{"type": "object", "properties": map[string]any{}},
				}},
			}},
			{On: "result tools/call", Nth: 2, Before: []any{message{"id": "roots-2", "method": "roots/list"}}, Delay: "300ms"},
		}, refuseProbe(404, "-32601", "")...)},
	}
}

// refused answers with a version that nobody speaks.
func refused() Persona {
	return answering("refused", "answers initialize with a version that no client speaks", "1900-01-01")
}

// newer answers with the newest version, whatever was asked for.
func newer(revision string) Persona {
	p := answering("newer", "speaks nothing older than "+revision, revision)
	p.Profile.Revisions = []string{revision}
	return p
}

func answering(name, about, version string) Persona {
	p := plain()
	p.Name, p.About, p.Conforms = name, about, false
	p.Person = "a client that ends the connection does well: go on then"
	value, _ := json.Marshal(version) // a string
	p.Deviation = &refserver.Deviation{Edits: []refserver.Edit{{On: "result initialize", Set: text("/result/protocolVersion"), Value: value}}}
	return p
}

// lost forgets its sessions soon after they were opened. Each answer is as it should be, but nobody would run such a server.
func lost() Persona {
	p := plain()
	p.Name, p.About, p.Conforms = "lost", "ends each session after the handshake: 404 from then on", false
	p.Person = "if your client says that its session is gone, let it connect anew"
	p.Profile.Lifetime = 2
	p.Deviation = &refserver.Deviation{Edits: refuseProbe(200, "-32602", "")}
	return p
}

// resume ends the connections of its streams, which a client may come back for. Nothing of it is wrong, but our own suites come back once
// only, so that it does not say of itself that they have nothing against it.
func resume() Persona {
	return Persona{
		Name: "resume", About: "ends the stream of each call twice ahead of the answer, and the first GET streams at once; it can be come back for", Twice: true,
		Person:  "a call takes some seconds",
		Profile: refserver.Profile{Name: "resume", Sessions: true, SSE: true, GET: true, DELETE: true, Store: true, Parks: true, Tasks: true, ToolsOnly: true, Tools: []string{EchoTool}},
		Deviation: &refserver.Deviation{Edits: append([]refserver.Edit{
			{On: "result initialize", Set: text("/result/serverInfo/icons"), Value: json.RawMessage(`[{"src":"{origin}/icons/icon.png","mimeType":"image/png"}]`)},
			{On: "event retry", Event: &refserver.EventEdit{Retry: text("500")}},
			{On: "result tools/call", Delay: "1400ms"},
		}, endedStreams(12)...)},
	}
}

// taskTool must be called as a task.
const taskTool = "mcpcheck_task"

// tasks runs one of its tools as a task and refuses that of the other. Who knows nothing of tasks has no business there.
func tasks() Persona {
	return Persona{
		Name: "tasks", About: "2025-11-25 only, has a tool that must be called as a task, and one that must not", Conforms: true,
		Profile: refserver.Profile{
			Name: "tasks", Revisions: []string{"2025-11-25"}, Sessions: true, DELETE: true, Tasks: true, Task: taskTool, ToolsOnly: true, Tools: []string{EchoTool, taskTool},
		},
	}
}

// endedStreams end the first GET streams at once, with a pause to be kept.
func endedStreams(n int) []refserver.Edit {
	var edits []refserver.Edit
	for i := range n {
		edits = append(edits, refserver.Edit{On: "get-stream", Nth: i + 1, Body: text("retry: 1500\n\n")})
	}
	return edits
}

// oldSSEAbsolute writes its endpoint as an absolute URI.
func oldSSEAbsolute() Persona {
	p := oldSSE()
	p.Name, p.About = "old-sse-absolute", "HTTP+SSE of 2024-11-05 with an absolute endpoint"
	p.Deviation.Generate = map[string]string{"endpoint": "absolute"}
	return p
}

// oldSSEElsewhere names another origin to post to, which leads here all the same: who posts there would post anywhere.
func oldSSEElsewhere() Persona {
	p := oldSSE()
	p.Person = "a client that does not connect here does well: go on then"
	p.Name, p.About = "old-sse-elsewhere", "HTTP+SSE of 2024-11-05 with an endpoint of another origin"
	p.Deviation.Generate = map[string]string{"endpoint": "other-host"}
	return p
}

// oldSSE speaks the transport of 2024-11-05 alone.
func oldSSE() Persona {
	return Persona{
		Name: "old-sse", About: "HTTP+SSE of 2024-11-05: refuses POST, and opens a stream that says where to post to after a second",
		Person:  "a client that does not speak this old transport cannot connect, as is its right: go on then",
		Profile: refserver.Profile{Name: "old-sse", Transport: refserver.TransportHTTPSSE, ToolsOnly: true, Tools: []string{EchoTool}},
		Deviation: &refserver.Deviation{Edits: []refserver.Edit{
			{On: "event endpoint", Delay: "1s"},
		}},
	}
}

// message is a JSON-RPC message that the server sends of its own accord.
type message map[string]any

// MarshalJSON adds the version.
func (m message) MarshalJSON() ([]byte, error) {
	whole := map[string]any{"jsonrpc": "2.0"}
	for k, v := range m {
		whole[k] = v
	}
	return json.Marshal(whole)
}
