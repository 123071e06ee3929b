package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// malformed judges calls that fail the schema of the request: one without a name, which no server can serve, and one of a harmless tool
// whose arguments are a text.
func malformed(t *kit.T) {
	t.Says("a JSON-RPC error")
	const nameless = "JSON-RPC error -32602"
	o := judges.OutcomeOf(t, t.Conclusive("no name", gatewayless...))
	switch x := o.Exchange; {
	// Without a name there is nothing that Mcp-Name could match, which may be noticed first.
	case o.Kind == judges.ProtocolError && o.Code == codeInvalidParams, isHM(x):
		t.OK(x, "a call without a name is refused: %s", kit.Describe(x))
	case o.Kind == judges.PlainResult, o.Kind == judges.InterimResult:
		t.BreachAt(o.Seen, nameless, "a result for a call without a name")
	case o.Kind == judges.ErrorResult:
		t.WarnAt(o.Seen, nameless, o.String()+" for a call without a name")
	default:
		t.Warn(x, nameless, kit.Describe(x)+" for a call without a name")
	}
	// A tool that nobody named may take longer than we wait.
	if x := t.IfSent("arguments as text"); x == nil || kit.HungUp(x) {
		return
	}
	const expected = "a JSON-RPC error"
	o = judges.OutcomeOf(t, t.Conclusive("arguments as text", gatewayless...))
	switch {
	case o.Kind == judges.ProtocolError:
		t.OK(o.Exchange, "arguments that are a text are refused: %s", o)
	default:
		t.Warn(o.Exchange, expected, o.String()+" for arguments that are a text")
	}
}

// executionError judges how a tool says that an argument is missing: for the model to read, or as an error of the request, since the
// sources disagree.
func executionError(t *kit.T, o judges.Outcome) {
	const expected = "a result with isError true, or JSON-RPC error -32602"
	t.Says(expected)
	switch {
	case o.Kind == judges.ErrorResult, o.Kind == judges.ProtocolError && o.Code == codeInvalidParams:
		t.OK(o.Exchange, "a missing argument gives %s", o)
	case o.Kind == judges.PlainResult:
		t.NoteAt(o.Seen, "a tool is executed without an argument that its schema requires; perhaps it has a default for it")
	case o.Kind == judges.InterimResult:
		t.NotObservedAt(kit.Inconclusive, o.Exchange, "the tool asks for something before it looks at the arguments")
	case o.Kind == judges.ProtocolError && o.Code == codeMissingCapability:
		t.NotObservedAt(kit.Inconclusive, o.Exchange, "the tool wants a capability of the client first: %s", o)
	case o.Kind == judges.HTTPRefusal:
		t.NotObservedAt(kit.Inconclusive, o.Exchange, "the call is refused without a word about the arguments: %s", o)
	default:
		t.Warn(o.Exchange, expected, o.String())
	}
}
