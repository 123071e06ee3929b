package refserver

import (
	"bytes"
	"encoding/json"
	"time"
)

// askTimeout is how long a tool waits for its client: there may be a person behind it.
const askTimeout = time.Minute

// ask sends a request to the client while a tool runs, on the stream of the call, and waits for the result
// (basic/transports#sending-messages-to-the-server). Whatever keeps the result from coming is a failure of the tool.
func (c *request) ask(method string, params any) (json.RawMessage, *toolResult) {
	failure := func(format string, args ...any) (json.RawMessage, *toolResult) {
		r := fails(format, args...)
		return nil, &r
	}
	if c.stream == nil {
		return failure("the call has no stream to ask on")
	}
	id := c.s.dev.requestID(c.session.nextRequestID())
	answered, forget := c.session.await(id)
	defer forget()
	c.s.emit(c.stream, c.scene, outgoing{kind: outRequest, method: method,
		body: rpcCall{JSONRPC: "2.0", ID: id, Method: method, Params: params}})

	timeout := time.NewTimer(askTimeout)
	defer timeout.Stop()
	select {
	case <-c.ctx.Done():
		return failure("the call was cancelled")
	case <-timeout.C:
		c.notify(notification("notifications/cancelled", map[string]any{"requestId": id, "reason": "no answer in time"}))
		return failure("the client did not answer %s in time", method)
	case m := <-answered:
		var body struct {
			Result json.RawMessage `json:"result"`
			Error  *rpcError       `json:"error"`
		}
		if json.Unmarshal(m.raw, &body) != nil || body.Error != nil || body.Result == nil {
			return failure("the client refused %s", method)
		}
		return body.Result, nil
	}
}

// declared tells whether the client declared a capability, or a part of it: what an empty object means is for the caller.
func declared(capability json.RawMessage, part string) bool {
	members := membersOf(capability)
	_, has := members[part]
	return members != nil && (part == "" || has)
}

// membersOf returns the members of an object; nil for what is none.
func membersOf(raw json.RawMessage) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) || json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return members
}

// from tells whether a tool may be offered: only where the revision has what it needs.
func from(revision string) func(*request) bool {
	return func(c *request) bool { return c.session.revision >= revision }
}
