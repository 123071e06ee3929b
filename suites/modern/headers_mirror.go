package modern

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// prefixParam begins the headers that repeat arguments.
const prefixParam = "Mcp-Param-"

// mirrored says which arguments clients repeat in headers: those whose schema says so and that have a value.
func mirrored(f *kit.Facts) func(tool string, arguments json.RawMessage) map[string]string {
	return func(name string, arguments json.RawMessage) map[string]string {
		tool, listed := f.Tool(name)
		if !listed {
			return nil
		}
		all := map[string]string{}
		parameters, _ := parametersOf(tool)
		for _, p := range parameters {
			if text, there := p.text(arguments); there {
				all[p.header] = text
			}
		}
		return all
	}
}

// A parameter is one that has a header, as clients see it.
type parameter struct {
	annotation
	header string
}

// parametersOf are the parameters of a tool that have a header, without those whose annotation cannot be followed. Where there are such,
// the tool is not sound: clients leave it out of their lists, and what calls of it bring says nothing.
func parametersOf(tool kit.Tool) (all []parameter, sound bool) {
	schema, _ := wire.Lookup(tool.Raw, "/inputSchema")
	sound = true
	headers := map[string]bool{}
	for _, a := range annotationsOf(tool.Name, schema) {
		header, ok := a.name()
		p := parameter{a, header}
		if !ok || !a.reached || !isToken(header) {
			sound = false
			continue
		}
		same := strings.ToLower(header)
		sound = sound && !headers[same] && (p.is("string") || p.is("integer") || p.is("boolean")) && !p.is("number") && !p.is("array") && !p.is("object")
		headers[same] = true
		all = append(all, p)
	}
	return all, sound
}

func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !tokenCharacter(r) })
}

// text is what the header says of the value that the arguments have for the parameter; false where they have none.
func (p parameter) text(arguments json.RawMessage) (string, bool) {
	for _, name := range p.path {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(arguments, &members)
		arguments = members[name]
	}
	switch kit.JSONType(arguments) {
	case "string":
		return wire.Unquote(arguments), true
	case "boolean":
		return string(arguments), true
	case "number":
		if v, err := strconv.ParseFloat(string(arguments), 64); err == nil && max(v, -v) <= maxSafe && v == float64(int64(v)) {
			return strconv.FormatInt(int64(v), 10), true
		}
		return string(arguments), true
	}
	return "", false
}

// is tells whether the parameter takes values of a type.
func (p parameter) is(kind string) bool {
	types, _ := typesOf(p.schema["type"])
	return slices.Contains(types, kind)
}

// free tells that nothing but the type limits a text.
func (p parameter) free() bool {
	return !slices.ContainsFunc([]string{"enum", "const", "pattern", "format", "minLength", "maxLength"}, func(k string) bool { return p.schema[k] != nil })
}

// sample is a value that the schema of a parameter admits; nil where none is at hand.
func (p parameter) sample() json.RawMessage {
	for _, keyword := range []string{"const", "default"} {
		if v := p.schema[keyword]; v != nil && kit.JSONType(v) != "null" {
			return v
		}
	}
	for _, keyword := range []string{"enum", "examples"} {
		list, _ := wire.Elements(p.schema[keyword])
		if i := slices.IndexFunc(list, func(v json.RawMessage) bool { return kit.JSONType(v) != "null" }); i >= 0 {
			return list[i]
		}
	}
	switch {
	case p.is("string") && p.free():
		return json.RawMessage(`"mcpcheck"`)
	case p.is("integer") && p.schema["minimum"] != nil:
		return p.schema["minimum"]
	case p.is("integer") && !slices.ContainsFunc([]string{"maximum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf"}, func(k string) bool { return p.schema[k] != nil }):
		return json.RawMessage(`1`)
	case p.is("boolean"):
		return json.RawMessage(`true`)
	}
	return nil
}

// A mirroring is a call that may be made, some arguments of which are repeated in headers.
type mirroring struct {
	call kit.ToolCall
	// given are the parameters that have a value in the call.
	given []parameter
	// harmless: the tool is read-only, so that its arguments may be changed; only the user knows what other values do elsewhere.
	harmless  bool
	arguments map[string]json.RawMessage
	required  []string
}

// mirroringOf picks the call with the most types of parameters: as the user named it, or of a read-only tool that requires no argument.
func mirroringOf(c *kit.C) (best mirroring, found bool) {
	kinds := func(m mirroring) (n int) {
		for _, kind := range []string{"string", "integer"} {
			if slices.ContainsFunc(m.given, func(p parameter) bool { return p.is(kind) }) {
				n++
			}
		}
		return n
	}
	for _, call := range c.ToolCalls() {
		tool, listed := c.Facts.Tool(call.Name)
		named := slices.ContainsFunc(c.Calls, func(k kit.ToolCall) bool { return k.Name == call.Name })
		parameters, sound := parametersOf(tool)
		if !listed || !sound || tool.WantsTask() {
			continue
		}
		m := mirroring{call: call, harmless: tool.ReadOnly, required: tool.Required}
		raw, _ := json.Marshal(call.Arguments)
		_ = json.Unmarshal(raw, &m.arguments)
		for _, p := range parameters {
			if m.arguments == nil {
				break
			}
			if _, there := m.arguments[p.path[0]]; !there && !named && len(p.path) == 1 {
				if v := p.sample(); v != nil {
					m.arguments[p.path[0]] = v
				}
			}
			if _, there := p.text(rawOf(m.arguments)); there {
				m.given = append(m.given, p)
			}
		}
		m.call.Arguments = m.arguments
		if len(m.given) > 0 && (!found || kinds(m) > kinds(best)) {
			best, found = m, true
		}
	}
	return best, found
}

// of finds a parameter of a type that has a value.
func (m mirroring) of(kind string) (parameter, string, bool) {
	for _, p := range m.given {
		if text, _ := p.text(rawOf(m.arguments)); p.is(kind) {
			return p, text, true
		}
	}
	return parameter{}, "", false
}

// with is the call with another value for a parameter of the top level; without a value it has none.
func (m mirroring) with(p parameter, value json.RawMessage) kit.ToolCall {
	arguments := maps.Clone(m.arguments)
	if arguments[p.path[0]] = value; value == nil {
		delete(arguments, p.path[0])
	}
	return kit.ToolCall{Name: m.call.Name, Arguments: arguments}
}
