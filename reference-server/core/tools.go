package core

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// A tool is what tools/list shows and tools/call runs (server/tools). All but write-note and those that ask only
// read.
type tool struct {
	name, title, about string
	input              any
	output             any // from 2025-06-18
	writes             bool
	streams            bool                // takes time or says something on the way
	task               bool                // must be called as a task, see tasks.go
	offered            func(*Request) bool // nil: always
	run                func(*Request) (any, *jsonrpc.Error)
}

type toolEntry struct {
	Name         string           `json:"name"`
	Title        string           `json:"title,omitempty"` // from 2025-06-18
	Description  string           `json:"description"`
	InputSchema  any              `json:"inputSchema"`
	OutputSchema any              `json:"outputSchema,omitempty"` // from 2025-06-18
	Annotations  *toolAnnotations `json:"annotations,omitempty"`  // from 2025-03-26
	Execution    *toolExecution   `json:"execution,omitempty"`    // from 2025-11-25
	Meta         map[string]any   `json:"_meta,omitempty"`        // from 2025-06-18
}

type toolAnnotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// A ToolResult is what a tool answers with, failures of its own included.
type ToolResult struct {
	Content    []any `json:"content"`
	Structured any   `json:"structuredContent,omitempty"` // from 2025-06-18
	IsError    bool  `json:"isError,omitempty"`
}

type textContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func text(format string, args ...any) textContent {
	return textContent{Type: "text", Text: fmt.Sprintf(format, args...)}
}

func says(format string, args ...any) ToolResult {
	return ToolResult{Content: []any{text(format, args...)}}
}

// Fails is a failure of the tool itself, which is a result, not a JSON-RPC error (server/tools#error-handling).
func Fails(format string, args ...any) ToolResult {
	return ToolResult{Content: []any{text(format, args...)}, IsError: true}
}

type schema = map[string]any

