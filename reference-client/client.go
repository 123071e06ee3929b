// Package refclient is a client of MCP over Streamable HTTP that conforms, in both eras, and that can be made wrong by switches: it proves
// the checks of clients, and is what mcpcheck client checks where no command is named. It imports nothing of ours and reads the
// specification for itself, so that no misreading of the judge hides in it.
package refclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Revisions that the client speaks, oldest first.
var legacyRevisions = []string{"2025-03-26", "2025-06-18", "2025-11-25"}

// withoutVersionHeader are the revisions that came before the header MCP-Protocol-Version.
var withoutVersionHeader = map[string]bool{"2024-11-05": true, "2025-03-26": true}

const modernRevision = "2026-07-28"

// patience is how long the client waits for an answer that does not come.
const patience = 10 * time.Second

// A Client connects, lists the tools, calls them, and ends its session. Use Run.
type Client struct {
	// URL is the MCP endpoint.
	URL string
	// HTTP makes the requests; nil means a client of its own.
	HTTP *http.Client
	// Switches make it wrong, each in one way; see Switches.
	Switches []string
	// Calls are the tools that it calls; where none is named it calls each that it finds.
	Calls []string

	ids     atomic.Int64
	streams sync.WaitGroup // GET streams under way
	answers sync.WaitGroup // answers to the server under way

	mu      sync.Mutex
	session string // the id of the legacy session
	version string // what was negotiated
	modern  bool
}

// Run does what the client is for. An error says why it gave up.
func (c *Client) Run(ctx context.Context) error {
	for _, s := range c.Switches {
		if !slices.ContainsFunc(switches, func(k Switch) bool { return k.Name == s }) {
			return fmt.Errorf("unknown switch %q", s)
		}
	}
	if c.HTTP == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		defer transport.CloseIdleConnections()
		c.HTTP = &http.Client{Transport: transport}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer c.answers.Wait()
	defer c.streams.Wait()
	defer cancel()
	spoken, err := c.discover(ctx)
	if err != nil {
		return err
	}
	if spoken {
		return c.use(ctx)
	}
	err = c.connect(ctx)
	if errors.Is(err, errVersion) && c.on(goesOn) {
		err = nil
	}
	if err != nil {
		return err
	}
	err = c.use(ctx)
	if !c.on(noDelete) {
		err = errors.Join(err, c.delete(ctx))
	}
	return err
}

// use lists the tools and calls them. A session that is lost is begun anew, once.
func (c *Client) use(ctx context.Context) error {
	err := c.listAndCall(ctx)
	if !errors.Is(err, errLost) {
		return err
	}
	if !c.on(keepsDeadID) {
		c.setSession("", "")
		if err := c.connect(ctx); err != nil {
			return err
		}
	}
	return c.listAndCall(ctx)
}

func (c *Client) listAndCall(ctx context.Context) error {
	if c.on(callsUndeclared) {
		if _, err := c.request(ctx, "resources/list", map[string]any{}); err != nil && errors.Is(err, errLost) {
			return err
		}
	}
	if c.modern {
		c.strayInModern(ctx)
	}
	var names []string
	params := map[string]any{}
	for {
		var page struct {
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
			NextCursor *string `json:"nextCursor"`
		}
		if err := c.ask(ctx, "tools/list", params, &page); err != nil {
			return err
		}
		for _, t := range page.Tools {
			names = append(names, t.Name)
		}
		if c.on(lateInitialized) && !c.modern && params["cursor"] == nil {
			if err := c.notify(ctx, "notifications/initialized"); err != nil {
				return err
			}
		}
		if page.NextCursor == nil {
			break
		}
		params = map[string]any{"cursor": *page.NextCursor}
	}
	for _, name := range names {
		if len(c.Calls) > 0 && !slices.Contains(c.Calls, name) {
			continue
		}
		if err := c.ask(ctx, "tools/call", map[string]any{"name": name, "arguments": map[string]any{}}, nil); err != nil {
			return err
		}
	}
	if c.on(saysGoodbye) {
		_, err := c.request(ctx, "shutdown", nil)
		if errors.Is(err, errLost) {
			return err
		}
	}
	return nil
}

