package modern

import (
	"encoding/json"
	"sync/atomic"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

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
	together  = ", answered over another connection with an answer too many"
	noAnswers = ", without answers"
	numbers   = ", with numbers for answers"
	nullified = ", with null for the answers"
	declined  = ", declined"
	cancelled = ", cancelled"
	misfitted = ", with data that does not fit"
	tampered  = ", with another state"
	stateless = ", without its state"
	foreign   = ", with the state of another"

	// afterwards is a harmless request behind those that decline.
	afterwards = ", afterwards"
)

// maxRounds is how often a run answers what keeps asking.
const maxRounds = 4

// How many ways to come back are gone at a time: a tool may serve one request after another, take its time, and is given up soon.
const (
	callsAtATime = 3
	waysAtATime  = 6
)

// usually sends what asks as clients that can less, and answers it as a client does. It tells what the server makes of its first answers.
func (a asker) usually(c *kit.C) (usual reaction) {
	limited := func(l limit) round { return a.limited(c, l) }
	steps := []func(){
		// The usual way goes on as long as there are questions.
		func() {
			someone, r := a.person(c), a.first
			for n := 0; n < maxRounds && (r.questions != nil || r.stateful()); n++ {
				x := a.come(c, answered, r, r.answers(someone), r.state)
				if n == 0 {
					usual = reactionOf(x)
				}
				r = roundOf(x)
			}
		},
		func() { limited(canNothing) },
	}
	if a.first.elicits() {
		steps = append(steps, func() { limited(samples) }, func() { limited(opensURLs) }, func() {
			// Who asks a client that elicits in no other mode than forms would hardly do so where it says that it has forms.
			if !limited(elicits).elicits() {
				limited(hasForms)
			}
		})
	} else {
		if a.first.asksFor(judges.SamplingMethod) {
			steps = append(steps, func() { limited(samples) })
		}
		// What asks for something else where it cannot have the one thing may ask the person.
		steps = append(steps, func() {
			if limited(canTheRest(a.first.questions)).elicits() {
				limited(elicits)
				limited(hasForms)
				limited(opensURLs)
			}
		})
	}
	c.Some(a.atATime(), steps...)
	return usual
}

// limited sends the request of a target for a client that can less.
func (a asker) limited(c *kit.C, l limit) round {
	return roundOf(a.send(c, a.name()+" for a client "+l.name, nil, client.WithCapabilities(l.can)))
}

func (a asker) atATime() int {
	if a.method == "tools/call" {
		return callsAtATime
	}
	return waysAtATime
}

// person says yes to everything.
func (a asker) person(c *kit.C) *kit.Answering {
	return &kit.Answering{Forms: true, URLs: true, NextID: c.Client().NextID}
}

// begin sends the request of a target for one of the ways to come back.
func (a asker) begin(c *kit.C, way string, options ...client.Option) round {
	return roundOf(a.send(c, "ask: "+a.name()+way, nil, append(options, client.WithCapabilities(everything))...))
}

// come sends it once more, with answers.
func (a asker) come(c *kit.C, way string, r round, answers any, state json.RawMessage, options ...client.Option) *wire.Exchange {
	return a.send(c, a.name()+way, r.back(answers, state), append(options, client.WithCapabilities(everything))...)
}

// A showing is what one of several targets can show for all.
type showing int

const (
	showsAnswers showing = iota // what a server makes of answers that are too many, too few or come elsewhere
	showsStates                 // what it makes of states
	showsPersons                // what it makes of a person who declines
	showsForms                  // what it makes of a form that is filled in wrong
)

// canShow tells that a target has what it takes.
func (a asker) canShow(s showing) bool {
	switch s {
	case showsStates:
		return a.first.stateful()
	case showsPersons:
		return a.first.elicits()
	case showsForms:
		return a.first.spoilable()
	}
	return true
}

// telling is how much a target can tell of the ways to answer: nothing where not even its usual answers are taken, and most where a person
// is asked, who has more ways than a program.
func (a asker) telling(usual reaction) int {
	switch {
	case usual < asksAgain:
		return 0
	case a.first.elicits():
		return 3
	case a.first.questions != nil:
		return 2
	}
	return 1
}

// shownBy says what each of several targets shows: all that it can where the user named it. Of the others one shows what depends on the
// server more than on the question.
func shownBy(askers []asker, usual []reaction) []map[showing]bool {
	shown := make([]map[showing]bool, len(askers))
	for i := range askers {
		shown[i] = map[showing]bool{}
	}
	for _, s := range []showing{showsAnswers, showsStates, showsPersons, showsForms} {
		chosen := -1
		for i, a := range askers {
			switch {
			case !a.canShow(s):
			case a.named:
				shown[i][s] = true
			case chosen < 0 || a.telling(usual[i]) > askers[chosen].telling(usual[chosen]):
				chosen = i
			}
		}
		if chosen >= 0 {
			shown[chosen][s] = true
		}
	}
	return shown
}

