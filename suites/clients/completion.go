package clients

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func completion(s *kit.Section) { s.Passive("completion.client.context", completionContext) }

func completionModern(s *kit.Section) {
	s.Passive("modern.client.completion.context", completionContext)
}

// completionContext: who completes a second argument says which the first has become. That it may say nothing is only noted, since nobody
// sees whether the person had chosen by then.
func completionContext(t *kit.T) {
	const expected = "context.arguments, an object of strings"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client completed no two arguments of one prompt or resource template: streams and modern-streams have a prompt with two")
	for _, tr := range t.Transcripts() {
		completed := map[string]string{} // reference -> the argument that there were suggestions for
		for _, m := range t.MessagesIn(tr) {
			if m.Method != "completion/complete" || !isRequest(m.Message) {
				continue
			}
			ref, _ := m.Pointer("/params/ref")
			argument, _ := m.Pointer("/params/argument")
			name, _ := kit.Text(argument, "name")
			context, there := m.Pointer("/params/context")
			chosen, ok := chosenIn(context)
			first, again := completed[string(ref)]
			switch {
			case there && !ok:
				t.BreachAt(m, expected, "the context "+kit.JSON(context))
			case len(chosen) > 0:
				t.Saw()
			case again && first != name:
				t.NoteAt(m, "the argument %s is completed without context, though suggestions for %s were asked for before", kit.Quote([]byte(name)), kit.Quote([]byte(first)))
			}
			if m.Exchange.Served() {
				completed[string(ref)] = name
			}
		}
	}
}

// chosenIn are the arguments in a context, which has to be an object whose arguments, if there are any, are strings by their names.
func chosenIn(context json.RawMessage) (chosen map[string]string, ok bool) {
	if kit.JSONType(context) != "object" {
		return nil, false
	}
	arguments, there := wire.Lookup(context, "/arguments")
	if !there {
		return nil, true
	}
	var members map[string]any
	if kit.JSONType(arguments) != "object" {
		return nil, false
	}
	_ = json.Unmarshal(arguments, &members) // is an object
	chosen = map[string]string{}
	for name, value := range members {
		if chosen[name], ok = value.(string); !ok {
			return nil, false
		}
	}
	return chosen, true
}
