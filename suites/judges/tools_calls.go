package judges

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ToolFailures judges what tools that fail were answered with. That a named call failed by itself and not because it was asked wrongly is
// seen by the code, in the conversation that does nothing else to calls.
func ToolFailures(t *kit.T, conversation string) {
	const expected = "a result with isError true and content that says what failed"
	t.Says(expected)
	t.Unseen(kit.Unnamed, "no tool failed; name a call that fails with --call")
	for _, r := range ToolAnswers(t) {
		content, _ := r.Pointer("/result/content")
		switch {
		case r.Kind == wire.KindResult && !r.Failed():
		case kit.JSONType(content) == "array" && len(contentItems(r)) == 0:
			t.WarnAt(r.Seen, expected, "isError true with an empty content")
		case r.Kind == wire.KindResult:
			t.OK(r.Exchange, "a tool that fails says so in a result with isError true")
		case namedFailure(t, r, conversation):
			t.WarnAt(r.Seen, expected, kit.DescribeMessage(r.Message))
		}
	}
	for _, x := range t.Exchanges() {
		// 502 to 504 are answers of a gateway.
		if _, answered := x.Answer(); !answered && namedCall(t, x, conversation) && (x.Status() == 500 || x.Status() == 501) {
			t.Warn(x, expected, kit.Describe(x))
		}
	}
}

// namedFailure tells that a tool which the user named answered with an error that speaks of the tool, not of the request.
func namedFailure(t *kit.T, r ToolAnswer, conversation string) bool {
	code, _ := r.ErrorCode()
	// A refusal by HTTP status has reasons of its own; -32042 asks the user to open a URL first (2025-11-25).
	refused := r.Exchange.Status()/100 == 4 || r.Exchange.Status() > 501
	request := []int64{CodeParseError, CodeInvalidRequest, CodeMethodNotFound, CodeInvalidParams, -32042}
	return namedCall(t, r.Call, conversation) && !refused && !slices.Contains(request, code)
}

// namedCall tells that an exchange calls a listed tool as the user asked: in the conversation that does nothing else to calls.
func namedCall(t *kit.T, x *wire.Exchange, conversation string) bool {
	var name string
	sent := x.RequestMessage()
	if _ = sent.Decode("/params/name", &name); sent.Method != "tools/call" || x.Broken != "" || x.Label != "call "+name {
		return false
	}
	_, listed := t.Facts().Tool(name)
	for _, tr := range t.Transcripts() {
		if tr.Script == conversation && slices.Contains(tr.Exchanges, x) {
			return listed && slices.Contains(t.Facts().Named, name)
		}
	}
	return false
}

// CauseErrorResult is the cause of findings where a server answers as if a tool had failed, though none was run.
const CauseErrorResult = "calls of nothing are answered as if a tool had failed"

// UnknownTool judges the call of a tool that does not exist. An answer may be pending by the rules of the era where a stream was cut off.
func UnknownTool(t *kit.T, label string, pending func(*kit.T, *wire.Exchange) bool) {
	const expected = "JSON-RPC error -32602"
	t.Says(expected)
	x := t.MustConclude(t.Sent(label))
	switch o := OutcomeOf(t, x); o.Kind {
	case ProtocolError:
		if o.Code != CodeInvalidParams {
			// A protocol error is what the pages demand; the code only stands in their example.
			t.NoteAt(o.Seen, "an unknown tool is a protocol error, as it should be, under another code than -32602: %s", o)
			return
		}
		t.OK(o.Exchange, "%s", o)
	case ErrorResult:
		if failsAlways(t, o) {
			t.NotObservedAt(kit.Inconclusive, o.Exchange, "no call of a listed tool succeeded, so that the failure of an unknown one says nothing: %s", resultText(o.Message))
		}
		t.Cause(CauseErrorResult)
		t.WarnAt(o.Seen, expected, o.String())
	case HTTPRefusal:
		t.Warn(x, expected, o.String())
	case PlainResult:
		t.BreachAt(o.Seen, expected, "an ordinary result, as if the tool existed")
	default:
		// What was cut off, or is still going on after a resumption, may have been answered.
		if silent := x.EndedBy == wire.ByTimeout || x.EndedBy == wire.ByServer && x.Status()/100 == 2; !silent || pending(t, x) {
			t.NotObservedAt(kit.Inconclusive, x, "the call of an unknown tool broke off: %s", o)
		}
		t.Breach(x, expected, o.String())
	}
}

