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

// breath is how long the client thinks about an answer: where time stands still, as in tests, what follows an answer would look like what
// went beside it, and whether it hung up before the answer was over would be chance.
const breath = time.Millisecond

// patience is how long the client waits for an answer that does not come, where nobody says how long.
const patience = 10 * time.Second

// A Client connects, lists the tools, calls them, and ends its session. Use Run.
type Client struct {
	// URL is the MCP endpoint.
	URL string
	// HTTP makes the requests; nil means a client of its own.
	HTTP *http.Client
	// Switches make it wrong, each in one way; see Switches.
	Switches []string
	// Timeout is how long it waits for the answer to a call; 0 means ten seconds.
	Timeout time.Duration
	// Declares are what it says that the server may ask it for: roots, sampling, sampling.tools, elicitation and elicitation.url. With tasks
	// it runs those tools as tasks that want it.
	Declares []string
	// Token is what it shows to the server, "" for nothing.
	Token string
	// Calls are the tools that it calls; where none is named it calls each that it finds.
	Calls []string

	ids     atomic.Int64
	tokens  atomic.Int64
	told    atomic.Int64   // how often it was asked for roots that change
	tripped atomic.Bool    // a switch has it stumble
	giveUp  func()         // ends it
	streams sync.WaitGroup // GET streams under way
	answers sync.WaitGroup // answers to the server under way

	mu        sync.Mutex
	session   string // the id of the legacy session
	version   string // what was negotiated
	modern    bool
	sought    bool                          // it has looked for an authorization server
	clock     *time.Timer                   // of a call that progress gives more time; a switch says so
	asked     map[string]context.CancelFunc // what the server waits for, by its id
	link      *link                         // of HTTP+SSE, nil on Streamable HTTP
	tool      *tool                         // the one that is being called
	tasks     bool                          // the server runs calls as tasks
	prompts   bool                          // the server has prompts
	completes bool                          // the server completes arguments
	again     bool                          // the next request has the id of the one before
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
	if c.on("reads-names-by-letter") {
		defer c.readByLetter()()
	}
	ctx, cancel := context.WithCancel(ctx)
	c.giveUp = cancel
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
	if c.on(keepsDeadID) {
		time.Sleep(patience / 50) // so that nobody takes it for one that was on its way
		return c.listAndCall(ctx)
	}
	c.setSession("", "")
	if err := c.connect(ctx); err != nil {
		return err
	}
	return c.listAndCall(ctx)
}

func (c *Client) listAndCall(ctx context.Context) error {
	if err := c.strayInLegacy(ctx); err != nil {
		return err
	}
	if c.modern {
		c.strayInModern(ctx)
	}
	tools, err := c.listTools(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools {
		if len(c.Calls) > 0 && !slices.Contains(c.Calls, t.Name) {
			continue
		}
		if err := c.call(ctx, t); err != nil {
			return err
		}
	}
	if err := c.listPrompts(ctx); err != nil {
		return err
	}
	if err := c.completeArguments(ctx); err != nil {
		return err
	}
	c.pollTools(ctx)
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
		_ = c.listen(ctx) // whatever comes of it
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
	if c.on("cancels-nothing") {
		_ = c.cancel(ctx, "made-up")
	}
	if c.on("listens-oddly") || c.on("listens") {
		filter := map[string]any{"toolsListChanged": true}
		if c.on("listens-oddly") {
			filter["toolsListChanged"] = "yes"
		}
		c.streams.Go(func() { _, _ = c.request(ctx, "subscriptions/listen", map[string]any{"notifications": filter}) })
	}
	if c.on("state-on-lists") {
		_, _ = c.request(ctx, "tools/list", map[string]any{"requestState": "made up"}) // refused
	}
	if c.on("same-token-at-once") {
		c.callTwice(ctx)
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
		Supported    []string `json:"supportedVersions"`
		Capabilities struct {
			Prompts map[string]any `json:"prompts"`
			completions
		} `json:"capabilities"`
	}
	err := c.ask(ctx, "server/discover", map[string]any{}, &found)
	var refused *rpcError
	isError := errors.As(err, &refused)
	if isError && refused.Code == codeHeaderMismatch && !c.on("falls-back-on-anything") {
		// Only a server of this era says that: it is asked again.
		if err = c.ask(ctx, "server/discover", map[string]any{}, &found); err != nil {
			return false, err
		}
	}
	if isError && refused.Code == codeUnsupportedVersion && c.on("tries-2027") {
		c.version = "2027-01-01"
		_, _ = c.request(ctx, "server/discover", map[string]any{}) // whatever comes of it
	}
	c.prompts = found.Capabilities.Prompts != nil
	c.modern = err == nil && slices.Contains(found.Supported, modernRevision)
	c.completes = found.Capabilities.Completions != nil
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case c.modern && c.on("other-version-later"):
		c.version = "2025-11-25"
	case !c.modern && c.on("hangs-at-legacy"):
		<-ctx.Done()
		return false, ctx.Err()
	case !c.modern && c.on("gives-up-after-400") && strings.Contains(fmt.Sprint(err), "HTTP 400"):
		return false, err
	case !c.modern && c.on("gets-after-404") && strings.Contains(fmt.Sprint(err), "-32601"):
		c.getOnce(ctx, "")
	}
	return c.modern, nil
}

