package kit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/mcpcheck/mcpcheck/wire"
)

// BogusName is a name that nothing has.
func (c *C) BogusName() string {
	return "mcpcheck-no-such-" + strconv.FormatInt(c.Client().NextID(), 36)
}

// Tool finds a listed tool. A name that is listed twice is none: a requirement about the list says so.
func (f *Facts) Tool(name string) (Tool, bool) {
	var found []Tool
	for _, tool := range f.Tools {
		if tool.Name == name {
			found = append(found, tool)
		}
	}
	if len(found) != 1 {
		return Tool{}, false
	}
	return found[0], true
}

// WantsTask tells that a tool may only be called as a task (2025-11-25).
func (t Tool) WantsTask() bool {
	support, _ := Text(t.Raw, "execution/taskSupport")
	return support == "required"
}

// demanded are the arguments that a tool requires and has no default for, as far as its schema can be read. A tool that must be called
// as a task refuses for that reason.
func (t Tool) demanded() []string {
	m := wire.ReadMessage(t.Raw)
	var required []string
	var properties map[string]json.RawMessage
	if m.Decode("/inputSchema/required", &required) != nil || t.WantsTask() {
		return nil
	}
	_ = m.Decode("/inputSchema/properties", &properties)
	return slices.DeleteFunc(required, func(name string) bool {
		schema, described := properties[name]
		_, preset := wire.ReadMessage(schema).Pointer("/default")
		return !described || preset
	})
}

// PlainCall picks the tool to try variants of a call on: one that needs no argument and is read-only, or was named without arguments.
// One that takes none at all is best: its callers are the ones that leave the member out.
func (c *C) PlainCall() (ToolCall, bool) {
	return c.plainCall(func(tool Tool) bool {
		return tool.ReadOnly || slices.ContainsFunc(c.Calls, func(call ToolCall) bool {
			arguments, isObject := call.members()
			return call.Name == tool.Name && isObject && len(arguments) == 0
		})
	})
}

// HarmlessCall is PlainCall without what the user named, which may be meant to have an effect.
func (c *C) HarmlessCall() (ToolCall, bool) {
	return c.plainCall(func(tool Tool) bool { return tool.ReadOnly })
}

func (c *C) plainCall(fits func(Tool) bool) (ToolCall, bool) {
	var may []Tool
	for _, tool := range c.Facts.Tools {
		if len(tool.Required) == 0 && !tool.WantsTask() && fits(tool) {
			may = append(may, tool)
		}
	}
	if len(may) == 0 {
		return ToolCall{}, false
	}
	best := max(0, slices.IndexFunc(may, func(tool Tool) bool {
		var properties map[string]json.RawMessage
		_ = wire.ReadMessage(tool.Raw).Decode("/inputSchema/properties", &properties)
		return len(properties) == 0
	}))
	return ToolCall{Name: may[best].Name, Arguments: struct{}{}}, true
}

// IncompleteCall picks a tool with a required argument and leaves that out: the first that is declared read-only, or else the first
// that the user named, with the other arguments as named.
func (c *C) IncompleteCall() (call ToolCall, argument string, ok bool) {
	for _, tool := range c.Facts.Tools {
		if required := tool.demanded(); tool.ReadOnly && len(required) > 0 {
			return ToolCall{Name: tool.Name, Arguments: struct{}{}}, required[0], true
		}
	}
	for _, named := range c.Calls {
		tool, listed := c.Facts.Tool(named.Name)
		arguments, isObject := named.members()
		for _, argument := range tool.demanded() {
			if _, given := arguments[argument]; listed && isObject && given {
				rest := maps.Clone(arguments)
				delete(rest, argument)
				return ToolCall{Name: named.Name, Arguments: rest}, argument, true
			}
		}
	}
	return ToolCall{}, "", false
}

// members reads the arguments of a call as a JSON object.
func (c ToolCall) members() (map[string]json.RawMessage, bool) {
	text, err := json.Marshal(c.Arguments)
	if err != nil {
		panic(fmt.Errorf("the arguments of a named call: %w", err))
	}
	var object map[string]json.RawMessage
	return object, json.Unmarshal(text, &object) == nil && object != nil
}