// strayInModern does what has no place in 2026-07-28, where a switch says so.
func (c *Client) strayInModern(ctx context.Context) {
	if c.on(getsInModern) {
		c.listen(ctx)
	}
	if c.on(notifiesWithID) {
		message := map[string]any{"jsonrpc": "2.0", "id": c.nextID(), "method": "notifications/mcpcheck", "params": c.withMeta(nil)}
		response, err := c.post(ctx, "notifications/mcpcheck", "", encode(message))
		if err == nil {
			_ = response.Body.Close()
		}
	}
	if c.on("responds") {
		response, err := c.post(ctx, "", "", encode(map[string]any{"jsonrpc": "2.0", "id": 7, "result": map[string]any{}}))
		if err == nil {
			_ = response.Body.Close()
		}
	}
	if c.on(sameIDAtOnce) {
		n := c.ids.Load()
		for range 2 {
			c.streams.Go(func() {
				message := map[string]any{"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": c.withMeta(map[string]any{"name": "mcpcheck_echo"})}
				response, err := c.post(ctx, "tools/call", "mcpcheck_echo", encode(message))
				if err == nil {
					_ = response.Body.Close()
				}
			})
		}
	}
}

// discover finds out whether the server speaks 2026-07-28. Whatever a server of the other era answers is no.
func (c *Client) discover(ctx context.Context) (bool, error) {
	c.modern = true
	var found struct {
		Supported []string `json:"supportedVersions"`
	}
	err := c.ask(ctx, "server/discover", map[string]any{}, &found)
	c.modern = err == nil && slices.Contains(found.Supported, modernRevision)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	return c.modern, nil
}

var (
	errVersion = errors.New("the server answered with a version that the client does not speak")
	errLost    = errors.New("the session is gone")
)

// connect opens a session.
func (c *Client) connect(ctx context.Context) error {
	var result struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	params := map[string]any{
		"protocolVersion": legacyRevisions[len(legacyRevisions)-1], "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "mcpcheck-reference-client", "version": "1.0.0"},
	}
	c.spoilInitialize(params)
	if c.on(listFirst) {
		_, _ = c.request(ctx, "tools/list", map[string]any{}) // whatever comes of it
	}
	answered, early := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(early)
		select {
		case <-answered:
		case <-time.After(patience / 50):
			if c.on(listEarly) {
				_, _ = c.request(ctx, "tools/list", map[string]any{}) // whatever comes of it
			}
		}
	}()
	header, err := c.exchange(ctx, "initialize", params, &result)
	close(answered)
	<-early
	if err != nil {
		return err
	}
	c.setSession(header.Get("Mcp-Session-Id"), result.ProtocolVersion)
	if c.on(inventsID) && header.Get("Mcp-Session-Id") == "" {
		c.setSession(inventedID, result.ProtocolVersion)
	}
	known := slices.Contains(legacyRevisions, result.ProtocolVersion)
	if !known && !c.on(goesOn) {
		return fmt.Errorf("%w: %s", errVersion, result.ProtocolVersion)
	}
	if !c.on(noInitialized) && !c.on(lateInitialized) {
		if err := c.notify(ctx, "notifications/initialized"); err != nil {
			return err
		}
	}
	c.listen(ctx)
	return nil
}

func (c *Client) setSession(id, version string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session, c.version = id, version
}

func (c *Client) state() (session, version string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session, c.version
}

func (c *Client) on(s string) bool { return slices.Contains(c.Switches, s) }

// ask sends a request and reads its result.
func (c *Client) ask(ctx context.Context, method string, params map[string]any, into any) error {
	_, err := c.exchange(ctx, method, params, into)
	return err
}

// plainASCII tells that a header can carry a value as it is.
func plainASCII(s string) bool {
	for _, b := range []byte(s) {
		if b < 0x20 || b > 0x7e {
			return false
		}
	}
	return s == strings.TrimSpace(s) && !strings.HasPrefix(s, "=?base64?")
}
