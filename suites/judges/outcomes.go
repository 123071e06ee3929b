package judges

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// An OutcomeKind is how a call of a tool ended.
type OutcomeKind int

// The ways in which a call of a tool ends.
const (
	NoOutcome OutcomeKind = iota
	PlainResult
	ErrorResult   // a result with isError true
	ProtocolError // a JSON-RPC error
	HTTPRefusal   // HTTP 4xx without a JSON-RPC error
)

func (k OutcomeKind) String() string {
	return [...]string{"no answer", "an ordinary result", "a result with isError true", "a JSON-RPC error", "HTTP 4xx without a JSON-RPC error"}[k]
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
	switch {
	case ok && m.Kind == wire.KindError:
		o.Seen, o.Kind = m, ProtocolError
		o.Code, _ = m.ErrorCode()
	case ok && (ToolAnswer{Seen: m}).Failed():
		o.Seen, o.Kind = m, ErrorResult
	case ok:
		o.Seen, o.Kind = m, PlainResult
	case x.Status()/100 == 4:
		o.Kind = HTTPRefusal
	}
	return o
}
