package kit

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A Tool is a listed tool.
type Tool struct {
	Name     string          `json:"name"`
	ReadOnly bool            `json:"-"`
	Required []string        `json:"-"`
	Raw      json.RawMessage `json:"-"`
}

// Callable tells whether a polite run may call the tool: it is declared read-only and requires no argument.
func (t Tool) Callable() bool { return t.ReadOnly && len(t.Required) == 0 }

// A Prompt is a listed prompt.
type Prompt struct {
	Name string
	// Arguments are the names of its arguments, Required those that must be given.
	Arguments, Required []string
}

// Items returns the elements of an array in the results of a list request, over all its pages in a transcript. Pages that were
// not served or cannot be read give nothing: the checks of the list say so.
func Items(t *wire.Transcript, method, member string) []json.RawMessage {
	var all []json.RawMessage
	for _, x := range t.Exchanges {
		if x.RequestMessage().Method != method || !x.Served() {
			continue
		}
		answer, _ := x.Answer()
		items, _ := answer.Pointer("/result/" + member)
		page, _ := wire.Elements(items)
		all = append(all, page...)
	}
	return all
}

// MaxListed is how many tools, resources, templates and prompts a run chooses from, of each. The checks of a list look at all of it.
const MaxListed = 10_000

// ReadLists reads the listed tools, resources, templates and prompts: the first MaxListed of each, and what the user named.
func (f *Facts) ReadLists(t *wire.Transcript) {
	for i, raw := range Items(t, "tools/list", "tools") {
		if name, _ := Text(raw, "name"); i >= MaxListed && !slices.Contains(f.Named, name) {
			continue
		}
		if tool, ok := readTool(raw); ok {
			f.Tools = append(f.Tools, tool)
		}
	}
	for _, raw := range firstOf(Items(t, "resources/list", "resources")) {
		if resource, ok := readResource(raw); ok {
			f.Resources = append(f.Resources, resource)
		}
	}
	f.Templates = texts(firstOf(Items(t, "resources/templates/list", "resourceTemplates")), "/uriTemplate")
	for _, raw := range firstOf(Items(t, "prompts/list", "prompts")) {
		if prompt, ok := readPrompt(raw); ok {
			f.Prompts = append(f.Prompts, prompt)
		}
	}
}

func firstOf(items []json.RawMessage) []json.RawMessage { return items[:min(len(items), MaxListed)] }

// texts returns the strings that stand at a pointer in some items.
func texts(items []json.RawMessage, pointer string) []string {
	var all []string
	for _, raw := range items {
		var s string
		if _ = wire.ReadMessage(raw).Decode(pointer, &s); s != "" {
			all = append(all, s)
		}
	}
	return all
}

func readPrompt(raw json.RawMessage) (Prompt, bool) {
	m := wire.ReadMessage(raw)
	var p Prompt
	if _ = m.Decode("/name", &p.Name); p.Name == "" {
		return Prompt{}, false
	}
	var arguments []struct {
		Name     string `json:"name"`
		Required bool   `json:"required"`
	}
	if _, present := m.Pointer("/arguments"); present && m.Decode("/arguments", &arguments) != nil {
		// In doubt it requires something, so that a refusal is not blamed on the server.
		p.Required = []string{"?"}
	}
	for _, a := range arguments {
		p.Arguments = append(p.Arguments, a.Name)
		if a.Required {
			p.Required = append(p.Required, a.Name)
		}
	}
	return p, true
}

func readTool(raw json.RawMessage) (Tool, bool) {
	m := wire.ReadMessage(raw)
	tool := Tool{Raw: raw}
	if _ = m.Decode("/name", &tool.Name); tool.Name == "" {
		return Tool{}, false
	}
	// A missing or mistyped hint counts as "not read-only", a mistyped list of required arguments as "requires something": in doubt
	// a tool is not called.
	_ = m.Decode("/annotations/readOnlyHint", &tool.ReadOnly)
	if _, present := m.Pointer("/inputSchema/required"); present {
		if m.Decode("/inputSchema/required", &tool.Required) != nil {
			tool.Required = []string{"?"}
		}
	}
	return tool, true
}
