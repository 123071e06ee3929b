package modern

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpcheck/mcpcheck/client"
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
func (r round) elicits() bool {
	for _, q := range r.questions {
		if q.Method == judges.ElicitMethod {
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

// An asker is a target that was seen to ask.
type asker struct {
	askable
	first round
}

// The ways to come back, as the labels of their requests end.
const (
	answered  = ", answered"
	elsewhere = ", answered over another connection"
	oneMore   = ", with an answer too many"
	noAnswers = ", without answers"
	numbers   = ", with numbers for answers"
	nullified = ", with null for the answers"
	declined  = ", declined"
	cancelled = ", cancelled"
	misfitted = ", with data that does not fit"
	tampered  = ", with another state"
	stateless = ", without its state"
	foreign   = ", with the state of another"

	// afterwards is a harmless request behind one that declines.
	afterwards = ", afterwards"
)

// maxRounds is how often a run answers what keeps asking.
const maxRounds = 4

// waysAtATime is how many ways to come back are gone at a time: a target may serve one request after another, and take its time.
const waysAtATime = 3

// rounds goes through the rounds of a target: what it asks of clients that can less, and what it makes of answers. Each way to answer
// begins with a request of its own, since a state may be good for one use, so that they have nothing to do with one another.
func (a asker) rounds(c *kit.C, other json.RawMessage) {
	name := a.name()
	var steps []func()
	for _, l := range limits {
		steps = append(steps, func() { a.send(c, name+" for a client "+l.name, nil, client.WithCapabilities(l.can)) })
	}
	person := func() *kit.Answering { return &kit.Answering{Forms: true, URLs: true, NextID: c.Client().NextID} }
	able := client.WithCapabilities(everything)
	begin := func(way string, options ...client.Option) round {
		return roundOf(a.send(c, "ask: "+name+way, nil, append(options, able)...))
	}
	come := func(way string, r round, answers any, state json.RawMessage, options ...client.Option) *wire.Exchange {
		return a.send(c, name+way, r.back(answers, state), append(options, able)...)
	}
	take := func(suffix, broken string, build func(round) (answers any, state json.RawMessage), options ...client.Option) {
		r := begin(suffix, options...)
		if r.questions == nil && !r.stateful() {
			return
		}
		answers, state := build(r)
		if broken != "" {
			options = []client.Option{client.Broken(broken)}
		}
		come(suffix, r, answers, state, options...)
	}
	way := func(suffix, broken string, build func(round) (answers any, state json.RawMessage), options ...client.Option) {
		steps = append(steps, func() { take(suffix, broken, build, options...) })
	}

	// The usual way goes on as long as there are questions.
	steps = append(steps, func() {
		someone := person()
		r := begin(answered)
		for n := 0; n < maxRounds && (r.questions != nil || r.stateful()); n++ {
			r = roundOf(come(answered, r, r.answers(someone), r.state))
		}
	})
	way(elsewhere, "", func(r round) (any, json.RawMessage) { return r.answers(person()), r.state }, client.Fresh())
	if a.first.questions != nil {
		way(oneMore, "with an answer that nobody asked for", func(r round) (any, json.RawMessage) {
			given := r.answers(person())
			given["mcpcheck-unasked"] = map[string]any{"action": "decline"}
			return given, r.state
		})
		way(noAnswers, "without the answers", func(r round) (any, json.RawMessage) { return struct{}{}, r.state })
		way(numbers, "with a number for each answer", func(r round) (any, json.RawMessage) { return r.numbered(), r.state })
		way(nullified, "with null for the answers", func(r round) (any, json.RawMessage) { return nil, r.state })
	}
	if a.first.elicits() {
		for _, no := range []struct{ suffix, action string }{{declined, "decline"}, {cancelled, "cancel"}} {
			steps = append(steps, func() {
				take(no.suffix, "", func(r round) (any, json.RawMessage) {
					return r.instead(person(), func(wire.Message) any { return map[string]any{"action": no.action} }), r.state
				})
				c.Safe(name+no.suffix+afterwards, client.WithCapabilities(limits[2].can))
			})
		}
	}
	if a.first.spoilable() {
		way(misfitted, "with data that does not fit its form", func(r round) (any, json.RawMessage) {
			return r.instead(person(), func(q wire.Message) any {
				schema, _ := q.Pointer("/params/requestedSchema")
				return map[string]any{"action": "accept", "content": kit.Spoil(schema)}
			}), r.state
		})
	}
	if a.first.stateful() {
		way(tampered, "with a requestState that was changed", func(r round) (any, json.RawMessage) {
			if !r.stateful() {
				return r.answers(person()), r.state
			}
			return r.answers(person()), r.bent()
		})
		way(stateless, "without its requestState", func(r round) (any, json.RawMessage) { return r.answers(person()), nil })
	}
	if other != nil {
		way(foreign, "with the requestState of another request", func(r round) (any, json.RawMessage) { return r.answers(person()), other })
	}
	c.Some(waysAtATime, steps...)
}

// otherState is a state of another target than one of several; nil where there is none.
func otherState(askers []asker, i int) json.RawMessage {
	for n := 1; n < len(askers); n++ {
		if other := askers[(i+n)%len(askers)]; other.first.stateful() && askers[i].first.stateful() {
			return other.first.state
		}
	}
	return nil
}