// The errors by which a server shows that it is of 2026-07-28.
const (
	codeHeaderMismatch     = -32020
	codeUnsupportedVersion = -32022
)

var (
	errVersion = errors.New("the server answered with a version that the client does not speak")
	errLost    = errors.New("the session is gone")
)

// connect opens a session.
func (c *Client) connect(ctx context.Context) error {
	var result struct {
		ProtocolVersion string `json:"protocolVersion"`
		Capabilities    struct {
			Prompts map[string]any `json:"prompts"`
			Tasks   struct {
				Requests struct {
					Tools struct {
						Call map[string]any `json:"call"`
					} `json:"tools"`
				} `json:"requests"`
			} `json:"tasks"`
			completions
		} `json:"capabilities"`
		ServerInfo struct {
			Icons []icon `json:"icons"`
		} `json:"serverInfo"`
	}
	params := map[string]any{
		"protocolVersion": legacyRevisions[len(legacyRevisions)-1], "capabilities": c.capabilities(),
		"clientInfo": map[string]any{"name": "mcpcheck-reference-client", "version": "1.0.0"},
	}
	c.spoilInitialize(params)
	if c.on("cancels-initialize") {
		id := c.ids.Load() + 1
		time.AfterFunc(patience/50, func() { _ = c.cancel(ctx, id) })
	}
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
	if pointsToOld(err) && c.link == nil {
		if err = c.openLink(ctx); err == nil {
			header, err = c.exchange(ctx, "initialize", params, &result)
		}
	}
	close(answered)
	<-early
	if err != nil {
		if c.on("listens-anyway") {
			c.getOnce(ctx, "")
		}
		return err
	}
	if c.link != nil && c.on("deaf-to-link") || c.on("ends-at-own-version") && result.ProtocolVersion == params["protocolVersion"] {
		return errors.New("it goes no further")
	}
	c.setSession(header.Get("Mcp-Session-Id"), result.ProtocolVersion)
	c.prompts = result.Capabilities.Prompts != nil
	c.completes = result.Capabilities.Completions != nil
	c.tasks = result.Capabilities.Tasks.Requests.Tools.Call != nil
	c.look(ctx, result.ServerInfo.Icons)
	if c.on(inventsID) && header.Get("Mcp-Session-Id") == "" {
		c.setSession(inventedID, result.ProtocolVersion)
	}
	known := slices.Contains(legacyRevisions, result.ProtocolVersion)
	if !known && !c.on(goesOn) {
		return fmt.Errorf("%w: %s", errVersion, result.ProtocolVersion)
	}
	switch {
	case c.on("hasty"):
		c.answers.Go(func() { _ = c.notify(ctx, "notifications/initialized") }) // not waited for
		time.Sleep(patience / 1000)
	case !c.on(noInitialized) && !c.on(lateInitialized):
		if err := c.notify(ctx, "notifications/initialized"); err != nil {
			return err
		}
	}
	return c.listen(ctx)
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
