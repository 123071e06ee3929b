package judges

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// The methods of what a server asks of its client.
const (
	RootsMethod    = "roots/list"
	SamplingMethod = "sampling/createMessage"
	ElicitMethod   = "elicitation/create"
)

// A Question is what a server asks of its client: a request of its own, or one that stands in a result.
type Question struct {
	kit.Seen              // the message that brought it
	Asked    wire.Message // method and params
}

// has tells that a param of the question is of a JSON type.
func (q Question) has(name, kind string) bool {
	raw, _ := q.Asked.Pointer("/params/" + name)
	return kit.JSONType(raw) == kind
}

// param says in a word what a param of the question is.
func (q Question) param(name string) string {
	raw, _ := q.Asked.Pointer("/params/" + name)
	return kit.JSON(raw)
}

// DeclaredModes are the modes of elicitation that a client declared in its capabilities; none means form.
func DeclaredModes(capabilities json.RawMessage) (modes []string, declared bool) {
	var can struct {
		Elicitation map[string]json.RawMessage `json:"elicitation"`
	}
	if _ = json.Unmarshal(capabilities, &can); can.Elicitation == nil {
		return nil, false
	}
	for _, mode := range []string{"form", "url"} {
		if _, ok := can.Elicitation[mode]; ok {
			modes = append(modes, mode)
		}
	}
	if len(modes) == 0 {
		modes = []string{"form"}
	}
	return modes, true
}
