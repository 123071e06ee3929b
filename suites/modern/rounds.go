package modern

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A round is a result that asks: its questions by their keys, and the state that comes back with the answers.
type round struct {
	questions map[string]wire.Message
	state     json.RawMessage // nil: none
}

// inputRequired tells that a message is a result that asks.
func inputRequired(m wire.Message) bool {
	var kind string
	return m.HasResult && m.Decode("/result/resultType", &kind) == nil && kind == "input_required"
}

// asks tells that a request was answered with questions, or at least with a state to come back with.
func asks(x *wire.Exchange) bool {
	answer, _ := x.Answer()
	return inputRequired(answer)
}

// roundOf reads the round that a request was answered with. What is no question is none, nor is it answered.
func roundOf(x *wire.Exchange) round {
	answer, _ := x.Answer()
	if !inputRequired(answer) {
		return round{}
	}
	var r round
	r.state, _ = answer.Pointer("/result/requestState")
	var asked map[string]json.RawMessage
	_ = answer.Decode("/result/inputRequests", &asked)
	for key, raw := range asked {
		if q := wire.ReadMessage(raw); kit.JSONType(raw) == "object" && q.Method != "" {
			if r.questions == nil {
				r.questions = map[string]wire.Message{}
			}
			r.questions[key] = q
		}
	}
	return r
}

// stateful tells that there is a state that can be told from another.
func (r round) stateful() bool {
	return kit.JSONType(r.state) == "string" && len(wire.Unquote(r.state)) > 0
}

// kind names what a round asks for, so that one of its kind stands for all.
func (r round) kind() string {
	var parts []string
	for _, q := range r.questions {
		part := q.Method
		if q.Method == judges.ElicitMethod {
			part += " " + kit.ElicitationMode(q)
		}
		parts = append(parts, part)
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), ", ")
}

// elicits tells that a question is for the person.
func (r round) elicits() bool { return r.asksFor(judges.ElicitMethod) }

// asksFor tells that a question has a method.
func (r round) asksFor(method string) bool {
	for _, q := range r.questions {
		if q.Method == method {
			return true
		}
	}
	return false
}

// spoilable tells that a question has a form that can be filled in wrong.
func (r round) spoilable() bool {
	for _, q := range r.questions {
		schema, _ := q.Pointer("/params/requestedSchema")
		if q.Method == judges.ElicitMethod && kit.ElicitationMode(q) == "form" && len(kit.Spoil(schema)) > 0 {
			return true
		}
	}
	return false
}

// answers are those of a person and a model that say yes.
func (r round) answers(a *kit.Answering) map[string]any {
	given := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(r.questions)) {
		if answer, ok := a.Answer(r.questions[key]); ok {
			given[key] = answer
		}
	}
	return given
}

// instead are the answers with others for what the person is asked.
func (r round) instead(a *kit.Answering, answer func(wire.Message) any) map[string]any {
	given := r.answers(a)
	for key, q := range r.questions {
		if q.Method == judges.ElicitMethod {
			given[key] = answer(q)
		}
	}
	return given
}

// numbered are numbers in place of answers.
func (r round) numbered() map[string]any {
	given := map[string]any{}
	for key := range r.questions {
		given[key] = 12345
	}
	return given
}

// back is what a client adds to its request when it comes back.
func (r round) back(answers any, state json.RawMessage) map[string]any {
	more := map[string]any{"inputResponses": answers}
	if state != nil {
		more["requestState"] = state
	}
	return more
}

// bent is a state with another letter in its middle.
func (r round) bent() json.RawMessage {
	runes := []rune(wire.Unquote(r.state))
	middle := len(runes) / 2
	switch old := runes[middle]; {
	case old == 'A':
		runes[middle] = 'B'
	case unicode.IsDigit(old):
		runes[middle] = '0' + (old-'0'+5)%10
	default:
		runes[middle] = 'A'
	}
	raw, _ := json.Marshal(string(runes))
	return raw
}

// A reaction is what a server makes of a request with answers.
type reaction int

const (
	silent    reaction = iota // nothing that says what became of it
	turnsAway                 // an HTTP status without a JSON-RPC error
	refuses                   // a JSON-RPC error
	fails                     // a result that says that the call failed
	asksAgain                 // a result that asks
	completes                 // any other result
)

func reactionOf(x *wire.Exchange) reaction {
	coded := coded(x)
	switch {
	case asks(x):
		return asksAgain
	case failed(x):
		return fails
	case processed(x):
		return completes
	case coded:
		return refuses
	case isBare(x):
		return turnsAway
	}
	return silent
}
