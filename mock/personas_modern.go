package mock

import (
	"encoding/json"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// stateTool has its caller come back with a state before it answers.
const stateTool = "mcpcheck_state"

// only is a parameter that has one value, so that a client which fills in arguments by itself cannot choose another.
func only(kind string, value any, header string) map[string]any {
	p := map[string]any{"type": kind, "enum": []any{value}}
	if header != "" {
		p["x-mcp-header"] = header
	}
	return p
}

// headerInput is a schema whose arguments are to be repeated in headers: each type, what a header cannot carry as it is, a place within an
// object whose name stands elsewhere too, and one that is not repeated.
func headerInput() map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{
		"region":   only("string", "us-west1", "Region"),
		"count":    only("integer", 42, "Count"),
		"flag":     only("boolean", true, "Flag"),
		"accents":  only("string", "é ", "Accents"),
		"sentinel": only("string", "=?base64?literal?=", "Sentinel"),
		"absent":   map[string]any{"type": "string", "x-mcp-header": "Absent"},
		"name":     only("string", "outer", ""),
		"place":    map[string]any{"type": "object", "properties": map[string]any{"name": only("string", "inner", "Place-Name")}},
	}}
}

// dialectTool has a schema that means something else before 2020-12.
const dialectTool = "mcpcheck_2020_12"

func dialectInput() map[string]any {
	return map[string]any{
		"type": "object", "$defs": map[string]any{"word": map[string]any{"type": "string"}},
		"properties": map[string]any{"pair": map[string]any{"type": "array", "prefixItems": []any{map[string]any{"$ref": "#/$defs/word"}, map[string]any{"type": "integer"}}}},
	}
}

// modernOnly speaks 2026-07-28 and nothing else.
func modernOnly() Persona {
	return Persona{
		Name: "modern", About: "2026-07-28 only, JSON answers, tools and nothing else", Conforms: true,
		Person: "a client that does not speak 2026-07-28 cannot connect, as is its right: go on then",
		Profile: refserver.Profile{
			Name: "modern", Era: refserver.EraModern, ToolsOnly: true, Tools: []string{EchoTool, namedParams, dialectTool},
			Inputs: map[string]map[string]any{namedParams: headerInput(), dialectTool: dialectInput()},
		},
	}
}

// modernStreams answers on event streams of every legal form, and in pages.
func modernStreams() Persona {
	p := modernStreamsWith("modern-streams", "2026-07-28 only, answers on event streams of every legal form, lists in pages, completes the arguments of a prompt, calls take a while", modernForms()...)
	for _, f := range modernForms() {
		p.Parts = append(p.Parts, modernStreamsWith("modern-streams: "+f.name, "2026-07-28 only, with "+f.name+" and nothing else that is unusual", f))
	}
	p.Profile.Completes, p.Profile.Pages = true, []int{1, 0, 2}
	p.Profile.Tools, p.Profile.State, p.Profile.Prompts = []string{EchoTool, stateTool, canary}, stateTool, fixedPrompts()
	roots := &refserver.Condition{Request: map[string]any{"/params/_meta/io.modelcontextprotocol~1clientCapabilities/roots": "*"}}
	p.Deviation.Edits = append(p.Deviation.Edits,
		refserver.Edit{On: "result tools/call", Delay: "300ms"},
		refserver.Edit{On: "result tools/call", When: roots, Remove: "/result/requestState"},
		refserver.Edit{On: "result tools/list", Set: text("/result/ttlMs"), Value: json.RawMessage("200")},
	)
	return p
}

func modernStreamsWith(name, about string, forms ...legalForm) Persona {
	p := streamsWith(name, about, forms...)
	p.Profile = refserver.Profile{Name: name, Era: refserver.EraModern, SSE: true, ToolsOnly: true, Tools: []string{EchoTool}}
	return p
}

// modernForms are those that an answer of 2026-07-28 may have.
func modernForms() []legalForm {
	return append(legacyForms(), legalForm{name: "names of header fields in odd letter case", switches: []string{"odd-header-names"}})
}

// modernRefused names no version that anybody speaks.
func modernRefused() Persona {
	p := modernOnly()
	p.Name, p.About, p.Conforms = "modern-refused", "refuses every version, and names 1900-01-01 as the one it speaks", false
	p.Person = "no client can connect here: go on once yours has given up"
	p.Deviation = &refserver.Deviation{Switches: []string{"speaks-1900"}}
	return p
}

