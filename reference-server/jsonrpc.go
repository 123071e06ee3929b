package refserver

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Error codes of JSON-RPC 2.0, and the one that MCP adds for resources (server/resources#error-handling).
const (
	codeParse            = -32700
	codeInvalidRequest   = -32600
	codeMethodNotFound   = -32601
	codeInvalidParams    = -32602
	codeInternal         = -32603
	codeResourceNotFound = -32002
)

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return e.Message }

func invalidParams(why string) *rpcError {
	return &rpcError{Code: codeInvalidParams, Message: "invalid params: " + why}
}

// internalError is all that a client learns of a failure inside the server.
func internalError() *rpcError { return &rpcError{Code: codeInternal, Message: "internal error"} }

type kind int

const (
	kindInvalid kind = iota // JSON, but no message of JSON-RPC 2.0
	kindRequest
	kindNotification
	kindResponse
)

// A message is one JSON-RPC message of the client.
type message struct {
	kind   kind
	id     json.RawMessage // exactly as it came, since a response repeats value and type
	method string
	params json.RawMessage
	raw    json.RawMessage
	why    string // kindInvalid: what is wrong
}

// readBody splits the body of a POST into messages. It fails only where the body is no JSON at all; a document that is no
// message becomes one of kindInvalid.
func readBody(body []byte, strict func(rule string) bool) (messages []message, batch bool, err *rpcError) {
	// JSON-RPC messages are UTF-8 (basic/transports), which encoding/json alone would not insist on.
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, false, &rpcError{Code: codeParse, Message: "parse error: the body is not JSON"}
	}
	body = bytes.TrimSpace(body)
	if body[0] != '[' {
		return []message{readMessage(body, strict)}, false, nil
	}
	var elements []json.RawMessage
	if json.Unmarshal(body, &elements) != nil {
		return nil, true, &rpcError{Code: codeParse, Message: "parse error: the body is not JSON"}
	}
	for _, e := range elements {
		messages = append(messages, readMessage(e, strict))
	}
	return messages, true, nil
}

func readMessage(raw json.RawMessage, strict func(rule string) bool) message {
	m := message{raw: raw}
	invalid := func(why string) message {
		m.kind, m.why = kindInvalid, why
		return m
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return invalid("a message is an object")
	}
	id, hasID := members["id"]
	if hasID && usableID(id) {
		m.id = id
	}
	m.params = members["params"]
	methodText, hasMethod := members["method"]
	if hasMethod && json.Unmarshal(methodText, &m.method) != nil {
		return invalid("method is no string")
	}
	_, hasResult := members["result"]
	_, hasError := members["error"]

	if string(members["jsonrpc"]) != `"2.0"` && strict(switchAnyVersion) {
		return invalid(`jsonrpc is not "2.0"`)
	}
	switch {
	case hasMethod && (hasResult || hasError):
		return invalid("method beside result or error")
	case hasMethod && !hasID:
		m.kind = kindNotification
	case hasMethod && m.id == nil && strict(switchNullID):
		return invalid("id is neither string nor integer")
	case hasMethod:
		if m.id == nil {
			m.id = id
		}
		m.kind = kindRequest
	case hasResult == hasError:
		return invalid("neither request nor response")
	case m.id == nil && hasResult:
		return invalid("a result without id")
	default:
		m.kind = kindResponse
	}
	return m
}

// usableID tells whether the raw value is a string or an integer; null and fractions are excluded (basic/index#requests).
func usableID(raw json.RawMessage) bool {
	if len(raw) > 0 && raw[0] == '"' {
		return true
	}
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') && !strings.ContainsAny(string(raw), ".eE")
}

// decodeParams reads params into into. MCP has params as an object only, never as the array that JSON-RPC also allows.
func decodeParams(m message, into any) *rpcError {
	if m.params == nil {
		return nil
	}
	if trimmed := bytes.TrimSpace(m.params); len(trimmed) == 0 || trimmed[0] != '{' {
		return invalidParams("not an object")
	}
	if err := json.Unmarshal(m.params, into); err != nil {
		return invalidParams(err.Error())
	}
	return nil
}

// What an outgoing message is; together with its method the name by which a deviation selects it.
const (
	outResult       = "result"
	outError        = "error"
	outRefusal      = "refusal" // the error in the body of an HTTP refusal
	outNotification = "notification"
	outRequest      = "server-request"
)

// outgoing is one message of the server, before it becomes bytes.
type outgoing struct {
	kind   string
	method string // of the message, or of the request that it answers
	code   int    // outError
	body   any
}

type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcCall struct {
	JSONRPC string `json:"jsonrpc"`
	ID      any    `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

// empty is the result without members: {} and never null.
type empty struct{}

// respond makes the one response to a request.
func respond(m message, result any, err *rpcError) outgoing {
	if err != nil {
		return outgoing{outError, m.method, err.Code, response{JSONRPC: "2.0", ID: m.id, Error: err}}
	}
	return outgoing{kind: outResult, method: m.method, body: response{JSONRPC: "2.0", ID: m.id, Result: result}}
}

// refuse makes an error for a message whose id may be unknown. JSON-RPC then wants null, and so does every revision that
// does not let the id be absent, as 2025-11-25 does.
func refuse(m message, revision string, err *rpcError) outgoing {
	id := m.id
	if id == nil && revision < Rev20251125 {
		id = json.RawMessage("null")
	}
	return outgoing{outError, m.method, err.Code, response{JSONRPC: "2.0", ID: id, Error: err}}
}

func notification(method string, params any) outgoing {
	return outgoing{kind: outNotification, method: method, body: rpcCall{JSONRPC: "2.0", Method: method, Params: params}}
}

// encode writes a message on one line, with <, > and & as they are.
func encode(body any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		// Only our own types get here; all of them can be encoded.
		panic("refserver: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
