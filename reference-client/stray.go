package refclient

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// strayInLegacy does what has no place in a session, where a switch says so.
func (c *Client) strayInLegacy(ctx context.Context) error {
	send := func(on, method string, params map[string]any) error {
		if !c.on(on) {
			return nil
		}
		if _, err := c.request(ctx, method, params); errors.Is(err, errLost) {
			return err
		}
		return nil // that it is refused is no surprise
	}
	err := send(callsUndeclared, "resources/list", map[string]any{})
	if !c.prompts {
		err = errors.Join(err, send("lists-prompts", "prompts/list", map[string]any{}))
	}
	if c.modern {
		err = errors.Join(err, send("calls-extension", "mcpcheck-extension/do", map[string]any{}))
		return err
	}
	if c.on("probes-each-time") {
		for range 3 {
			c.modern = true
			_, _ = c.request(ctx, "server/discover", map[string]any{}) // refused as before
			c.modern = false
		}
	}
	err = errors.Join(err, send("lists-tasks", "tasks/list", map[string]any{}), send("loud-in-legacy", "logging/setLevel", map[string]any{"level": "loud"}))
	if c.on("calls-as-task") {
		err = errors.Join(err, send("calls-as-task", "tools/call", map[string]any{"name": "mcpcheck_echo", "task": map[string]any{}}))
		_ = c.cancel(ctx, c.ids.Load()) // nobody waits for it any more
	}
	if c.on("cancels-nothing") {
		_ = c.cancel(ctx, "made-up")
	}
	if c.on("same-token-at-once") {
		c.callTwice(ctx)
	}
	return err
}

// callTwice calls a tool twice at once.
func (c *Client) callTwice(ctx context.Context) {
	for range 2 {
		c.streams.Go(func() {
			_, _ = c.request(ctx, "tools/call", map[string]any{"name": "mcpcheck_echo", "_meta": map[string]any{"progressToken": "same"}})
		})
	}
	time.Sleep(patience / 1000)
}

// cancel cancels a request, or says so.
func (c *Client) cancel(ctx context.Context, id any) error {
	response, err := c.post(ctx, "notifications/cancelled", "", encode(map[string]any{
		"jsonrpc": "2.0", "method": "notifications/cancelled", "params": c.addressed(map[string]any{"requestId": id}),
	}))
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// addressed adds what params of 2026-07-28 have.
func (c *Client) addressed(params map[string]any) map[string]any {
	if c.modern {
		return c.withMeta(params)
	}
	return params
}

// getOnce fetches an address, or the endpoint where it is "".
func (c *Client) getOnce(ctx context.Context, address string) {
	if address == "" {
		address = c.URL
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return
	}
	r.Header.Set("Accept", "text/event-stream")
	if strings.Contains(address, "/icons/") {
		r.Header.Set("Cookie", "a=b")
	}
	do := c.HTTP.Do
	if address == c.URL {
		do = c.do // nobody else sees the token
	}
	if response, err := do(r); err == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<10)) // nobody looks at it
		_ = response.Body.Close()
	}
}
