package judges

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/wire"
)

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
	if json.Unmarshal(id, &v) != nil {
		return false
	}
	switch v := v.(type) {
	case string:
		return true
	case float64:
		return v == float64(int64(v))
	}
	return false
}
