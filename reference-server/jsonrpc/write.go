package jsonrpc

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// What an outgoing message is; together with its method the name by which a deviation selects it.
const (
	OutResult       = "result"
	OutError        = "error"
	OutRefusal      = "refusal" // the error in the body of an HTTP refusal
	OutNotification = "notification"
	OutRequest      = "server-request"
)

// Outgoing is one message of the server, before it becomes bytes.
type Outgoing struct {
	Kind   string // see OutResult and the others
	Method string // of the message, or of the request that it answers
	Body   any
}

type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

type call struct {
	JSONRPC string `json:"jsonrpc"`
	ID      any    `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

// Empty is the result without members: {} and never null.
type Empty struct{}

// Respond makes the one response to a request.
func Respond(m Message, result any, err *Error) Outgoing {
	if err != nil {
		return Outgoing{OutError, m.Method, response{JSONRPC: "2.0", ID: m.ID, Error: err}}
	}
	return Outgoing{Kind: OutResult, Method: m.Method, Body: response{JSONRPC: "2.0", ID: m.ID, Result: result}}
}

// Refuse makes an error for a message whose id may be unknown. JSON-RPC then wants null, and so does every revision that
// does not let the id be absent, as 2025-11-25 does.
func Refuse(m Message, rev string, err *Error) Outgoing {
	id := m.ID
	if id == nil && !revision.AtLeast(rev, revision.V20251125) {
		id = json.RawMessage("null")
	}
	return Outgoing{OutError, m.Method, response{JSONRPC: "2.0", ID: id, Error: err}}
}

// Notification makes one of the server.
func Notification(method string, params any) Outgoing {
	return Outgoing{Kind: OutNotification, Method: method, Body: call{JSONRPC: "2.0", Method: method, Params: params}}
}

// Request makes a request of the server.
func Request(id any, method string, params any) Outgoing {
	return Outgoing{Kind: OutRequest, Method: method, Body: call{JSONRPC: "2.0", ID: id, Method: method, Params: params}}
}
