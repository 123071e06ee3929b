package core

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// officialPrompts are the prompts that the official suite gets.
func (c *Request) officialPrompts() []prompt {
	required := func(name, about string) promptArgument {
		return promptArgument{Name: name, Description: about, Required: true}
	}
	all := []prompt{
		{Name: "test_simple_prompt", Description: "Says one thing.",
			get: func(*Request, map[string]string) (any, *jsonrpc.Error) { return userSays(text("Only this.")), nil }},
		{Name: "test_prompt_with_arguments", Description: "Repeats its arguments.",
			Arguments: []promptArgument{required("arg1", "what to repeat"), required("arg2", "what to repeat after it")},
			get: func(_ *Request, arguments map[string]string) (any, *jsonrpc.Error) {
				return userSays(text("First %s, then %s.", arguments["arg1"], arguments["arg2"])), nil
			}},
		{Name: "test_prompt_with_embedded_resource", Description: "Shows a resource.",
			Arguments: []promptArgument{required("resourceUri", "the URI that it is shown under")}, get: (*Request).showResource},
		{Name: "test_prompt_with_image", Description: "Shows a picture.",
			get: func(*Request, map[string]string) (any, *jsonrpc.Error) {
				return userSays(mediaContent{Type: "image", Data: pixel, MimeType: "image/png"}, text("What is in the picture?")), nil
			}},
	}
	if c.speaks(revision.V20260728) {
		all = append(all, prompt{Name: "test_input_required_result_prompt", Description: "Asks the person before there is anything to say.",
			get: (*Request).askContext})
	}
	return all
}

func userSays(contents ...any) promptResult {
	var r promptResult
	for _, content := range contents {
		r.Messages = append(r.Messages, promptMessage{Role: "user", Content: content})
	}
	return r
}

func (c *Request) showResource(arguments map[string]string) (any, *jsonrpc.Error) {
	uri := arguments["resourceUri"]
	if u, err := url.Parse(uri); err != nil || !u.IsAbs() {
		return nil, jsonrpc.InvalidParams("resourceUri is no absolute URI")
	}
	return userSays(embeddedResource{Type: "resource", Resource: plainText(uri, "What the prompt is about.")}, text("What does it say?")), nil
}

func (c *Request) askContext(map[string]string) (any, *jsonrpc.Error) {
	if !c.offersForms() {
		return c.lacksForms()
	}
	asked := step{"user_context", "What is it about?", texts("context")}
	answers, instead := c.Caller.Line.Ask(c.question(asked))
	if instead != nil {
		return end(instead)
	}
	result, instead := c.elicited(answers[0])
	if instead != nil {
		return end(instead)
	}
	about := "nothing"
	if result.Action == "accept" {
		if misfit(asked.form, result.Content) != "" {
			return nil, jsonrpc.InvalidParams("the answer does not fit the form")
		}
		_ = json.Unmarshal(result.Content["context"], &about) // fits the form
	}
	return userSays(text("Talk about %s.", about)), nil
}

// The resources that the official suite reads.
const (
	officialText    = "test://static-text"
	officialBinary  = "test://static-binary"
	officialWatched = "test://watched-resource"
	// What stands between them is the id.
	officialBegin = "test://template/"
	officialEnd   = "/data"
)

var officialTemplate = resourceTemplate{URITemplate: officialBegin + "{id}" + officialEnd, Name: "data",
	Description: "Data of an id.", MimeType: "application/json"}

func officialResources() []resource {
	return []resource{
		{URI: officialText, Name: "static-text", Description: "A text that never changes.", MimeType: "text/plain"},
		{URI: officialBinary, Name: "static-binary", Description: "A picture that never changes.", MimeType: "image/png"},
		{URI: officialWatched, Name: "watched-resource", Description: "A text to subscribe to.", MimeType: "text/plain"},
	}
}

func officialContents(uri string) (contents, bool) {
	switch uri {
	case officialText:
		return plainText(uri, "This text never changes."), true
	case officialBinary:
		return contents{URI: uri, MimeType: "image/png", Blob: pixel}, true
	case officialWatched:
		return plainText(uri, "Nothing has happened so far."), true
	}
	id, begins := strings.CutPrefix(uri, officialBegin)
	id, ends := strings.CutSuffix(id, officialEnd)
	if !begins || !ends || id == "" || strings.Contains(id, "/") {
		return contents{}, false
	}
	data := string(jsonrpc.Encode(map[string]any{"id": id, "data": "what belongs to " + id}))
	return contents{URI: uri, MimeType: "application/json", Text: &data}, true
}
