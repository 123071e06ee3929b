package refserver

import (
	"encoding/json"
	"fmt"
	"time"
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
	offered            func(*request) bool // nil: always
	run                func(*request) (any, *rpcError)
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

type toolResult struct {
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

func says(format string, args ...any) toolResult {
	return toolResult{Content: []any{text(format, args...)}}
}

// fails is a failure of the tool itself, which is a result, not a JSON-RPC error (server/tools#error-handling).
func fails(format string, args ...any) toolResult {
	return toolResult{Content: []any{text(format, args...)}, IsError: true}
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
			run:    (*request).echo,
		}, {
			name: "status", title: "Status", about: "Tells the time and the revision of the session.",
			input:  object(nil, schema{}),
			output: object([]string{"time", "revision"}, schema{"time": schema{"type": "string"}, "revision": schema{"type": "string"}}),
			run:    (*request).status,
		}, {
			name: "slow", title: "Slow", about: "Takes a while.", input: millis, streams: true,
			run: (*request).slow,
		}, {
			name: "chatty", title: "Chatty", about: "Logs a message of several levels while it runs.", input: object(nil, schema{}),
			streams: true, run: (*request).chatty,
		}, {
			name: "progressing", title: "Progressing", about: "Reports its progress to whoever gave a token.", input: object(nil, schema{}),
			streams: true, run: (*request).progressing,
		}, {
			name: "early-close", title: "Early close", about: "Ends the connection before the answer, which a resumption gets.",
			input: object(nil, schema{}), streams: true, offered: (*request).canPark, run: (*request).earlyClose,
		}, {
			name: "failing", title: "Failing", about: "Fails whenever it is called.", input: object(nil, schema{}),
			run: func(*request) (any, *rpcError) { return fails("this tool always fails"), nil },
		}, {
			name: "write-note", title: "Write a note", about: "Keeps a note for the rest of the session.",
			input: object([]string{"text"}, schema{"text": schema{"type": "string"}}), writes: true,
			run: (*request).writeNote,
		}, {
			name: "count-notes", title: "Count notes", about: "Tells how many notes there are; offered once there is one.",
			input: object(nil, schema{}), offered: func(c *request) bool { return len(c.session.allNotes()) > 0 },
			run: func(c *request) (any, *rpcError) { return says("%d", len(c.session.allNotes())), nil },
		}, {
			name: "report", title: "Report", about: "Writes a report, which takes a task.", input: object(nil, schema{}),
			task: true, offered: (*request).offersTasks,
			run: func(*request) (any, *rpcError) { return says("nothing to report"), nil },
		}, {
			name: "ask-model", title: "Ask the model", about: "Lets the model of the client say something.", input: object(nil, schema{}),
			writes: true, streams: true, run: (*request).askModel,
		}, {
			name: "ask-model-with-tools", title: "Ask the model with tools", about: "Lets the model of the client use tools.",
			input: object(nil, schema{}), writes: true, streams: true, offered: from(Rev20251125), run: (*request).askModelWithTools,
		}, {
			name: "ask-person", title: "Ask the person", about: "Shows a form.", input: object(nil, schema{}),
			writes: true, streams: true, offered: from(Rev20250618), run: (*request).askPerson,
		}, {
			name: "ask-person-url", title: "Ask the person by URL", about: "Sends the person to a page.", input: object(nil, schema{}),
			writes: true, streams: true, offered: from(Rev20251125), run: (*request).askPersonURL,
		}, {
			name: "locked", title: "Locked", about: "Works once the person has been to a page.", input: object(nil, schema{}),
			writes: true, offered: from(Rev20251125), run: (*request).openLocked,
		},
	}
}

func (c *request) offeredTools() []tool {
	var offered []tool
	for _, t := range allTools() {
		if t.offered == nil || t.offered(c) {
			offered = append(offered, t)
		}
	}
	return offered
}

func (c *request) listTools() (any, *rpcError) {
	tools, next, err := page(c, c.offeredTools())
	if err != nil {
		return nil, err
	}
	entries := make([]toolEntry, len(tools))
	for i, t := range tools {
		entries[i] = toolEntry{
			Name:         t.name,
			Title:        since(c, Rev20250618, t.title),
			Description:  t.about,
			InputSchema:  t.input,
			OutputSchema: since(c, Rev20250618, t.output),
			Annotations:  since(c, Rev20250326, &toolAnnotations{ReadOnly: !t.writes, Idempotent: !t.writes}),
			Meta:         since(c, Rev20250618, map[string]any{"com.example.refserver/number": i + 1}),
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
func (c *request) callTool() (any, *rpcError) {
	var params struct {
		Name      *string         `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Task      json.RawMessage `json:"task"` // from 2025-11-25
	}
	if err := decodeParams(c.message, &params); err != nil {
		return nil, err
	}
	if params.Name == nil {
		return nil, invalidParams("name is required")
	}
	var arguments map[string]any
	if params.Arguments != nil && (json.Unmarshal(params.Arguments, &arguments) != nil || arguments == nil) {
		return nil, invalidParams("arguments is no object")
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
	return nil, invalidParams("unknown tool")
}

// arguments reads the arguments of a tool; what does not fit is for the model to read, hence no protocol error
// (2025-11-25: server/tools#error-handling).
func (c *request) arguments(into any) *toolResult {
	if c.args == nil {
		return nil
	}
	if err := json.Unmarshal(c.args, into); err != nil {
		r := fails("the arguments do not fit the schema: %v", err)
		return &r
	}
	return nil
}

// structured is a result with structuredContent and the same as text (2025-06-18: server/tools#structured-content).
func (c *request) structured(v any) toolResult {
	return toolResult{
		Content:    []any{text("%s", encode(v))},
		Structured: since(c, Rev20250618, v),
	}
}

func (c *request) echo() (any, *rpcError) {
	var args struct {
		Text *string `json:"text"`
	}
	if bad := c.arguments(&args); bad != nil {
		return *bad, nil
	}
	if args.Text == nil {
		return fails("the argument text is required"), nil
	}
	return c.structured(map[string]any{"text": *args.Text}), nil
}

func (c *request) status() (any, *rpcError) {
	return c.structured(map[string]any{
		"time":     c.s.now().UTC().Format(time.RFC3339),
		"revision": c.session.revision,
	}), nil
}
