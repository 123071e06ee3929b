package modern

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// A request is one request of a client while it is being answered, and the line on which its method reaches that client.
type request struct {
	core.Request
	x      *exchange
	scene  deviation.Scene
	stream *stream
	rounds rounds
	cancel context.CancelFunc
}

var _ core.Line = (*request)(nil)

// newRequest makes the request that the message of an exchange is. It is cancelled when the client goes, or the server ends.
func (x *exchange) newRequest() *request {
	c := &request{x: x, scene: x.Scene()}
	ctx, cancel := context.WithCancel(x.R.Context())
	stop := context.AfterFunc(x.Site.Ctx, cancel)
	c.cancel = func() { stop(); cancel() }
	c.stream = &stream{x: x, outcome: "served-sse", ctx: ctx}
	c.Request = core.Request{Server: x.s.core, Message: x.Only(), Ctx: ctx, Caller: core.Caller{
		Revision: x.Revision, Capabilities: x.capabilities(), State: x.s.state, Pushes: true, Line: c,
	}}
	return c
}

// leave ends what belongs to the request.
func (c *request) leave() { c.cancel() }

// run lets the tool of a pending request do its work, and keeps its stream alive meanwhile.
func (c *request) run() {
	if c.x.HangsBeforeHead() {
		return
	}
	defer c.stream.keepAlive()()
	c.Run()
}

// respond sends the response: on the stream, where one was opened or the profile wants one, else as JSON. A request that was cancelled
// gets none (basic/transports/streamable-http#cancellation).
func (c *request) respond() {
	if c.Ctx.Err() != nil {
		c.stream.finish()
		return
	}
	if c.Err != nil {
		c.x.Connection().Refused.Store(true)
	}
	if c.Err != nil && !c.stream.isOpen() && !c.x.On(switchErrorStream) {
		c.x.SendMessages(web.NewAnswer(web.OutcomeOfError(c.Err), statusOf(c.Err)), c.Response())
		return
	}
	if c.Err == nil {
		c.Result = c.complete()
	}
	out := c.Response()
	if c.stream.isOpen() || c.x.s.profile.SSE {
		c.stream.emit(c.scene, out)
		c.stream.finish()
		return
	}
	if !c.x.HangsBeforeHead() {
		c.x.SendMessages(web.NewAnswer(web.ServedJSON, http.StatusOK), out)
	}
}

// statusOf is the HTTP status of an answer that is an error. Those that the specification does not speak of come like results.
func statusOf(err *jsonrpc.Error) int {
	switch err.Code {
	case jsonrpc.CodeMethodNotFound:
		return http.StatusNotFound // basic/transports/streamable-http#protocol-version-header
	case jsonrpc.CodeMissingCapability:
		return http.StatusBadRequest // basic/index#meta
	}
	return http.StatusOK
}

// complete adds to a result what every result has: its type, who answers, and how long it may be kept (basic/index#result-responses,
// server/utilities/caching).
func (c *request) complete() map[string]any {
	if asked, ok := c.Result.(inputRequired); ok {
		result := map[string]any{"resultType": "input_required", "requestState": asked.state}
		if asked.requests != nil {
			result["inputRequests"] = asked.requests
		}
		return c.labelled(result)
	}
	members, _ := jsonrpc.DecodeAny(jsonrpc.Encode(c.Result))
	result, _ := members.(map[string]any)
	result["resultType"] = "complete"
	if member, isList := strings.CutSuffix(c.Message.Method, "/list"); isList {
		if list, ok := result[member].([]any); ok {
			result[member] = c.bent(list)
		}
	}
	if hints, ok := cacheable[c.Message.Method]; ok {
		maps.Copy(result, hints)
	}
	return c.labelled(result)
}

// labelled adds the name of the server to the _meta of a result.
func (c *request) labelled(result map[string]any) map[string]any {
	meta, ok := result["_meta"].(map[string]any)
	if !ok {
		meta = map[string]any{}
	}
	meta[keyServerInfo] = c.Server.Info(c.Caller)
	result["_meta"] = meta
	return result
}

// Notify sends a notification that belongs to this request on its stream, which it opens.
func (c *request) Notify(out jsonrpc.Outgoing) {
	for _, o := range c.flooded(out) {
		c.stream.emit(c.scene, o)
	}
}

// Log sends a log message where the request asks for messages of that level (server/utilities/logging#per-request-log-level).
func (c *request) Log(level, text string) {
	if c.Server.ToolsOnly {
		return // logging is not declared then
	}
	wanted, ok := c.x.text(keyLogLevel)
	if !ok && !c.x.On(switchLogUnasked) || ok && !core.AsSevere(level, wanted) && !c.x.On(switchLogAll) {
		return
	}
	c.Notify(core.LogMessage(level, text))
}

// Announce tells those who listen.
func (c *request) Announce(out jsonrpc.Outgoing) { c.x.s.hub.announce(out) }

// CanPark is false: streams cannot be resumed.
func (c *request) CanPark() bool { return false }

// Park is never called.
func (c *request) Park() {}

// object reads JSON that is an object; nil for what is none.
func object(raw json.RawMessage) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return members
}
