package legacy

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A toolAnswer is what a call of a tool was answered with, and where that stood.
type toolAnswer struct {
	kit.Seen
	name string // of the tool
	call *wire.Exchange
}

// failed tells that the tool reports a failure. A flag of another type is tools.call.result-shape's; it is taken at its word here.
func (r toolAnswer) failed() bool {
	flag, ok := r.Pointer("/result/isError")
	return ok && !slices.Contains([]string{"false", `"false"`, "null"}, strings.TrimSpace(string(flag)))
}

// toolAnswers are the answers to all calls that were not wrong on purpose.
func toolAnswers(t *kit.T) []toolAnswer {
	var all []toolAnswer
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			sent := x.RequestMessage()
			if sent.Method != "tools/call" || sent.Kind != wire.KindRequest || x.Broken != "" {
				continue
			}
			if m, ok := answerTo(t, tr, x); ok {
				r := toolAnswer{Seen: m, call: x}
				_ = sent.Decode("/params/name", &r.name)
				all = append(all, r)
			}
		}
	}
	return all
}

// toolResults are those among them that are results of tools: objects, and no tasks, which a server of 2025-11-25 may answer with.
func toolResults(t *kit.T) []toolAnswer {
	if !slices.ContainsFunc(t.Facts().Tools, kit.Tool.Callable) && len(t.Facts().Named) == 0 {
		t.NotObserved(kit.Unnamed, "no tool was called: none is declared read-only without required arguments, and none was named with --call")
	}
	t.Unseen(kit.Unprovoked, "no call of a tool was answered with a result")
	return slices.DeleteFunc(toolAnswers(t), func(r toolAnswer) bool {
		_, task := r.Pointer("/result/task")
		return r.Kind != wire.KindResult || kit.JSONType(r.Result) != "object" || task && t.Since("2025-11-25")
	})
}

// answerTo finds the answer to a request: in its own response, or on another stream of the conversation, such as the one that resumed
// it. An error without a readable id in the body itself is an answer too.
func answerTo(t *kit.T, tr *wire.Transcript, x *wire.Exchange) (kit.Seen, bool) {
	id := x.RequestMessage().ID
	answers := func(m wire.Located) bool {
		return (m.Kind == wire.KindResult || m.Kind == wire.KindError) && wire.SameID(m.ID, id)
	}
	for _, m := range x.Messages() {
		if answers(m) || m.Event < 0 && m.Kind == wire.KindError && (!m.HasID || string(m.ID) == "null") {
			return kit.Seen{Located: m, Exchange: x, Transcript: tr}, true
		}
	}
	for _, m := range t.MessagesIn(tr) {
		if answers(m.Located) {
			return m, true
		}
	}
	return kit.Seen{}, false
}

// An outcomeKind is how a call of a tool ended.
type outcomeKind int

const (
	noOutcome outcomeKind = iota
	plainResult
	errorResult
	protocolError
	httpRefusal // HTTP 4xx without a JSON-RPC error
)

func (k outcomeKind) String() string {
	return [...]string{"no answer", "an ordinary result", "a result with isError true", "a JSON-RPC error", "HTTP 4xx without a JSON-RPC error"}[k]
}

// An outcome is how the call of one exchange ended. Its Exchange is the one that shows it.
type outcome struct {
	kit.Seen
	kind outcomeKind
	code int64 // of a protocolError
}

func (o outcome) String() string {
	switch o.kind {
	case protocolError:
		return kit.DescribeMessage(o.Message)
	case httpRefusal, noOutcome:
		return kit.Describe(o.Exchange)
	}
	return o.kind.String()
}

func outcomeOf(t *kit.T, x *wire.Exchange) outcome {
	o := outcome{Seen: kit.Seen{Exchange: x, Transcript: t.Transcript()}}
	m, ok := answerTo(t, t.Transcript(), x)
	switch {
	case ok && m.Kind == wire.KindError:
		o.Seen, o.kind = m, protocolError
		o.code, _ = m.ErrorCode()
	case ok && (toolAnswer{Seen: m}).failed():
		o.Seen, o.kind = m, errorResult
	case ok:
		o.Seen, o.kind = m, plainResult
	case x.Status()/100 == 4:
		o.kind = httpRefusal
	}
	return o
}
