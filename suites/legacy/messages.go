package legacy

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// askedIDs are the ids of every request we sent in the revision.
func askedIDs(t *kit.T) idSet {
	var ids idSet
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			sent := x.RequestMessage()
			for _, m := range append([]wire.Message{sent}, sent.Elements...) {
				if m.HasID {
					ids.add(m.ID)
				}
			}
		}
	}
	return ids
}

// batchRevision is the only one with batches; later ones removed them.
const batchRevision = "2025-03-26"

// The codes of JSON-RPC 2.0.
const (
	codeParseError     = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternalError  = -32603
)

func hasError(x *wire.Exchange) bool {
	_, ok := anyError(x)
	return ok
}

// idSet holds request ids, compared as JSON-RPC compares them.
type idSet struct {
	list []json.RawMessage
	// spelt has each as it was written: nearly all come back like that, and only the others have to be read.
	spelt map[string]int
}

func (s *idSet) add(id json.RawMessage) {
	if s.spelt == nil {
		s.spelt = map[string]int{}
	}
	s.list = append(s.list, id)
	s.spelt[string(id)]++
}

func (s idSet) has(id json.RawMessage) bool {
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

// count is how many requests had an id.
func (s idSet) count(id json.RawMessage) int {
	n := 0
	for _, other := range s.list {
		if wire.SameID(id, other) {
			n++
		}
	}
	return n
}

// onlyResponse tells that a POST got exactly one response.
func onlyResponse(x *wire.Exchange) bool {
	n := 0
	for _, m := range x.Messages() {
		if m.HasResult || m.HasError {
			n++
		}
	}
	return n == 1
}

// responses counts the responses in an answer.
func responses(x *wire.Exchange) int {
	n := 0
	for _, m := range x.Replies() {
		if m.HasResult || m.HasError {
			n++
		}
	}
	return n
}

func stringOrInteger(id json.RawMessage) bool {
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