// modernMismatch finds fault with the headers of the first request, and wants a header for an argument only once the tools were listed.
func modernMismatch() Persona {
	p := modernOnly()
	p.Name, p.About, p.Conforms = "modern-mismatch", "refuses the first request with HeaderMismatch, and later a call whose tool it changed after it was listed", false
	p.Person = ""
	p.Deviation = &refserver.Deviation{Switches: []string{"mismatch-once"}, Edits: []refserver.Edit{
		{On: "result tools/list", Nth: 1, Remove: "/result/tools/1/inputSchema/properties/region/x-mcp-header"},
	}}
	return p
}

// badHeaderTools are tools that a client has to leave out of its list: what their schemas want in headers cannot be.
func badHeaderTools() map[string]map[string]any {
	schema := func(properties map[string]any) map[string]any {
		return map[string]any{"type": "object", "properties": properties}
	}
	return map[string]map[string]any{
		EchoTool:                 schema(map[string]any{"far": map[string]any{"$ref": "{origin}/schemas/far.json"}}),
		"mcpcheck_bad_empty":     schema(map[string]any{"a": map[string]any{"type": "string", "x-mcp-header": ""}}),
		"mcpcheck_bad_space":     schema(map[string]any{"a": map[string]any{"type": "string", "x-mcp-header": "A B"}}),
		"mcpcheck_bad_number":    schema(map[string]any{"a": map[string]any{"type": "number", "x-mcp-header": "A"}}),
		"mcpcheck_bad_duplicate": schema(map[string]any{"a": map[string]any{"type": "string", "x-mcp-header": "A"}, "b": map[string]any{"type": "string", "x-mcp-header": "a"}}),
	}
}

// modernCut breaks the stream of a call off ahead of its answer. Its list has what a client must not take for more than it is: tools that
// no client may offer, one whose name no header can carry, and an empty cursor that leads on.
func modernCut() Persona {
	return Persona{
		Name: "modern-cut", About: "2026-07-28 only, breaks off the answer to a call; its list has malformed tools, a name beyond ASCII and an empty cursor",
		Profile: refserver.Profile{
			Name: "modern-cut", Era: refserver.EraModern, SSE: true, ToolsOnly: true, Inputs: badHeaderTools(),
			Tools: []string{"mcpcheck_é", "mcpcheck_bad_empty", "mcpcheck_bad_space", "mcpcheck_bad_number", "mcpcheck_bad_duplicate", EchoTool, canary}, Pages: []int{6, 1},
		},
		Deviation: &refserver.Deviation{Generate: map[string]string{"cursor": "empty"}, Edits: []refserver.Edit{
			{On: "result tools/list", Nth: 1, Set: text("/result/nextCursor"), Value: json.RawMessage(`""`)},
			{On: "result tools/list", Set: text("/result/tools/0/icons"), Value: json.RawMessage(`[{"src":"{origin}/icons/icon.png","mimeType":"image/png"}]`)},
			{On: "result tools/call", When: &refserver.Condition{Request: map[string]any{"/params/name": EchoTool}}, Nth: 1, Close: true},
		}},
	}
}

// modernInvalid leaves out of results what they should have, says what nobody knows, and has errors with codes that mean nothing.
func modernInvalid() Persona {
	return Persona{
		Name: "modern-invalid", About: "2026-07-28 only, the first list has no resultType, its second page one that nobody knows, and calls fail with -32001",
		Profile: refserver.Profile{Name: "modern-invalid", Era: refserver.EraModern, ToolsOnly: true, PageSize: 1, Tools: []string{EchoTool, canary}, Prompts: fixedPrompts()},
		Deviation: &refserver.Deviation{Edits: []refserver.Edit{
			{On: "result tools/list", When: &refserver.Condition{Request: map[string]any{"/params/cursor": nil}}, Remove: "/result/resultType"},
			{On: "result tools/list", When: &refserver.Condition{Request: map[string]any{"/params/cursor": "*"}}, Set: text("/result/resultType"), Value: json.RawMessage(`"mcpcheck_unknown"`)},
			{On: "result tools/call", Remove: "/result", Set: text("/error"), Value: json.RawMessage(`{"code":-32001,"message":"mcpcheck: this code means nothing","data":{"supported":["2025-11-25"]}}`)},
			{On: "served-json", When: &refserver.Condition{RPC: []string{"tools/call"}}, Status: 400},
		}},
	}
}
