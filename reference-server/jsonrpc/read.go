package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// A Kind is what a message of the client is.
type Kind int

// Kinds of messages.
const (
	KindInvalid Kind = iota // JSON, but no message of JSON-RPC 2.0
	KindRequest
	KindNotification
	KindResponse
)

// A Message is one JSON-RPC message of the client.
type Message struct {
	Kind   Kind
	ID     json.RawMessage // exactly as it came, since a response repeats value and type
	Method string
	params json.RawMessage
	Raw    json.RawMessage
	Why    string // KindInvalid: what is wrong
}

// Leniency is what a reader lets pass that is no message of JSON-RPC 2.0. A server that conforms has none.
type Leniency struct {
	AnyVersion bool // jsonrpc is not 2.0
	NullID     bool // the id of a request is null or a fraction
}

// Read splits the body of a POST into messages. It fails only where the body is no JSON at all; a document that is no message
// becomes one of KindInvalid.
func Read(body []byte, lenient Leniency) (messages []Message, batch bool, err *Error) {
	// JSON-RPC messages are UTF-8 (basic/transports), which encoding/json alone would not insist on.
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, false, &Error{Code: CodeParse, Message: "parse error: the body is not JSON"}
	}
	body = bytes.TrimSpace(body)
	if body[0] != '[' {
		return []Message{readMessage(body, lenient)}, false, nil
	}
	var elements []json.RawMessage
	if json.Unmarshal(body, &elements) != nil {
		return nil, true, &Error{Code: CodeParse, Message: "parse error: the body is not JSON"}
	}
	for _, e := range elements {
		messages = append(messages, readMessage(e, lenient))
	}
	return messages, true, nil
}

func readMessage(raw json.RawMessage, lenient Leniency) Message {
	m := Message{Raw: raw}
	invalid := func(why string) Message {
		m.Kind, m.Why = KindInvalid, why
		return m
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return invalid("a message is an object")
	}
	id, hasID := members["id"]
	if hasID && usableID(id) {
		m.ID = id
	}
	m.params = members["params"]
	methodText, hasMethod := members["method"]
	if hasMethod && json.Unmarshal(methodText, &m.Method) != nil {
		return invalid("method is no string")
	}
	_, hasResult := members["result"]
	_, hasError := members["error"]

	if string(members["jsonrpc"]) != `"2.0"` && !lenient.AnyVersion {
		return invalid(`jsonrpc is not "2.0"`)
	}
	switch {
	case hasMethod && (hasResult || hasError):
		return invalid("method beside result or error")
	case hasMethod && !hasID:
		m.Kind = KindNotification
	case hasMethod && m.ID == nil && !lenient.NullID:
		return invalid("id is neither string nor integer")
	case hasMethod:
		if m.ID == nil {
			m.ID = id
		}
		m.Kind = KindRequest
	case hasResult == hasError:
		return invalid("neither request nor response")
	case m.ID == nil && hasResult:
		return invalid("a result without id")
	default:
		m.Kind = KindResponse
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

// DecodeParams reads params into into. MCP has params as an object only, never as the array that JSON-RPC also allows.
func DecodeParams(m Message, into any) *Error {
	if m.params == nil {
		return nil
	}
	if trimmed := bytes.TrimSpace(m.params); len(trimmed) == 0 || trimmed[0] != '{' {
		return InvalidParams("not an object")
	}
	if err := json.Unmarshal(m.params, into); err != nil {
		return InvalidParams(err.Error())
	}
	return nil
}
