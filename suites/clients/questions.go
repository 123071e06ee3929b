package clients

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A question is a result that asks for something, and the request that came back for it, nil without one.
type question struct {
	tr    *wire.Transcript
	x     *wire.Exchange
	asked map[string]json.RawMessage // inputRequests
	state json.RawMessage            // requestState, nil without one
	retry *wire.Exchange
}

// questions are those of all conversations.
func questions(t *kit.T) []question {
	t.Unseen(kit.Unprovoked, "no result asked the client to come back, or it did not: have it call mcpcheck_state")
	var all []question
	often := callsOfOne(t)
	for _, tr := range t.Transcripts() {
		for i, x := range tr.Exchanges {
			kind, _ := resultTypeOf(x)
			if kind != "input_required" || !isModern(x.RequestMessage()) {
				continue
			}
			q := question{tr: tr, x: x}
			m, _ := x.Answer()
			_ = m.Decode("/result/inputRequests", &q.asked) // may be missing
			q.state, _ = m.Pointer("/result/requestState")
			for _, o := range tr.Exchanges[i+1:] {
				if o.Sent >= x.AnsweredAt() && comesBack(tr, o, x, often) {
					q.retry = o
					break
				}
			}
			all = append(all, q)
		}
	}
	return all
}

// comesBack tells that a request is the one that a question was the answer to, once more: by what only such a one has, unless it is that of
// another question; or by being the same, unless the client calls one tool that often anyway.
func comesBack(tr *wire.Transcript, x, first *wire.Exchange, often int) bool {
	m := x.RequestMessage()
	same := func(o *wire.Exchange) bool {
		return o.RequestMessage().Method == m.Method && sameTarget(o.RequestMessage(), m)
	}
	switch {
	case !isRequest(m):
		return false
	case !isRetry(m):
		plain := 0
		for _, o := range tr.Exchanges[:slices.Index(tr.Exchanges, x)+1] {
			if same(o) && !isRetry(o.RequestMessage()) {
				plain++
			}
		}
		return same(first) && plain > often
	case same(first):
		return true
	}
	return !slices.ContainsFunc(tr.Exchanges, func(o *wire.Exchange) bool {
		kind, _ := resultTypeOf(o)
		return kind == "input_required" && o.Sent > first.Sent && o.AnsweredAt() <= x.Sent && same(o)
	})
}

// callsOfOne is how often the client calls one tool of its own accord: where nothing is asked back.
func callsOfOne(t *kit.T) int {
	most := 1
	for _, tr := range t.Everywhere() {
		calls := map[string]int{}
		if !slices.Contains(controls, tr.Script) {
			continue
		}
		for _, x := range tr.Exchanges {
			var name string
			if m := x.RequestMessage(); m.Method == "tools/call" && m.Decode("/params/name", &name) == nil {
				calls[name]++
				most = max(most, calls[name])
			}
		}
	}
	return most
}

// isRetry tells that a request has what only one that comes back may have.
func isRetry(m wire.Message) bool {
	_, responses := m.Pointer("/params/inputResponses")
	_, state := m.Pointer("/params/requestState")
	return responses || state
}
