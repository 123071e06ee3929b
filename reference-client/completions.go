package refclient

import (
	"context"
	"errors"
)

// completeArguments completes the arguments of the prompts of a server that does so, one after the other: each with those that are chosen.
func (c *Client) completeArguments(ctx context.Context) error {
	if !c.completes {
		return nil
	}
	var list struct {
		Prompts []struct {
			Name      string `json:"name"`
			Arguments []struct {
				Name string `json:"name"`
			} `json:"arguments"`
		} `json:"prompts"`
	}
	if err := c.ask(ctx, "prompts/list", map[string]any{}, &list); err != nil {
		return lost(err)
	}
	for _, p := range list.Prompts {
		chosen := map[string]string{}
		for _, a := range p.Arguments {
			params := map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": p.Name}, "argument": map[string]any{"name": a.Name, "value": "a"}}
			switch {
			case len(chosen) == 0 || c.on("completes-at-once"):
			case c.on("odd-context"):
				params["context"] = map[string]any{"arguments": []any{"a"}}
			default:
				params["context"] = map[string]any{"arguments": chosen}
			}
			var found struct {
				Completion struct {
					Values []string `json:"values"`
				} `json:"completion"`
			}
			if err := c.ask(ctx, "completion/complete", params, &found); lost(err) != nil {
				return err
			}
			for _, value := range found.Completion.Values[:min(1, len(found.Completion.Values))] {
				chosen[a.Name] = value
			}
		}
	}
	return nil
}

// lost keeps the one error that ends more than what it came to.
func lost(err error) error {
	if errors.Is(err, errLost) {
		return err
	}
	return nil
}

// completions are declared by a server that completes arguments.
type completions struct {
	Completions map[string]any `json:"completions"`
}
