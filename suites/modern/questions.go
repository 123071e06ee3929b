package modern

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// They say why there is no question to judge.
const (
	unasked     = "nothing that could be sent made the server ask its client for anything; name a tool that does with --call"
	unaskedWith = "nothing that could be sent made the server ask with %s; name a tool that does with --call"
)

// eachAsking visits the results that ask.
func eachAsking(t *kit.T, visit func(kit.Seen)) {
	t.Unseen(kit.Unnamed, unasked)
	for _, m := range t.Messages() {
		if inputRequired(m.Message) && !m.HasMethod && !mayBeOlder(t, m.Exchange) {
			visit(m)
		}
	}
}

// questionsIn are those of one result, in the order in which they stand there; what is no object with a method is none.
func questionsIn(m kit.Seen) (all []judges.Question) {
	if !inputRequired(m.Message) {
		return nil
	}
	raw, _ := m.Pointer("/result/inputRequests")
	wire.Members(raw, func(_ string, value json.RawMessage) bool {
		if asked := wire.ReadMessage(value); kit.JSONType(value) == "object" && asked.Method != "" {
			all = append(all, judges.Question{Seen: m, Asked: asked})
		}
		return true
	})
	return all
}

// questionsOf are those of a method, over all conversations.
func questionsOf(t *kit.T, method string) (all []judges.Question) {
	eachAsking(t, func(m kit.Seen) {
		all = append(all, slices.DeleteFunc(questionsIn(m), func(q judges.Question) bool { return q.Asked.Method != method })...)
	})
	t.Unseen(kit.Unnamed, unaskedWith, method)
	return all
}

// formsOf are the elicitations by form that have a schema.
func formsOf(t *kit.T) []judges.Question {
	return slices.DeleteFunc(questionsOf(t, judges.ElicitMethod), func(q judges.Question) bool {
		return kit.ElicitationMode(q.Asked) != "form" || !q.HasForm()
	})
}

// known tells that clients know a method of a question; modern.mrtr.input-request-kinds reports the others.
func known(method string) bool {
	return method == judges.RootsMethod || method == judges.SamplingMethod || method == judges.ElicitMethod
}

// askedKinds are the methods of what each request was seen to ask for, whatever its client declared.
func askedKinds(t *kit.T) map[string][]string {
	kinds := map[string][]string{}
	eachAsking(t, func(m kit.Seen) {
		name := targetName(m.Exchange.RequestMessage())
		for _, q := range questionsIn(m) {
			if method := q.Asked.Method; name != "" && known(method) && !slices.Contains(kinds[name], method) {
				kinds[name] = append(kinds[name], method)
			}
		}
	})
	return kinds
}

// eachLimited visits the answers to requests that were seen to ask with a method, or with any where that is "": to clients that declared what
// they can.
func eachLimited(t *kit.T, method string, visit func(m kit.Seen, kinds []string, can json.RawMessage)) {
	kinds := askedKinds(t)
	if method != "" {
		t.Unseen(kit.Unnamed, unaskedWith, method)
	}
	for _, m := range t.Messages() {
		can := declaredIn(m.Exchange)
		asked := kinds[targetName(m.Exchange.RequestMessage())]
		if method != "" && !slices.Contains(asked, method) {
			continue
		}
		if (m.HasResult || m.HasError) && !m.HasMethod && asked != nil && kit.JSONType(can) == "object" && !mayBeOlder(t, m.Exchange) {
			visit(m, asked, can)
		}
	}
}
