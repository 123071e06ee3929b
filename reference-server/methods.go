package refserver

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A request is one request of the client while it is being answered.
type request struct {
	s       *Server
	session *session
	message message
	scene   scene
	ctx     context.Context // of a running tool: done when it is cancelled
	stream  *stream         // where related messages go; nil for an answer in JSON
	tool    *tool           // set by prepare for a call of a tool that takes time
	args    json.RawMessage
	result  any
	err     *rpcError
}

// A method answers at once. tools/call alone may take time, see request.tool.
type method struct {
	since string // the revision that introduced it
	run   func(*request) (any, *rpcError)
}

// methods is the table of what the server serves; initialize is not in it, since it is no request within a session.
func (s *Server) methods() map[string]method {
	table := map[string]method{
		"ping":                     {Rev20241105, func(*request) (any, *rpcError) { return empty{}, nil }},
		"tools/list":               {Rev20241105, (*request).listTools},
		"tools/call":               {Rev20241105, (*request).callTool},
		"resources/list":           {Rev20241105, (*request).listResources},
		"resources/templates/list": {Rev20241105, (*request).listTemplates},
		"resources/read":           {Rev20241105, (*request).readResource},
		"prompts/list":             {Rev20241105, (*request).listPrompts},
		"prompts/get":              {Rev20241105, (*request).getPrompt},
		"completion/complete":      {Rev20241105, (*request).complete},
	}
	if s.profile.Sessions {
		table["logging/setLevel"] = method{Rev20241105, (*request).setLevel}
	}
	if s.profile.Sessions && s.profile.Tasks {
		table["tasks/get"] = method{Rev20251125, (*request).getTask}
		table["tasks/result"] = method{Rev20251125, (*request).taskResult}
	}
	if s.profile.Sessions && s.profile.GET {
		table["resources/subscribe"] = method{Rev20241105, (*request).subscribe}
		table["resources/unsubscribe"] = method{Rev20241105, (*request).unsubscribe}
	}
	if s.profile.ToolsOnly {
		maps.DeleteFunc(table, func(name string, _ method) bool {
			feature, _, _ := strings.Cut(name, "/")
			return !slices.Contains([]string{"ping", "tools", "tasks"}, feature)
		})
	}
	return table
}

// prepare answers a request as far as that needs no time.
func (s *Server) prepare(x *exchange, m message) *request {
	c := &request{s: s, session: x.session, message: m, scene: x.sceneOf(m)}
	if m.kind == kindInvalid {
		// Only an element of a batch gets here; alone it was refused.
		if !s.dev.skips("invalid-request", x) {
			c.err = &rpcError{Code: codeInvalidRequest, Message: "invalid request: " + m.why}
			return c
		}
		c.result = empty{}
		return c
	}
	known, ok := s.methods()[m.method]
	if !ok || known.since > x.session.revision {
		c.err = &rpcError{Code: codeMethodNotFound, Message: "method not found"}
		return c
	}
	var params struct {
		Meta struct {
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	if c.err = decodeParams(m, &params); c.err != nil {
		return c
	}
	c.result, c.err = known.run(c)
	return c
}

// streams tells whether the request needs a stream for what goes ahead of its response, or because it can be cancelled.
func (c *request) streams() bool { return c.err == nil && c.tool != nil }

// run lets the tool of the request do its work.
func (c *request) run() { c.result, c.err = c.tool.run(c) }

func (c *request) response() outgoing {
	if c.err != nil && c.message.id == nil {
		return refuse(c.message, c.session.revision, c.err)
	}
	return respond(c.message, c.result, c.err)
}

// notify sends a notification that belongs to this request: on its stream, ahead of the response.
func (c *request) notify(out outgoing) {
	if c.stream == nil || c.s.dev.relatedOnGet(c, out) {
		return
	}
	c.s.emit(c.stream, c.scene, out)
}

// since returns v where the negotiated revision has the member, and the zero value, which is left out, where it has not.
func since[T any](c *request, revision string, v T) T {
	var none T
	if c.session.revision < revision {
		return none
	}
	return v
}
