package clients

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A wish is something that a result of 2026-07-28 asked the client for, and what it answered when it came back.
type wish struct {
	question
	method string
	params json.RawMessage
	// answer is nil where the client did not come back.
	answer json.RawMessage
}

// wishes are those of a method.
func wishes(t *kit.T, method, capability string) []wish {
	all := questions(t)
	t.Unseen(kit.Unprovoked, "the client declares no %s", capability)
	var list []wish
	for _, tr := range t.Transcripts() {
		if slices.ContainsFunc(tr.Exchanges, func(x *wire.Exchange) bool { return declaresModern(x.RequestMessage(), capability) != nil }) {
			t.Unseen(kit.Unprovoked, "the client was asked for nothing of the kind: %s", asksFor(capability))
		}
	}
	for _, q := range all {
		for _, key := range slices.Sorted(maps.Keys(q.asked)) {
			w := wish{question: q}
			w.method, _ = kit.Text(q.asked[key], "method")
			w.params, _ = wire.Lookup(q.asked[key], "/params")
			if w.method != method {
				continue
			}
			if q.retry != nil {
				w.answer, _ = q.retry.RequestMessage().Pointer("/params/inputResponses/" + key)
			}
			t.Unseen(kit.Inconclusive, "the client came back with nothing of the kind, which a person may decide")
			list = append(list, w)
		}
	}
	return list
}

// asksFor says how a client is asked for what it declares. To tell its roots costs nothing, so that it takes no consent.
func asksFor(capability string) string {
	if why := costs[capability]; why != "" {
		return "--provoke " + capability + " does, which " + why
	}
	return "have it call mcpcheck_state"
}

// declaresModern is what a request declares of a capability, nil where it does not.
func declaresModern(m wire.Message, capability string) json.RawMessage {
	raw, _ := m.Pointer(keyMeta + "clientCapabilities/" + capability)
	return raw
}

// mode is that of an elicitation as it was asked, "" for none.
func (w wish) mode() string {
	mode, _ := kit.Text(w.params, "mode")
	return mode
}

// tools tells that the model was given some.
func (w wish) tools() bool {
	_, tools := wire.Lookup(w.params, "/tools")
	return tools
}

// declaredThroughout: what a client answers it declares, with the request that was answered by the question and with the others.
func declaredThroughout(t *kit.T, method, capability string, covers func(wish, json.RawMessage) bool) {
	expected := capability + " in clientCapabilities of each request"
	t.Says(expected)
	for _, w := range wishes(t, method, capability) {
		declared := declaresModern(w.x.RequestMessage(), capability)
		switch {
		case w.answer == nil:
			continue
		case declared == nil || !covers(w, declared):
			t.Breach(w.retry, expected, "an answer to "+method+", which the first request had not declared")
			continue
		}
		comesAndGoes := slices.IndexFunc(w.tr.Exchanges, func(x *wire.Exchange) bool {
			m := x.RequestMessage()
			return isModern(m) && isRequest(m) && declaresModern(m, capability) == nil
		})
		if comesAndGoes >= 0 {
			x := w.tr.Exchanges[comesAndGoes]
			t.Warn(x, expected, what(x)+" without it, while the client answers "+method)
			continue
		}
		t.Saw()
	}
}

func declaresElicitation(t *kit.T) {
	declaredThroughout(t, methodElicit, "elicitation", func(w wish, declared json.RawMessage) bool {
		return slices.Contains(modesOf(declared), w.modeOrForm())
	})
}

func declaresSampling(t *kit.T) {
	declaredThroughout(t, methodSample, "sampling", func(wish, json.RawMessage) bool {
		return true // modern.client.mrtr.sampling-tools-undeclared has the tools
	})
}

func declaresRoots(t *kit.T) {
	declaredThroughout(t, "roots/list", "roots", func(wish, json.RawMessage) bool { return true })
}

func (w wish) modeOrForm() string {
	if mode := w.mode(); mode != "" {
		return mode
	}
	return "form"
}

// missingModeIsFormModern: whoever answers a form whose mode is named answers one without. There is no place for an error, so that only who
// gives up twice has refused it.
func missingModeIsFormModern(t *kit.T) {
	const expected = "an answer to a form whose mode is not named, as to one whose mode is"
	t.Says(expected)
	var left []wish
	named := false
	for _, w := range wishes(t, methodElicit, "elicitation") {
		switch {
		case w.mode() == "" && w.answer != nil:
			t.Saw()
		case w.mode() == "" && w.tr.Aborted == "":
			left = append(left, w)
		case w.mode() == "form" && w.answer != nil:
			named = true
		}
	}
	if !t.Observed() && named && len(left) > 1 {
		t.Breach(left[0].x, expected, "the client did not come back, twice")
	}
}

func formsValidated(t *kit.T) {
	const expected = "content that fits the form"
	t.Says(expected)
	for _, w := range wishes(t, methodElicit, "elicitation") {
		if action, _ := kit.Text(w.answer, "action"); action != "accept" || w.modeOrForm() != "form" {
			continue
		}
		if _, misfit := elicitedFault(w.params, w.answer); misfit != "" {
			t.Breach(w.retry, expected, misfit)
			continue
		}
		t.Saw()
	}
}

func pageNotPrefetchedModern(t *kit.T) {
	const expected = "no request to the URL of an elicitation before the person agreed"
	t.Says(expected)
	for _, w := range wishes(t, methodElicit, "elicitation") {
		if w.mode() != "url" {
			continue
		}
		address, _ := kit.Text(w.params, "url")
		action, _ := kit.Text(w.answer, "action")
		unasked(t, w.tr, address, action, expected)
	}
}

// mostWords is how many words certainly are more than a token or two.
const mostWords = 20

func respectsMaxTokens(t *kit.T) {
	const expected = "an answer of no more tokens than it was asked for"
	t.Says(expected)
	for _, w := range wishes(t, methodSample, "sampling") {
		content, there := wire.Lookup(w.answer, "/content")
		text, _ := kit.Text(content, "text")
		var most float64
		raw, _ := wire.Lookup(w.params, "/maxTokens")
		_ = json.Unmarshal(raw, &most) // ours
		words := len(strings.Fields(text))
		switch {
		case !there || w.tools():
		case words > mostWords && most < mostWords:
			t.Warn(w.retry, expected, fmt.Sprintf("%d words for maxTokens %v", words, most))
		default:
			t.Saw()
		}
	}
}

// toolsRefusedModern: there is no place for an error, so that giving up is the only way to refuse.
func toolsRefusedModern(t *kit.T) {
	const expected = "no answer to sampling with tools, since sampling.tools is not declared"
	t.Says(expected)
	for _, w := range wishes(t, methodSample, "sampling") {
		if _, knows := wire.Lookup(declaresModern(w.x.RequestMessage(), "sampling"), "/tools"); !w.tools() || knows {
			continue
		}
		content, _ := wire.Lookup(w.answer, "/content")
		kind, _ := kit.Text(content, "type")
		switch {
		case w.answer == nil && w.tr.Aborted == "":
			t.Saw()
		case w.answer == nil:
		case kind == "tool_use":
			t.Breach(w.retry, expected, "a use of a tool")
		default:
			t.Warn(w.retry, expected, "an answer")
		}
	}
}
