package legacy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// toolsErrors are calls that no server can carry out.
func toolsErrors(s *kit.Section) {
	// The genuine call of a tool is not safe to send, so that the list is the control.
	wrong := s.Script("tools/wrong-calls", kit.Shared, func(c *kit.C) {
		c.Call("control", "tools/list")
		unknown := map[string]any{"name": bogusName(c), "arguments": struct{}{}}
		resume(c, c.Call("unknown tool", "tools/call", client.WithParams(unknown), client.Broken("a call of a tool that does not exist")))
		c.Call("control after", "tools/list")
		malformed := map[string]any{"name": bogusName(c), "arguments": "x"}
		resume(c, c.Call("malformed call", "tools/call", client.WithParams(malformed), client.Broken("a call with arguments that are no object")))
		c.Call("control at last", "tools/list")
	}, kit.Tools)

	s.Check("tools.call.unknown-tool", wrong, func(t *kit.T) {
		t.Control("control", "control after")
		const expected = "JSON-RPC error -32602"
		t.Says(expected)
		x := t.In(wrong).Sent("unknown tool")
		if x.Response != nil {
			t.MustConclude(x)
		}
		switch o := judges.OutcomeOf(t, x); o.Kind {
		case judges.ProtocolError:
			if o.Code != judges.CodeInvalidParams {
				t.WarnAt(o.Seen, expected, o.String())
				return
			}
			t.OK(o.Exchange, "%s", o)
		case judges.ErrorResult:
			t.WarnAt(o.Seen, expected, o.String())
		case judges.HTTPRefusal:
			t.Warn(x, expected, o.String())
		case judges.PlainResult:
			t.BreachAt(o.Seen, expected, "an ordinary result, as if the tool existed")
		default:
			// What was cut off, or is still going on after a resumption, may have been answered.
			if silent := x.EndedBy == wire.ByTimeout || x.EndedBy == wire.ByServer && x.Status()/100 == 2; !silent || mayStillCome(t, x) {
				t.NotObservedAt(kit.Inconclusive, x, "the call of an unknown tool broke off: %s", o)
			}
			t.Breach(x, expected, o.String())
		}
	})

	s.Check("tools.call.malformed-request", wrong, func(t *kit.T) {
		t.Control("control", "control at last")
		const expected = "a JSON-RPC error"
		t.Says(expected)
		switch o := judges.OutcomeOf(t, t.Conclusive("malformed call")); o.Kind {
		case judges.ProtocolError:
			t.OK(o.Exchange, "%s", o)
		case judges.ErrorResult:
			t.WarnAt(o.Seen, expected, o.String())
		case judges.HTTPRefusal:
			t.Warn(o.Exchange, expected, o.String())
		case judges.PlainResult:
			t.BreachAt(o.Seen, expected, "an ordinary result, as if arguments were an object")
		default:
			t.NotObservedAt(kit.Inconclusive, o.Exchange, "the call got no answer: %s", o)
		}
	})

	missing := s.Script("tools/missing-argument", kit.Shared, func(c *kit.C) {
		call, argument, ok := incompleteCall(c)
		if !ok {
			return
		}
		c.Call("control", "tools/list")
		resume(c, c.CallTool("call", call, client.Broken("a call without the argument "+kit.Quote([]byte(argument))+", which its schema requires")))
		c.Call("control after", "tools/list")
	}, kit.Tools)

	s.Check("tools.call.invalid-arguments", missing, func(t *kit.T) {
		o := incomplete(t)
		const expected = "a result with isError true, or JSON-RPC error -32602"
		t.Says(expected)
		switch {
		case o.Kind == judges.PlainResult:
			t.Blocked("tools.call.inputs-validated", "the call without a required argument is executed")
		case o.Kind == judges.ProtocolError && o.Code != judges.CodeInvalidParams:
			t.WarnAt(o.Seen, expected, o.String())
		case o.Kind == judges.ProtocolError && t.Since("2025-11-25"):
			t.NoteAt(o.Seen, "a missing argument gives a protocol error, %s; since 2025-11-25 a result with isError true is wanted, so that the model can correct itself", o)
		case o.Kind == judges.HTTPRefusal:
			t.NotObservedAt(kit.Inconclusive, o.Exchange, "the call is refused without a word about the arguments: %s", o)
		default:
			t.OK(o.Exchange, "a missing argument gives %s", o)
		}
	})

	s.Check("tools.call.inputs-validated", missing, func(t *kit.T) {
		o := incomplete(t)
		const expected = "a call without a required argument to be rejected"
		t.Says(expected)
		if o.Kind == judges.PlainResult {
			t.WarnAt(o.Seen, expected, "an ordinary result: the tool's own schema is not enforced")
			return
		}
		t.OK(o.Exchange, "a call without a required argument is rejected: %s", o)
	})
}

