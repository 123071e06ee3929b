package legacy

import (
	"encoding/json"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// askTimeout is how long a tool waits for its client: there may be a person behind it.
const askTimeout = time.Minute

// Ask sends requests to the client while a tool runs, one after another.
func (c *request) Ask(questions ...core.Question) (answers []json.RawMessage, instead any) {
	for _, q := range questions {
		answer, instead := c.ask(q.Method, q.Params)
		if instead != nil {
			return nil, instead
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// ask sends one on the stream of the call, and waits for the result (basic/transports#sending-messages-to-the-server). Whatever keeps the
// result from coming is a failure of the tool.
func (c *request) ask(method string, params any) (answer json.RawMessage, instead any) {
	if c.stream == nil {
		return nil, core.Fails("the call has no stream to ask on")
	}
	id := c.s.requestID(c.session.nextRequestID())
	answered, forget := c.session.await(id)
	defer forget()
	c.s.emit(c.stream, c.scene, jsonrpc.Request(id, method, params))

	timeout := time.NewTimer(askTimeout)
	defer timeout.Stop()
	select {
	case <-c.Ctx.Done():
		return nil, core.Fails("the call was cancelled")
	case <-timeout.C:
		c.Notify(jsonrpc.Notification("notifications/cancelled", map[string]any{"requestId": id, "reason": "no answer in time"}))
		return nil, core.Fails("the client did not answer %s in time", method)
	case m := <-answered:
		var body struct {
			Result json.RawMessage `json:"result"`
			Error  *jsonrpc.Error  `json:"error"`
		}
		if json.Unmarshal(m.Raw, &body) != nil || body.Error != nil || body.Result == nil {
			return nil, core.Fails("the client refused %s", method)
		}
		return body.Result, nil
	}
}
