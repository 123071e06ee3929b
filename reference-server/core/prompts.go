package core

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

type prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitempty"` // from 2025-06-18
	Description string           `json:"description,omitempty"`
	Arguments   []promptArgument `json:"arguments,omitempty"`

	get func(c *Request, arguments map[string]string) (any, *jsonrpc.Error) // nil: see promptMessages
}

type promptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"` // from 2025-06-18
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required"`
}

type promptMessage struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

type mediaContent struct {
	Type     string `json:"type"` // image, or audio from 2025-03-26
	Data     string `json:"data"`
	MimeType string `json:"mimeType"`
}

type embeddedResource struct {
	Type        string       `json:"type"`
	Resource    contents     `json:"resource"`
	Annotations *annotations `json:"annotations,omitempty"`
}

// silence is a WAV file with no sample in it.
const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

// introduction has two arguments: what one may be depends on the other.
var introduction = prompt{Name: "introduce", Description: "Introduces somebody to somebody else.", Arguments: []promptArgument{
	{Name: "name", Description: "who is introduced"},
	{Name: otherName, Description: "to whom"},
}}

const otherName = "other"

func (c *Request) allPrompts() []prompt {
	if len(c.Server.Prompts) > 0 {
		return c.fixedPrompts()
	}
	all := []prompt{
		{Name: "hello", Title: "Hello", Description: "Says hello."},
		{Name: "greet", Title: "Greet", Description: "Greets somebody.", Arguments: []promptArgument{
			{Name: "name", Title: since(c, revision.V20250618, "Name"), Description: "whom to greet", Required: true},
		}},
	}
	if len(c.Caller.State.allNotes()) > 0 {
		about := "Asks to sum up the notes."
		if c.speaks(revision.V20260728) {
			about = fmt.Sprintf("Asks to sum up the notes, of which there are %d.", len(c.Caller.State.allNotes()))
		}
		all = append(all, prompt{Name: "notes", Title: "Notes", Description: about})
	}
	if c.speaks(revision.V20260728) {
		all = append(all, prompt{Name: interviewPrompt, Title: "Interview", Description: "Asks the person for a name before there is anything to say."})
	}
	if c.Server.Official {
		all = append(all, c.officialPrompts()...)
	}
	for i := range all {
		all[i].Title = since(c, revision.V20250618, all[i].Title)
	}
	return all
}

func (c *Request) listPrompts() (any, *jsonrpc.Error) {
	prompts, next, err := page(c, c.allPrompts())
	if err != nil {
		return nil, err
	}
	return struct {
		Prompts    []prompt `json:"prompts"`
		NextCursor string   `json:"nextCursor,omitempty"`
	}{prompts, next}, nil
}

// getPrompt answers an unknown name and a missing argument with -32602 (server/prompts#error-handling).
func (c *Request) getPrompt() (any, *jsonrpc.Error) {
	var params struct {
		Name      *string           `json:"name"`
		Arguments map[string]string `json:"arguments"`
	}
	if err := jsonrpc.DecodeParams(c.Message, &params); err != nil {
		return nil, err
	}
	if params.Name == nil {
		return nil, jsonrpc.InvalidParams("name is required")
	}
	for _, p := range c.allPrompts() {
		if p.Name != *params.Name {
			continue
		}
		for _, a := range p.Arguments {
			if _, ok := params.Arguments[a.Name]; a.Required && !ok {
				return nil, jsonrpc.InvalidParams("the argument " + a.Name + " is required")
			}
		}
		if c.Server.Failing {
			return nil, jsonrpc.InternalError()
		}
		if p.get != nil {
			return p.get(c, params.Arguments)
		}
		if p.Name == interviewPrompt {
			return c.interview(p)
		}
		return promptResult{p.Description, c.promptMessages(p.Name, params.Arguments)}, nil
	}
	return nil, jsonrpc.InvalidParams("unknown prompt")
}

// fixedPrompts are for servers that only want to see their client list some.
func (c *Request) fixedPrompts() (fixed []prompt) {
	if c.Server.Completes {
		fixed = append(fixed, introduction)
	}
	for _, name := range c.Server.Prompts {
		fixed = append(fixed, prompt{Name: name, Description: "Says its name.", get: func(*Request, map[string]string) (any, *jsonrpc.Error) {
			return promptResult{"Says its name.", []promptMessage{{Role: "user", Content: text("%s", name)}}}, nil
		}})
	}
	return fixed
}

type promptResult struct {
	Description string          `json:"description,omitempty"`
	Messages    []promptMessage `json:"messages"`
}

const interviewPrompt = "interview"

// interview is a prompt that asks, as prompts may where questions are results (2026-07-28: basic/patterns/mrtr#supported-requests).
func (c *Request) interview(p prompt) (any, *jsonrpc.Error) {
	if !c.offersForms() {
		return c.lacksForms()
	}
	form := elicitForm{Mode: "form", Message: "Who is it about?", RequestedSchema: object([]string{"name"}, schema{
		"name": schema{"type": "string", "title": "Name", "minLength": 1},
	})}
	result, instead := c.elicit(form)
	name := "somebody who wants no name"
	switch {
	case instead != nil:
		return end(instead)
	case result.Action == "accept" && misfit(form.RequestedSchema, result.Content) != "":
		return nil, jsonrpc.InvalidParams("the answer does not fit the form")
	case result.Action == "accept":
		_ = json.Unmarshal(result.Content["name"], &name) // fits the form
	}
	return promptResult{p.Description, []promptMessage{{Role: "user", Content: text("Interview %s.", name)}}}, nil
}

func (c *Request) promptMessages(name string, arguments map[string]string) []promptMessage {
	user := func(content any) promptMessage { return promptMessage{Role: "user", Content: content} }
	switch name {
	case "greet":
		return []promptMessage{user(text("Greet %s.", arguments["name"]))}
	case introduction.Name:
		return []promptMessage{user(text("Introduce %s to %s.", arguments["name"], arguments[otherName]))}
	case "notes":
		return []promptMessage{user(text("Sum up: %s", strings.Join(c.Caller.State.allNotes(), "; ")))}
	}
	about, _ := c.contents("ref://about")
	messages := []promptMessage{
		user(text("Say hello to the one in the picture.")),
		user(mediaContent{Type: "image", Data: pixel, MimeType: "image/png"}),
		user(embeddedResource{Type: "resource", Resource: about}),
		{Role: "assistant", Content: text("In which voice?")},
	}
	// A client of 2024-11-05, which knows no sound, may be taken for one of 2025-03-26.
	if revision.AtLeast(c.Caller.Revision, revision.V20250326) && !c.Caller.Guessed {
		messages = append(messages, user(mediaContent{Type: "audio", Data: silence, MimeType: "audio/wav"}))
	}
	return messages
}
