package refclient

import (
	"context"
	"errors"
)

// listPrompts reads all pages of the prompts, where the server has some. That one cannot be had keeps the client from nothing else.
func (c *Client) listPrompts(ctx context.Context) error {
	params := map[string]any{}
	for c.prompts {
		var page struct {
			NextCursor *string `json:"nextCursor"`
		}
		err := c.ask(ctx, "prompts/list", params, &page)
		if errors.Is(err, errLost) {
			return err
		}
		if err != nil || page.NextCursor == nil || c.on("reads-one-page-of-prompts") {
			return nil
		}
		params = map[string]any{"cursor": *page.NextCursor}
	}
	return nil
}
