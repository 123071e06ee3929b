package modern

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Dates that no server of any era speaks.
const (
	never  = "2099-12-31"
	before = "1900-01-01"
)

// discovered is the control of what is read off a DiscoverResult.
func discovered(t *kit.T) (*wire.Exchange, wire.Message) {
	x := t.Answered(methodDiscover)
	answer, _ := x.Answer()
	if answer.Kind != wire.KindResult {
		t.Blocked("modern.discover.implemented", "there is no DiscoverResult", x)
	}
	return x, answer
}

// member returns a member whose name has slashes in it.
func member(m wire.Message, object, name string) (json.RawMessage, bool) {
	var members map[string]json.RawMessage
	_ = m.Decode(object, &members)
	raw, ok := members[name]
	return raw, ok
}

// allStrings tells that a value is an array of strings.
func allStrings(raw json.RawMessage) bool {
	var elements []json.RawMessage
	_ = json.Unmarshal(raw, &elements)
	return kit.JSONType(raw) == "array" && !slices.ContainsFunc(elements, func(e json.RawMessage) bool { return kit.JSONType(e) != "string" })
}

// eachResult visits the results of modern requests.
func eachResult(t *kit.T, visit func(kit.Seen)) {
	for _, m := range t.Messages() {
		// What is no object is another requirement's.
		if !m.HasMethod && kit.JSONType(m.Result) == "object" && m.Exchange.RequestMessage().Method != "initialize" && !mayBeOlder(t, m.Exchange) {
			visit(m)
		}
	}
}
