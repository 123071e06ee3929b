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
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.UnknownTool(t, "unknown tool", mayStillCome)
	})

	s.Check("tools.call.malformed-request", wrong, func(t *kit.T) {
		t.Control("control", "control at last")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.MalformedCall(t, "malformed call")
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
		o := judges.IncompleteCall(t, "call", "control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.IncompleteRefused(t, o, "tools.call.inputs-validated")
	})

	s.Check("tools.call.inputs-validated", missing, func(t *kit.T) {
		o := judges.IncompleteCall(t, "call", "control", "control after")
		judges.DemandServed(t, "tools/call", "tools.call.result-shape")
		judges.InputsValidated(t, o)
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
	if m.Decode("/inputSchema/required", &required) != nil || wantsTask(tool) {
		return nil
	}
	_ = m.Decode("/inputSchema/properties", &properties)
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
