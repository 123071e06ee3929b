package jsonrpc

// Error codes of JSON-RPC 2.0, and those that MCP adds: one for resources, which 2026-07-28 gave up (2025-11-25:
// server/resources#error-handling), and those of 2026-07-28 (basic/index#error-codes).
const (
	CodeParse            = -32700
	CodeInvalidRequest   = -32600
	CodeMethodNotFound   = -32601
	CodeInvalidParams    = -32602
	CodeInternal         = -32603
	CodeResourceNotFound = -32002

	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
)

// An Error is the error member of a response.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Error is the message of the error.
func (e *Error) Error() string { return e.Message }

// InvalidParams is the error of a request whose parameters do not do.
func InvalidParams(why string) *Error {
	return &Error{Code: CodeInvalidParams, Message: "invalid params: " + why}
}

// InternalError is all that a client learns of a failure inside the server.
func InternalError() *Error { return &Error{Code: CodeInternal, Message: "internal error"} }