func object(required []string, properties schema) schema {
	s := schema{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// allTools is the list in the order in which it is shown.
func allTools() []tool {
	millis := object(nil, schema{"milliseconds": schema{"type": "integer", "minimum": 0, "maximum": 10000,
		"description": "how long it takes"}})
	return []tool{
		{
			name: "echo", title: "Echo", about: "Repeats a text.",
			input:  object([]string{"text"}, schema{"text": schema{"type": "string", "description": "what to repeat"}}),
			output: object([]string{"text"}, schema{"text": schema{"type": "string"}}),
			run:    (*Request).echo,
		}, {
			name: "status", title: "Status", about: "Tells the time and the revision of the session.",
			input:  object(nil, schema{}),
			output: object([]string{"time", "revision"}, schema{"time": schema{"type": "string"}, "revision": schema{"type": "string"}}),
			run:    (*Request).status,
		}, {
			name: "slow", title: "Slow", about: "Takes a while.", input: millis, streams: true,
			run: (*Request).slow,
		}, {
			name: "chatty", title: "Chatty", about: "Logs a message of several levels while it runs.", input: object(nil, schema{}),
			streams: true, run: (*Request).chatty,
		}, {
			name: "progressing", title: "Progressing", about: "Reports its progress to whoever gave a token.", input: object(nil, schema{}),
			streams: true, run: (*Request).progressing,
		}, {
			name: "early-close", title: "Early close", about: "Ends the connection before the answer, which a resumption gets.",
			input: object(nil, schema{}), streams: true, offered: func(c *Request) bool { return c.Caller.Line.CanPark() }, run: (*Request).earlyClose,
		}, {
			name: "failing", title: "Failing", about: "Fails whenever it is called.", input: object(nil, schema{}),
			run: func(*Request) (any, *jsonrpc.Error) { return Fails("this tool always fails"), nil },
		}, {
			name: "write-note", title: "Write a note", about: "Keeps a note for the rest of the session.",
			input: object([]string{"text"}, schema{"text": schema{"type": "string"}}), writes: true,
			run: (*Request).writeNote,
		}, {
			name: "count-notes", title: "Count notes", about: countNotes,
			input: object(nil, schema{}), offered: func(c *Request) bool { return len(c.Caller.State.allNotes()) > 0 },
			run: func(c *Request) (any, *jsonrpc.Error) { return says("%d", len(c.Caller.State.allNotes())), nil },
		}, {
			name: "report", title: "Report", about: "Writes a report, which takes a task.", input: object(nil, schema{}),
			task: true, offered: func(c *Request) bool { return c.Server.offersTasks(c.Caller) },
			run: func(*Request) (any, *jsonrpc.Error) { return says("nothing to report"), nil },
		}, {
			name: "ask-model", title: "Ask the model", about: "Lets the model of the client say something.", input: object(nil, schema{}),
			writes: true, streams: true, run: (*Request).askModel,
		}, {
			name: "ask-model-with-tools", title: "Ask the model with tools", about: "Lets the model of the client use tools.",
			input: object(nil, schema{}), writes: true, streams: true, offered: from(revision.V20251125), run: (*Request).askModelWithTools,
		}, {
			name: "ask-person", title: "Ask the person", about: "Shows a form.", input: object(nil, schema{}),
			writes: true, streams: true, offered: from(revision.V20250618), run: (*Request).askPerson,
		}, {
			name: "ask-person-url", title: "Ask the person by URL", about: "Sends the person to a page.", input: object(nil, schema{}),
			writes: true, streams: true, offered: from(revision.V20251125), run: (*Request).askPersonURL,
		}, {
			name: "locked", title: "Locked", about: "Works once the person has been to a page.", input: object(nil, schema{}),
			writes: true, offered: func(c *Request) bool { return c.Caller.Revision == revision.V20251125 }, run: (*Request).openLocked,
		}, {
			name: "ask-roots", title: "Ask for roots", about: "Asks the client which folders there are.", input: object(nil, schema{}),
			writes: true, streams: true, offered: from(revision.V20260728), run: (*Request).askRoots,
		}, {
			name: "forecast", title: "Forecast", about: "Tells the weather of a region; where it is told for is in headers too.",
			input: forecastInput(), offered: from(revision.V20260728), run: (*Request).forecast,
		},
	}
}

// fixedTools are what a server offers that only wants to see its client call something: they take nothing, do nothing and say their name.
func (c *Request) fixedTools() []tool {
	s := c.Server
	var fixed []tool
	for _, name := range s.Tools {
		input := object(nil, schema{})
		if own, there := s.Inputs[name]; there {
			input = own
		}
		task := s.Task == name && s.offersTasks(c.Caller)
		fixed = append(fixed, tool{name: name, title: name, about: "Says its name, and does nothing.", input: input, task: task,
			streams: s.Streams, run: func(c *Request) (any, *jsonrpc.Error) { return c.sayName(name) }})
	}
	return fixed
}

// parked is how long a call that ends its connection is away until it does so again.
const parked = 900 * time.Millisecond

// reports is in how many steps a call that takes long tells how far it is.
const reports = 8

// sayName is what a fixed tool does, with what its server does around it.
func (c *Request) sayName(name string) (any, *jsonrpc.Error) {
	if name == c.Server.State && c.speaks(revision.V20260728) {
		var questions []Question
		if declared(c.Caller.Capabilities.Roots, "") {
			questions = append(questions, Question{Method: "roots/list"})
		}
		if _, instead := c.Caller.Line.Ask(questions...); instead != nil {
			return end(instead)
		}
	}
	if c.Server.Reports > 0 && c.progressToken() != nil {
		c.report(reports, c.Server.Reports/reports)
	}
	if c.Server.Parks && c.Caller.Line.CanPark() {
		c.Caller.Line.Park()
		Sleep(c.Ctx.Done(), parked)
		c.Caller.Line.Park()
	}
	return says("%s", name), nil
}

func (c *Request) offeredTools() []tool {
	if len(c.Server.Tools) > 0 {
		return c.fixedTools()
	}
	all := allTools()
	if c.Server.Official {
		all = append(all, officialTools()...)
	}
	var offered []tool
	for _, t := range all {
		if t.offered == nil || t.offered(c) {
			offered = append(offered, t)
		}
	}
	return offered
}

const countNotes = "Tells how many notes there are; offered once there is one."

// about is the description of a tool. In the era without sessions, where notes are everybody's, one of them changes with each note.
func (c *Request) about(t tool) string {
	if t.about == countNotes && c.speaks(revision.V20260728) {
		return fmt.Sprintf("Tells how many notes there are: %d when this was listed.", len(c.Caller.State.allNotes()))
	}
	return t.about
}

func (c *Request) listTools() (any, *jsonrpc.Error) {
	tools, next, err := page(c, c.offeredTools())
	if err != nil {
		return nil, err
	}
	entries := make([]toolEntry, len(tools))
	for i, t := range tools {
		entries[i] = toolEntry{
			Name:         t.name,
			Title:        since(c, revision.V20250618, t.title),
			Description:  c.about(t),
			InputSchema:  t.input,
			OutputSchema: since(c, revision.V20250618, t.output),
			Annotations:  since(c, revision.V20250326, &toolAnnotations{ReadOnly: !t.writes, Idempotent: !t.writes}),
			Meta:         since(c, revision.V20250618, map[string]any{"com.example.refserver/number": i + 1}),
		}
		if t.task {
			entries[i].Execution = &toolExecution{TaskSupport: "required"}
		}
	}
	return struct {
		Tools      []toolEntry `json:"tools"`
		NextCursor string      `json:"nextCursor,omitempty"`
	}{entries, next}, nil
}

// callTool finds the tool and, where it answers at once, runs it. An unknown tool is a protocol error
// (server/tools#error-handling).
func (c *Request) callTool() (any, *jsonrpc.Error) {
	var params struct {
		Name      *string         `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Task      json.RawMessage `json:"task"` // from 2025-11-25
	}
	if err := jsonrpc.DecodeParams(c.Message, &params); err != nil {
		return nil, err
	}
	if params.Name == nil {
		return nil, jsonrpc.InvalidParams("name is required")
	}
	var arguments map[string]any
	if params.Arguments != nil && (json.Unmarshal(params.Arguments, &arguments) != nil || arguments == nil) {
		return nil, jsonrpc.InvalidParams("arguments is no object")
	}
	c.args = params.Arguments
	for _, t := range c.offeredTools() {
		if t.name != *params.Name {
			continue
		}
		if err := c.wrongWay(t, params.Task != nil); err != nil {
			return nil, err
		}
		if t.task {
			return c.startTask(t)
		}
		if t.streams {
			c.tool = &t
			return nil, nil
		}
		return t.run(c)
	}
	return nil, jsonrpc.InvalidParams("unknown tool")
}

// arguments reads the arguments of a tool; what does not fit is for the model to read, hence no protocol error
// (2025-11-25: server/tools#error-handling).
func (c *Request) arguments(into any) *ToolResult {
	if c.args == nil {
		return nil
	}
	if err := json.Unmarshal(c.args, into); err != nil {
		r := Fails("the arguments do not fit the schema: %v", err)
		return &r
	}
	return nil
}

// structured is a result with structuredContent and the same as text (2025-06-18: server/tools#structured-content).
func (c *Request) structured(v any) ToolResult {
	return ToolResult{
		Content:    []any{text("%s", jsonrpc.Encode(v))},
		Structured: since(c, revision.V20250618, v),
	}
}

func (c *Request) echo() (any, *jsonrpc.Error) {
	var args struct {
		Text *string `json:"text"`
	}
	if bad := c.arguments(&args); bad != nil {
		return *bad, nil
	}
	if args.Text == nil {
		return Fails("the argument text is required"), nil
	}
	return c.structured(map[string]any{"text": *args.Text}), nil
}

func (c *Request) status() (any, *jsonrpc.Error) {
	return c.structured(map[string]any{
		"time":     c.Server.Now().UTC().Format(time.RFC3339),
		"revision": c.Caller.Revision,
	}), nil
}
