package refclient

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// declares tells that the server may ask for something.
func (c *Client) declares(what string) bool {
	return slices.Contains(c.Declares, what) || c.on("declares-"+strings.ReplaceAll(what, ".", "-"))
}

// A wish is what a server asks the model or the person for, as far as the client reads it.
type wish struct {
	Mode     string            `json:"mode"`
	URL      string            `json:"url"`
	Schema   schema            `json:"requestedSchema"`
	Tools    []json.RawMessage `json:"tools"`
	Messages []said            `json:"messages"`
	Meta     struct {
		Token any `json:"progressToken"`
	} `json:"_meta"`
}

// said is a message to the model.
type said struct {
	Content struct {
		Type string `json:"type"`
	} `json:"content"`
}

func (s said) isToolResult() bool { return s.Content.Type == "tool_result" }

var errUnwanted = errors.New("the server asks for what the client does not declare")

// askedFor answers what the model or the person was asked for.
func (c *Client) askedFor(ctx context.Context, m incoming) map[string]any {
	response := map[string]any{"jsonrpc": "2.0", "id": m.ID}
	var w wish
	_ = json.Unmarshal(m.Params, &w) // what is missing is asked for by nobody
	if !c.think(ctx) {
		return nil
	}
	if w.Meta.Token != nil {
		c.report(ctx, w.Meta.Token)
	}
	result, err := c.fulfil(ctx, m.Method, w)
	if err != nil {
		code := -32602
		if c.on("refuses-otherwise") {
			code = -32603
		}
		response["error"] = map[string]any{"code": code, "message": err.Error()}
		return response
	}
	response["result"] = result
	return response
}

// think takes as long as models and people do; false: it is not wanted any more.
func (c *Client) think(ctx context.Context) bool {
	long := patience * 15 / 100
	if c.on("answers-cancelled") {
		long = patience * 35 / 100
	}
	select {
	case <-time.After(long):
		return true
	case <-ctx.Done():
		return false
	}
}

// fulfil is what the model says, or the person.
func (c *Client) fulfil(ctx context.Context, method string, w wish) (map[string]any, error) {
	if method == "sampling/createMessage" {
		return c.sample(w)
	}
	switch {
	case w.Mode == "url" && !c.declares("elicitation.url") && !c.on("opens-any-page"):
		return nil, errUnwanted
	case w.Mode == "url" && c.on("looks-at-pages"):
		c.getOnce(ctx, w.URL)
		return map[string]any{"action": "decline"}, nil
	case w.Mode == "url":
		return map[string]any{"action": "accept"}, nil
	case w.Mode == "" && c.on("wants-mode"):
		return nil, errUnwanted
	case c.on("other-action"):
		return map[string]any{"action": "agree"}, nil
	case c.on("misfills-forms"):
		return map[string]any{"action": "accept", "content": map[string]any{"number": 77}}, nil
	}
	return map[string]any{"action": "accept", "content": w.Schema.filled()}, nil
}

// sample is what a model says that knows one word.
func (c *Client) sample(w wish) (map[string]any, error) {
	result := map[string]any{"role": "assistant", "model": "none", "stopReason": "maxTokens", "content": map[string]any{"type": "text", "text": "mcpcheck"}}
	switch {
	case w.Tools != nil && !c.declares("sampling.tools") && c.on("uses-any-tools"):
		result["content"] = map[string]any{"type": "tool_use", "id": "1", "name": "nothing", "input": map[string]any{}}
	case w.Tools != nil && !c.declares("sampling.tools"):
		return nil, errUnwanted
	case slices.ContainsFunc(w.Messages, said.isToolResult) && !c.on("takes-stray-results"):
		return nil, errUnwanted
	case c.on("talks-much"):
		result["content"] = map[string]any{"type": "text", "text": strings.Repeat("mcpcheck ", 40)}
	case c.on("hides-model"):
		delete(result, "model")
	}
	return result, nil
}

// filled are values for the fields of a form.
func (s schema) filled() map[string]any {
	values := map[string]any{}
	for name, p := range s.Properties {
		switch p.Type {
		case "string":
			values[name] = "mcpcheck"
		case "integer", "number":
			values[name] = 7
		case "boolean":
			values[name] = true
		}
	}
	return values
}

// report tells how far it is, twice.
func (c *Client) report(ctx context.Context, token any) {
	if c.on("invents-token") {
		token = "made-up"
	}
	for n := range 2 {
		response, err := c.post(ctx, "notifications/progress", "", encode(map[string]any{
			"jsonrpc": "2.0", "method": "notifications/progress", "params": map[string]any{"progressToken": token, "progress": n},
		}))
		if err != nil {
			return // the server is gone
		}
		_ = response.Body.Close()
	}
}