// mayStillCome tells that the answer may come later by the rules of the revision: on a stream that was cut off after an event id and
// that no resumption has followed to its end.
func mayStillCome(t *kit.T, x *wire.Exchange) bool {
	if lastEventID(x) == "" || t.Before("2025-11-25") {
		return false
	}
	resumed := resumptionsOf(t.Transcript(), x)
	if len(resumed) == 0 {
		return true
	}
	last := resumed[len(resumed)-1]
	return last.Status()/100 != 2 || last.EndedBy != wire.ByServer || lastEventID(last) != ""
}

// incomplete is how the call without a required argument ended.
func incomplete(t *kit.T) judges.Outcome {
	if !slices.ContainsFunc(t.Facts().Tools, func(tool kit.Tool) bool { return len(tool.Required) > 0 }) {
		t.NotApplicable("no tool requires an argument")
	}
	if t.IfSent("call") == nil {
		if t.Transcript().Aborted == "" {
			t.NotObserved(kit.Unnamed, "no tool with a required argument is declared read-only, and none was named with --call")
		}
	}
	t.Control("control", "control after")
	o := judges.OutcomeOf(t, t.Conclusive("call"))
	if o.Kind == judges.NoOutcome {
		t.NotObservedAt(kit.Inconclusive, o.Exchange, "the call without a required argument got no answer: %s", o)
	}
	return o
}

// incompleteCall picks a tool with a required argument and leaves that out: the first that is declared read-only, or else the first
// that the user named, with the other arguments as named.
func incompleteCall(c *kit.C) (call kit.ToolCall, argument string, ok bool) {
	for _, tool := range c.Facts.Tools {
		if required := demanded(tool); tool.ReadOnly && len(required) > 0 {
			return kit.ToolCall{Name: tool.Name, Arguments: struct{}{}}, required[0], true
		}
	}
	for _, named := range c.Calls {
		tool, listed := judges.ToolNamed(c.Facts, named.Name)
		arguments, isObject := objectOf(named.Arguments)
		for _, argument := range demanded(tool) {
			if _, given := arguments[argument]; listed && isObject && given {
				rest := maps.Clone(arguments)
				delete(rest, argument)
				return kit.ToolCall{Name: named.Name, Arguments: rest}, argument, true
			}
		}
	}
	return kit.ToolCall{}, "", false
}

// demanded are the arguments that a tool requires and has no default for, as far as its schema can be read. A tool that must be called
// as a task refuses for that reason.
func demanded(tool kit.Tool) []string {
	m := wire.ReadMessage(tool.Raw)
	var required []string
	var properties map[string]json.RawMessage
	if m.Decode("/inputSchema/required", &required) != nil || m.Decode("/inputSchema/properties", &properties) != nil || wantsTask(tool) {
		return nil
	}
	return slices.DeleteFunc(required, func(name string) bool {
		schema, described := properties[name]
		_, preset := wire.ReadMessage(schema).Pointer("/default")
		return !described || preset
	})
}

// objectOf reads a value as a JSON object.
func objectOf(v any) (map[string]json.RawMessage, bool) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Errorf("the arguments of a named call: %w", err))
	}
	var object map[string]json.RawMessage
	return object, json.Unmarshal(text, &object) == nil && object != nil
}
