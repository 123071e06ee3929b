package core

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// A Server is what a server has to offer, whichever era its clients are of. The zero value of what is left out will do.
type Server struct {
	Dev       *deviation.Deviator // nil: it conforms
	Now       func() time.Time    // for the tool status and for tasks
	PageSize  int                 // items of a list page; 0 means all
	Tasks     bool                // has a tool that must be called as a task
	Task      string              // the one of Tools that must be
	ToolsOnly bool                // has tools and no other feature
	NoTools   bool                // has every feature but tools
	Completes bool                // has one of two arguments ahead of Prompts, and completes it
	Failing   bool                // cannot serve prompts and completions for a reason of its own
	Tools     []string            // offered in place of its own ones; see fixedTools
	Prompts   []string            // beside Tools, where ToolsOnly leaves out all else
	Streams   bool                // they are answered on a stream that is open before they run
	Official  bool                // has what the scenarios of the official conformance suite call, see official.go
	Parks     bool                // whose connection ends before
	Pages     []int               // items of each page, in place of PageSize
	Reports   time.Duration       // how long Tools take for those with a progress token, telling how far they are
	State     string              // the one of Tools that asks the client to come back

	Inputs map[string]map[string]any // input schemas of some of Tools

	usedCursors sync.Map // generate cursor: those that are good for one use
}

// A Request is one request of a client while it is being answered.
type Request struct {
	Server  *Server
	Caller  Caller
	Message jsonrpc.Message
	Ctx     context.Context // of a call that takes time: done when it is cancelled
	Result  any
	Err     *jsonrpc.Error

	tool *tool // of a call that takes time
	args json.RawMessage
}

// A method answers at once. tools/call alone may take time, see Request.Pending.
type method struct {
	since string // the revision that introduced it
	run   func(*Request) (any, *jsonrpc.Error)
}

// goneMethods are those that 2026-07-28 has no more: what it was for is said in each request, or by subscriptions/listen.
func (s *Server) goneMethods(caller Caller) map[string]method {
	table := map[string]method{
		"ping": {revision.V20241105, func(*Request) (any, *jsonrpc.Error) { return jsonrpc.Empty{}, nil }},
	}
	if caller.Keeps {
		table["logging/setLevel"] = method{revision.V20241105, (*Request).setLevel}
	}
	if caller.Keeps && s.Tasks {
		table["tasks/get"] = method{revision.V20251125, (*Request).getTask}
		table["tasks/result"] = method{revision.V20251125, (*Request).taskResult}
	}
	if caller.Pushes {
		table["resources/subscribe"] = method{revision.V20241105, (*Request).subscribe}
		table["resources/unsubscribe"] = method{revision.V20241105, (*Request).unsubscribe}
	}
	return table
}

// methods is the table of what the server serves to a caller. The handshake of an era is not in it.
func (s *Server) methods(caller Caller) map[string]method {
	table := map[string]method{
		"tools/list":               {revision.V20241105, (*Request).listTools},
		"tools/call":               {revision.V20241105, (*Request).callTool},
		"resources/list":           {revision.V20241105, (*Request).listResources},
		"resources/templates/list": {revision.V20241105, (*Request).listTemplates},
		"resources/read":           {revision.V20241105, (*Request).readResource},
		"prompts/list":             {revision.V20241105, (*Request).listPrompts},
		"prompts/get":              {revision.V20241105, (*Request).getPrompt},
		"completion/complete":      {revision.V20241105, (*Request).complete},
	}
	if !revision.AtLeast(caller.Revision, revision.V20260728) {
		maps.Copy(table, s.goneMethods(caller))
	}
	if s.NoTools {
		maps.DeleteFunc(table, func(name string, _ method) bool { return strings.HasPrefix(name, "tools/") })
	}
	if s.ToolsOnly {
		maps.DeleteFunc(table, func(name string, _ method) bool {
			feature, _, _ := strings.Cut(name, "/")
			return !slices.Contains([]string{"ping", "tools", "tasks"}, feature) && (feature != "prompts" || len(s.Prompts) == 0) && (feature != "completion" || !s.Completes)
		})
	}
	return table
}

// Answer answers the request as far as that needs no time; afterwards it has a result or an error, or is pending.
func (c *Request) Answer() {
	known, ok := c.Server.methods(c.Caller)[c.Message.Method]
	if !ok || !revision.AtLeast(c.Caller.Revision, known.since) {
		c.Err = &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found"}
		return
	}
	var params struct {
		Meta struct {
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	if c.Err = jsonrpc.DecodeParams(c.Message, &params); c.Err != nil {
		return
	}
	c.Result, c.Err = known.run(c)
}

// Pending tells whether the request is the call of a tool that takes time, says something on the way, or can be cancelled. It
// is answered by Run.
func (c *Request) Pending() bool { return c.tool != nil }

// Run lets the tool of a pending request do its work.
func (c *Request) Run() { c.Result, c.Err = c.tool.run(c) }

// Response is the message that answers the request.
func (c *Request) Response() jsonrpc.Outgoing {
	if c.Err != nil && c.Message.ID == nil {
		return jsonrpc.Refuse(c.Message, c.Caller.Revision, c.Err)
	}
	return jsonrpc.Respond(c.Message, c.Result, c.Err)
}

// speaks tells whether the revision of the caller is as new as another, or newer.
func (c *Request) speaks(rev string) bool { return revision.AtLeast(c.Caller.Revision, rev) }

// since returns v where the revision of the caller has the member, and the zero value, which is left out, where it has not.
func since[T any](c *Request, rev string, v T) T {
	var none T
	if !revision.AtLeast(c.Caller.Revision, rev) {
		return none
	}
	return v
}
