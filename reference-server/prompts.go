package refserver

import "strings"

type prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitempty"` // from 2025-06-18
	Description string           `json:"description,omitempty"`
	Arguments   []promptArgument `json:"arguments,omitempty"`
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

func (c *request) allPrompts() []prompt {
	all := []prompt{
		{Name: "hello", Title: "Hello", Description: "Says hello."},
		{Name: "greet", Title: "Greet", Description: "Greets somebody.", Arguments: []promptArgument{
			{Name: "name", Title: since(c, Rev20250618, "Name"), Description: "whom to greet", Required: true},
		}},
	}
	if len(c.session.allNotes()) > 0 {
		all = append(all, prompt{Name: "notes", Title: "Notes", Description: "Asks to sum up the notes."})
	}
	for i := range all {
		all[i].Title = since(c, Rev20250618, all[i].Title)
	}
	return all
}

func (c *request) listPrompts() (any, *rpcError) {
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
func (c *request) getPrompt() (any, *rpcError) {
	var params struct {
		Name      *string           `json:"name"`
		Arguments map[string]string `json:"arguments"`
	}
	if err := decodeParams(c.message, &params); err != nil {
		return nil, err
	}
	if params.Name == nil {
		return nil, invalidParams("name is required")
	}
	for _, p := range c.allPrompts() {
		if p.Name != *params.Name {
			continue
		}
		for _, a := range p.Arguments {
			if _, ok := params.Arguments[a.Name]; a.Required && !ok {
				return nil, invalidParams("the argument " + a.Name + " is required")
			}
		}
		return struct {
			Description string          `json:"description,omitempty"`
			Messages    []promptMessage `json:"messages"`
		}{p.Description, []promptMessage{{Role: "user", Content: c.promptText(p.Name, params.Arguments)}}}, nil
	}
	return nil, invalidParams("unknown prompt")
}

func (c *request) promptText(name string, arguments map[string]string) textContent {
	switch name {
	case "greet":
		return text("Greet %s.", arguments["name"])
	case "notes":
		return text("Sum up: %s", strings.Join(c.session.allNotes(), "; "))
	}
	return text("Say hello.")
}
