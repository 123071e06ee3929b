package judges

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/wire"
)

// Carries tells that an answer or a stream carries a response with an id.
func Carries(x *wire.Exchange, id json.RawMessage) bool {
	for _, m := range x.Messages() {
		if (m.HasResult || m.HasError) && wire.SameID(m.ID, id) {
			return true
		}
	}
	return false
}

// OnlyResponse tells that a POST got exactly one response.
func OnlyResponse(x *wire.Exchange) bool {
	n := 0
	for _, m := range x.Messages() {
		if m.HasResult || m.HasError {
			n++
		}
	}
	return n == 1
}

// Responses counts the responses in an answer.
func Responses(x *wire.Exchange) int {
	n := 0
	for _, m := range x.Replies() {
		if m.HasResult || m.HasError {
			n++
		}
	}
	return n
}

// HasResult tells that there is a result in the answer, whatever its id.
func HasResult(x *wire.Exchange) bool {
	return slices.ContainsFunc(x.Replies(), func(m wire.Located) bool { return m.HasResult })
}

// HasError tells that there is an error in the answer, whatever its id.
func HasError(x *wire.Exchange) bool {
	_, ok := AnyError(x)
	return ok
}

// AnyError returns the code of the first error in the answer, whatever its id.
func AnyError(x *wire.Exchange) (int64, bool) {
	for _, m := range x.Replies() {
		if m.HasError && !m.HasResult {
			code, _ := m.ErrorCode()
			return code, true
		}
	}
	return 0, false
}
