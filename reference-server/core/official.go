package core

import (
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// The scenarios of the official conformance suite (npm @modelcontextprotocol/conformance) call tools, prompts and resources by names of
// its own. A server with Official has them beside what it has anyway; what they ask of a client is in official_questions.go, prompts and
// resources are in official_prompts.go.

func officialTools() []tool {
	nothing := object(nil, schema{})
	picture := mediaContent{Type: "image", Data: pixel, MimeType: "image/png"}
	inside := embeddedResource{Type: "resource", Resource: plainText("test://embedded-resource", "A text that came with a result.")}
	shows := func(name, about string, content ...any) tool {
		return tool{name: name, about: about, input: nothing, run: func(*Request) (any, *jsonrpc.Error) {
			return ToolResult{Content: content}, nil
		}}
	}
	sound := shows("test_audio_content", "Gives a sound.", mediaContent{Type: "audio", Data: silence, MimeType: "audio/wav"})
	// A client of 2024-11-05, which knows no sound, may be taken for one of 2025-03-26.
	sound.offered = func(c *Request) bool { return c.speaks(revision.V20250326) && !c.Caller.Guessed }
	tools := []tool{
		shows("test_simple_text", "Gives a text.", text("Nothing but a text.")),
		shows("test_image_content", "Gives a picture.", picture),
		sound,
		shows("test_embedded_resource", "Gives a resource.", inside),
		shows("test_multiple_content_types", "Gives a text, a picture and a resource.", text("A text, a picture, a resource:"), picture, inside),
		{name: "test_error_handling", about: "Fails whenever it is called.", input: nothing,
			run: func(*Request) (any, *jsonrpc.Error) { return Fails("this tool fails on purpose"), nil }},
		{name: "test_tool_with_logging", about: "Logs three messages of level info.", input: nothing, streams: true,
			run: (*Request).logThree},
		{name: "test_logging_tool", about: "Logs three messages of level info.", input: nothing, streams: true,
			offered: from(revision.V20260728), run: (*Request).logThree},
		{name: "test_tool_with_progress", about: "Reports its progress to whoever gave a token.", input: nothing, streams: true,
			run: (*Request).progressing},
		{name: "test_reconnection", about: "Ends the connection before the answer, which a resumption gets.", input: nothing, streams: true,
			offered: func(c *Request) bool { return c.Caller.Line.CanPark() }, run: (*Request).earlyClose},
		{name: "json_schema_2020_12_tool", about: "Has a schema with most of what JSON Schema 2020-12 offers.", input: dialectInput(),
			offered: from(revision.V20251125),
			run:     func(*Request) (any, *jsonrpc.Error) { return says("nothing was done with it"), nil }},
		{name: "test_trigger_tool_change", about: "Keeps a note, which changes the list of tools.", input: nothing, writes: true,
			offered: from(revision.V20260728), run: (*Request).changeLists},
		{name: "test_trigger_prompt_change", about: "Keeps a note, which changes the list of prompts.", input: nothing, writes: true,
			offered: from(revision.V20260728), run: (*Request).changeLists},
	}
	return append(tools, officialQuestions()...)
}

func (c *Request) logThree() (any, *jsonrpc.Error) {
	for _, message := range []string{"it begins", "it goes on", "it ends"} {
		c.Caller.Line.Log("info", message)
		if !Sleep(c.Ctx.Done(), stepTime) {
			break
		}
	}
	return says("logged three messages"), nil
}

// changeLists is a change of the tools and of the prompts at once.
func (c *Request) changeLists() (any, *jsonrpc.Error) { return c.keepNote("a list was to change") }

// dialectInput has the keywords that a server loses which knows only properties and required: the dialect, definitions with an anchor,
// combinations and conditions (from 2025-11-25: server/tools#tool).
func dialectInput() schema {
	wants := func(name string) schema { return schema{"required": []string{name}} }
	input := object(nil, schema{
		"home": schema{"$ref": "#/$defs/address"},
		"by":   schema{"type": "string", "enum": []string{"phone", "letter"}},
		"call": schema{"type": "string"},
	})
	input["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	input["$defs"] = schema{"address": schema{"$anchor": "address", "type": "object", "properties": schema{"town": schema{"type": "string"}}}}
	input["additionalProperties"] = false
	input["allOf"] = []any{schema{"anyOf": []any{wants("home"), wants("call"), schema{"maxProperties": 1}}}}
	input["if"] = schema{"properties": schema{"by": schema{"const": "phone"}}, "required": []string{"by"}}
	input["then"], input["else"] = wants("call"), schema{}
	return input
}
