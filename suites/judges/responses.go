package judges

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/wire"
)

// Carries tells that an answer or a stream carries a response with an id. That its JSON type is another is jsonrpc.response.id-echo's.
func Carries(x *wire.Exchange, id json.RawMessage) bool {
	for _, m := range x.Messages() {
		if (m.HasResult || m.HasError) && (wire.SameID(m.ID, id) || wire.SameSpelling(m.ID, id)) {
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
	_, ok := anyError(x)
	return ok
}

// anyError returns the code of the first error in the answer, whatever its id.
func anyError(x *wire.Exchange) (int64, bool) {
	for _, m := range x.Replies() {
		if m.HasError && !m.HasResult {
			code, _ := m.ErrorCode()
			return code, true
		}
	}
	return 0, false
}

// IDSet holds request ids, compared as JSON-RPC compares them.
type IDSet struct {
	list []json.RawMessage
	// spelt has each as it was written: nearly all come back like that, and only the others have to be read.
	spelt map[string]int
}

// Add puts an id into the set; it may be there several times.
func (s *IDSet) Add(id json.RawMessage) {
	if s.spelt == nil {
		s.spelt = map[string]int{}
	}
	s.list = append(s.list, id)
	s.spelt[string(id)]++
}

// Has tells whether a request had an id.
func (s IDSet) Has(id json.RawMessage) bool {
	if s.spelt[string(id)] > 0 {
		return true
	}
	for _, other := range s.list {
		if wire.SameID(id, other) {
			return true
		}
	}
	return false
}

// Misspelt tells that a request had an id that is the same but for its JSON type.
func (s IDSet) Misspelt(id json.RawMessage) bool {
	return slices.ContainsFunc(s.list, func(other json.RawMessage) bool { return wire.SameSpelling(id, other) })
}

// Count is how many requests had an id.
func (s IDSet) Count(id json.RawMessage) int {
	n := 0
	for _, other := range s.list {
		if wire.SameID(id, other) {
			n++
		}
	}
	return n
}

// StringOrInteger tells that an id is of a type that JSON-RPC and MCP allow.
func StringOrInteger(id json.RawMessage) bool {
	var v any
	_ = json.Unmarshal(id, &v)
	switch v := v.(type) {
	case string:
		return true
	case float64:
		return v == float64(int64(v))
	}
	return false
}

// SpeltID writes an id so that a string can be told from a number.
func SpeltID(id json.RawMessage) string {
	if id == nil {
		return "absent"
	}
	return string(id[:min(len(id), maxSpelt)])
}

// maxSpelt is how much of an id a sentence shows.
const maxSpelt = 60
