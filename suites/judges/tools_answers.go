package judges

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A ToolAnswer is what a call of a tool was answered with, and where that stood.
type ToolAnswer struct {
	kit.Seen
	Name string // of the tool
	Call *wire.Exchange
}

// Failed tells that the tool reports a failure. A flag of another type is for CallResults; it is taken at its word here.
func (r ToolAnswer) Failed() bool {
	flag, ok := r.Pointer("/result/isError")
	return ok && !slices.Contains([]string{"false", `"false"`, "null"}, strings.TrimSpace(string(flag)))
}

// ToolAnswers are the answers to all calls that were not wrong on purpose.
func ToolAnswers(t *kit.T) []ToolAnswer {
	var all []ToolAnswer
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			sent := x.RequestMessage()
			if sent.Method != "tools/call" || sent.Kind != wire.KindRequest || x.Broken != "" {
				continue
			}
			if m, ok := AnswerTo(t, tr, x); ok {
				r := ToolAnswer{Seen: m, Call: x}
				_ = sent.Decode("/params/name", &r.Name)
				all = append(all, r)
			}
		}
	}
	return all
}

// toolResults are those among them that are results of tools: objects, no tasks, which a server of 2025-11-25 may answer with, and none
// that ask for something first.
func toolResults(t *kit.T) []ToolAnswer {
	if !slices.ContainsFunc(t.Facts().Tools, kit.Tool.Callable) && len(t.Facts().Named) == 0 {
		t.NotObserved(kit.Unnamed, "no tool was called: none is declared read-only without required arguments, and none was named with --call")
	}
	t.Unseen(kit.Unprovoked, "no call of a tool was answered with a result")
	return slices.DeleteFunc(ToolAnswers(t), func(r ToolAnswer) bool {
		_, task := r.Pointer("/result/task")
		return r.Kind != wire.KindResult || kit.JSONType(r.Result) != "object" || task && t.Since("2025-11-25") || Interim(t, r.Message)
	})
}

// An OutcomeKind is how a call of a tool ended.
type OutcomeKind int

// The ways in which a call of a tool ends.
const (
	NoOutcome OutcomeKind = iota
	PlainResult
	ErrorResult   // a result with isError true
	ProtocolError // a JSON-RPC error
	HTTPRefusal   // HTTP 4xx without a JSON-RPC error
	InterimResult // a result that is not the whole one
)

func (k OutcomeKind) String() string {
	return [...]string{"no answer", "an ordinary result", "a result with isError true", "a JSON-RPC error", "HTTP 4xx without a JSON-RPC error",
		"a result that is not complete"}[k]
}

// An Outcome is how the call of one exchange ended. Its Exchange is the one that shows it.
type Outcome struct {
	kit.Seen
	Kind OutcomeKind
	Code int64 // of a ProtocolError
}

func (o Outcome) String() string {
	switch o.Kind {
	case ProtocolError:
		return kit.DescribeMessage(o.Message)
	case HTTPRefusal, NoOutcome:
		return kit.Describe(o.Exchange)
	}
	return o.Kind.String()
}

// OutcomeOf is how the call of an exchange of the check's script ended.
func OutcomeOf(t *kit.T, x *wire.Exchange) Outcome {
	o := Outcome{Seen: kit.Seen{Exchange: x, Transcript: t.Transcript()}}
	m, ok := AnswerTo(t, t.Transcript(), x)
	switch failed := (ToolAnswer{Seen: m}).Failed(); {
	case m.Kind == wire.KindError:
		o.Seen, o.Kind = m, ProtocolError
		o.Code, _ = m.ErrorCode()
	case ok && Interim(t, m.Message):
		o.Seen, o.Kind = m, InterimResult
	case failed:
		o.Seen, o.Kind = m, ErrorResult
	case ok:
		o.Seen, o.Kind = m, PlainResult
	case x.Status()/100 == 4:
		o.Kind = HTTPRefusal
	}
	return o
}