// rounds goes through the ways to answer a target. Each begins with a request of its own, since a state may be good for one use, so that they
// have nothing to do with one another.
func (a asker) rounds(c *kit.C, shows map[showing]bool, usual reaction, other *asker) {
	var steps []func()
	take := func(suffix, broken string, build func(round) (answers any, state json.RawMessage), options ...client.Option) reaction {
		r := a.begin(c, suffix)
		if r.questions == nil && !r.stateful() {
			return silent
		}
		answers, state := build(r)
		if broken != "" {
			options = append(options, client.Broken(broken))
		}
		return reactionOf(a.come(c, suffix, r, answers, state, options...))
	}
	way := func(suffix, broken string, build func(round) (answers any, state json.RawMessage)) {
		steps = append(steps, func() { take(suffix, broken, build) })
	}

	if shows[showsPersons] {
		var left atomic.Int32
		left.Store(2)
		for _, no := range []struct{ suffix, action string }{{declined, "decline"}, {cancelled, "cancel"}} {
			steps = append(steps, func() {
				take(no.suffix, "", func(r round) (any, json.RawMessage) {
					return r.instead(a.person(c), func(wire.Message) any { return map[string]any{"action": no.action} }), r.state
				})
				if left.Add(-1) == 0 {
					c.Safe(a.name()+afterwards, client.WithCapabilities(elicits.can))
				}
			})
		}
	}
	if shows[showsAnswers] {
		asAsked := func(r round) (any, json.RawMessage) { return r.answers(a.person(c)), r.state }
		tooMany := func(r round) (any, json.RawMessage) {
			given := r.answers(a.person(c))
			given["mcpcheck-unasked"] = map[string]any{"action": "decline"}
			return given, r.state
		}
		const unasked = "with an answer that nobody asked for"
		steps = append(steps, func() {
			// Who minds neither the one nor the other takes both at once. Which of them it was that somebody minds is asked one by one.
			if a.first.questions != nil && take(together, unasked, tooMany, client.Fresh()) >= max(usual, asksAgain) {
				return
			}
			take(elsewhere, "", asAsked, client.Fresh())
			if a.first.questions != nil {
				take(oneMore, unasked, tooMany)
			}
		})
	}
	if shows[showsAnswers] && a.first.questions != nil {
		way(noAnswers, "without the answers", func(r round) (any, json.RawMessage) { return struct{}{}, r.state })
		way(nullified, "with null for the answers", func(r round) (any, json.RawMessage) { return nil, r.state })
	}
	if a.first.questions != nil {
		way(numbers, "with a number for each answer", func(r round) (any, json.RawMessage) { return r.numbered(), r.state })
	}
	if shows[showsForms] {
		way(misfitted, "with data that does not fit its form", func(r round) (any, json.RawMessage) {
			return r.instead(a.person(c), func(q wire.Message) any {
				schema, _ := q.Pointer("/params/requestedSchema")
				return map[string]any{"action": "accept", "content": kit.Spoil(schema)}
			}), r.state
		})
	}
	var taken atomic.Bool // a state that is not its own
	if shows[showsStates] {
		steps = append(steps, func() {
			now := take(tampered, "with a requestState that was changed", func(r round) (any, json.RawMessage) {
				if !r.stateful() {
					return r.answers(a.person(c)), r.state
				}
				return r.answers(a.person(c)), r.bent()
			})
			if now == completes {
				taken.Store(true)
			}
		})
		if other != nil {
			steps = append(steps, func() {
				// It uses no state of this target, so that it needs no request for another.
				if r := other.begin(c, foreign); r.stateful() {
					x := a.come(c, foreign, a.first, a.first.answers(a.person(c)), r.state, client.Broken("with the requestState of another request"))
					if reactionOf(x) == completes {
						taken.Store(true)
					}
				}
			})
		}
	}
	c.Some(a.atATime(), steps...)
	// Whoever takes any state may need none.
	if taken.Load() {
		a.come(c, stateless, a.first, a.first.answers(a.person(c)), nil, client.Broken("without its requestState"))
	}
}

// anotherAsker is one with a state, other than one of several; nil where there is none.
func anotherAsker(askers []asker, i int) *asker {
	for n := 1; n < len(askers); n++ {
		if other := &askers[(i+n)%len(askers)]; other.first.stateful() && askers[i].first.stateful() {
			return other
		}
	}
	return nil
}