// failsAlways tells that no call of a listed tool succeeded, and that the failure of an unknown one does not speak of its name. Where none
// was called, it is enough that it speaks of the tool.
func failsAlways(t *kit.T, unknown Outcome) bool {
	var name string
	_ = unknown.Exchange.RequestMessage().Decode("/params/name", &name)
	if strings.Contains(string(unknown.Result), name) {
		return false
	}
	called := false
	for _, r := range ToolAnswers(t) {
		if _, listed := t.Facts().Tool(r.Name); !listed {
			continue
		}
		if r.Kind == wire.KindResult && !r.Failed() {
			return false
		}
		called = true
	}
	return called || !strings.Contains(strings.ToLower(string(unknown.Result)), "tool")
}

// resultText quotes the first text in the content of a result.
func resultText(m wire.Message) string {
	var text string
	if m.Decode("/result/content/0/text", &text) != nil {
		return "a result without a text"
	}
	return kit.Quote([]byte(text))
}

// MalformedCall judges a call whose arguments are no object.
func MalformedCall(t *kit.T, label string) {
	const expected = "a JSON-RPC error"
	t.Says(expected)
	switch o := OutcomeOf(t, t.Conclusive(label)); o.Kind {
	case ProtocolError:
		t.OK(o.Exchange, "%s", o)
	case ErrorResult:
		t.Cause(CauseErrorResult)
		t.WarnAt(o.Seen, expected, o.String())
	case HTTPRefusal:
		t.Warn(o.Exchange, expected, o.String())
	case PlainResult:
		t.BreachAt(o.Seen, expected, "an ordinary result, as if arguments were an object")
	default:
		t.NotObservedAt(kit.Inconclusive, o.Exchange, "the call got no answer: %s", o)
	}
}

// IncompleteCall is how the call without a required argument ended, which has a label. The statuses are those of failures that the caller
// judges.
func IncompleteCall(t *kit.T, label string, judged []int, controls ...string) Outcome {
	if !slices.ContainsFunc(t.Facts().Tools, func(tool kit.Tool) bool { return len(tool.Required) > 0 }) {
		t.Unlisted(ListTools, "no tool requires an argument")
	}
	if t.IfSent(label) == nil {
		if t.Transcript().Aborted == "" {
			t.NotObserved(kit.Unnamed, "no tool with a required argument is declared read-only, and none was named with --call")
		}
	}
	t.Control(controls...)
	o := OutcomeOf(t, t.Conclusive(label, judged...))
	if o.Kind == NoOutcome && !slices.Contains(judged, o.Exchange.Status()) {
		t.NotObservedAt(kit.Inconclusive, o.Exchange, "the call without a required argument got no answer: %s", o)
	}
	return o
}

// IncompleteRefused judges by which error a call without a required argument is refused. The id is that of the requirement which reports one
// that is executed.
func IncompleteRefused(t *kit.T, o Outcome, executed string) {
	const expected = "a result with isError true, or JSON-RPC error -32602"
	t.Says(expected)
	switch {
	case o.Kind == PlainResult:
		t.Blocked(executed, "the call without a required argument is executed")
	case o.Kind == ProtocolError && o.Code != CodeInvalidParams:
		t.WarnAt(o.Seen, expected, o.String())
	case o.Kind == ProtocolError && t.Since("2025-11-25"):
		t.NoteAt(o.Seen, "a missing argument gives a protocol error, %s; since 2025-11-25 a result with isError true is wanted, so that the model can correct itself", o)
	case o.Kind == HTTPRefusal:
		t.NotObservedAt(kit.Inconclusive, o.Exchange, "the call is refused without a word about the arguments: %s", o)
	default:
		t.OK(o.Exchange, "a missing argument gives %s", o)
	}
}

// InputsValidated judges that a call without a required argument is rejected.
func InputsValidated(t *kit.T, o Outcome) {
	const expected = "a call without a required argument to be rejected"
	t.Says(expected)
	if o.Kind == PlainResult {
		t.WarnAt(o.Seen, expected, "an ordinary result: the tool's own schema is not enforced")
		return
	}
	t.OK(o.Exchange, "a call without a required argument is rejected: %s", o)
}
