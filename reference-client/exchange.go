package refclient

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"strings"
	"time"
)

// An rpcError is the server's refusal of a request.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return fmt.Sprintf("error %d: %s", e.Code, e.Message) }

// incoming is a message of the server, as far as the client reads it.
type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
}

// exchange sends a request, waits for its response, and decodes the result. What does not come in time is cancelled.
func (c *Client) exchange(ctx context.Context, method string, params map[string]any, into any) (http.Header, error) {
	id := c.nextID()
	limited, cancel := c.limit(ctx, method, id)
	defer cancel()
	header, err := c.send(limited, id, method, params, into)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return header, c.timeOut(ctx, method, id)
	}
	return header, err
}

func (c *Client) send(ctx context.Context, id any, method string, params map[string]any, into any) (http.Header, error) {
	message := map[string]any{"jsonrpc": "2.0", "id": id, "method": method}
	if c.modern {
		params = c.withMeta(params)
	}
	if params != nil {
		message["params"] = params
	}
	c.spoilRequest(message)
	wanted := encode(message["id"])
	if c.link != nil {
		return http.Header{}, c.overLink(ctx, method, c.body(message), wanted, into)
	}
	body := c.body(message)
	response, err := c.post(ctx, method, nameIn(method, params), body)
	if err != nil {
		time.Sleep(breath)
		return nil, err
	}
	defer response.Body.Close()
	answer, err := c.read(ctx, response, wanted)
	time.Sleep(breath)
	if errors.Is(err, errBroken) && c.on("reissues-with-same-id") {
		if again, err := c.post(ctx, method, nameIn(method, params), body); err == nil {
			_ = again.Body.Close()
		}
	}
	if err == nil && answer.Error == nil && c.modern && !knownType(answer.Result) && !c.on("takes-any-type") {
		return response.Header, fmt.Errorf("%s: %w", method, errUnknownType)
	}
	switch {
	case err != nil:
		return response.Header, fmt.Errorf("%s: %w", method, err)
	case answer.Error != nil:
		return response.Header, fmt.Errorf("%s: %w", method, answer.Error)
	case into == nil:
		return response.Header, nil
	}
	if err := json.Unmarshal(answer.Result, into); err != nil {
		return response.Header, fmt.Errorf("%s: reading the result: %w", method, err)
	}
	return response.Header, nil
}

// request is exchange for those who do not want the result.
func (c *Client) request(ctx context.Context, method string, params map[string]any) (http.Header, error) {
	return c.exchange(ctx, method, params, nil)
}

// notify sends a notification.
func (c *Client) notify(ctx context.Context, method string) error {
	message := map[string]any{"jsonrpc": "2.0", "method": method}
	c.spoilNotification(message)
	response, err := c.post(ctx, method, "", c.body(message))
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// read finds the response to a request: the JSON body, or what the stream brings; other messages of the server are dealt with on the way.
func (c *Client) read(ctx context.Context, response *http.Response, id []byte) (incoming, error) {
	if session, _ := c.state(); response.StatusCode == http.StatusNotFound && session != "" && !c.modern {
		return incoming{}, errLost
	}
	media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if media == "text/event-stream" {
		if c.on("needs-plain-type") && response.Header.Get("Content-Type") != "text/event-stream" {
			return incoming{}, errors.New("no event stream")
		}
		return c.follow(ctx, response.Body, id)
	}
	var answer incoming
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return answer, err
	}
	if err := json.Unmarshal(unwrap(body), &answer); err != nil || answer.Result == nil && answer.Error == nil {
		if response.StatusCode == http.StatusOK && c.on("hangs-at-pages") {
			<-ctx.Done()
		}
		return answer, fmt.Errorf("HTTP %d and no response", response.StatusCode)
	}
	return answer, nil
}

// unwrap takes a response out of the array in which it comes where the request came in one.
func unwrap(body []byte) []byte {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) == 1 {
		return list[0]
	}
	return body
}

// messagesIn reads the data of an event: a message, or an array of some.
func (c *Client) messagesIn(data string) []incoming {
	var one incoming
	if data != "" && json.Unmarshal([]byte(data), &one) == nil {
		return []incoming{one}
	}
	var several []incoming
	if c.on("deaf-to-batches") || json.Unmarshal([]byte(data), &several) != nil {
		return nil
	}
	return several
}

// take deals with a message of the server that answers nothing.
func (c *Client) take(ctx context.Context, m incoming) {
	ctx = context.WithoutCancel(ctx)
	switch {
	case m.Method != "" && m.ID != nil && !c.modern:
		c.answerLater(ctx, m)
	case m.Method == "notifications/cancelled" && c.on("trips-over-cancelled"):
		c.tripped.Store(true)
	case m.Method == "notifications/cancelled":
		c.stop(m)
	case m.Method == "notifications/progress":
		c.progressed()
	case strings.HasPrefix(m.Method, "notifications/mcpcheck") && c.on("trips-over-unknown"),
		m.Method == "notifications/elicitation/complete" && c.on("trips-over-unknown-complete"):
		c.tripped.Store(true)
	case m.Method != "" && m.ID == nil && c.on(answersNotifications):
		c.answers.Go(func() { c.answer(ctx, incoming{ID: json.RawMessage(`"made-up"`), Method: "ping"}) })
	}
}

// answerLater answers a request of the server beside what else is done, unless it is cancelled first.
func (c *Client) answerLater(ctx context.Context, m incoming) {
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	if c.asked == nil {
		c.asked = map[string]context.CancelFunc{}
	}
	c.asked[string(m.ID)] = cancel
	c.mu.Unlock()
	c.answers.Go(func() {
		defer cancel()
		c.answer(ctx, m)
	})
}

// stop ends what the server does not wait for any more.
func (c *Client) stop(m incoming) {
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(m.Params, &params) // what names nothing stops nothing
	c.mu.Lock()
	cancel := c.asked[string(params.RequestID)]
	c.mu.Unlock()
	if cancel != nil && !c.on("answers-cancelled") {
		cancel()
	}
}

// answer answers a request of the server; ctx ends where that is not wanted any more.
func (c *Client) answer(ctx context.Context, m incoming) {
	response := map[string]any{"jsonrpc": "2.0", "id": m.ID}
	switch {
	case m.Method == "ping":
		response["result"] = map[string]any{}
	case m.Method == "roots/list" && c.declares("roots"):
		c.changeRoots(ctx)
		response["result"] = c.roots()
	case m.Method == "sampling/createMessage" && c.declares("sampling"), m.Method == "elicitation/create" && c.declares("elicitation"):
		response = c.askedFor(ctx, m)
	case m.Method == "roots/list" && c.on("answers-undeclared"):
		response["result"] = map[string]any{"roots": []any{map[string]any{"uri": "file:///tmp"}}}
	case m.Method == "sampling/createMessage" && c.on("answers-undeclared"):
		response["result"] = map[string]any{"role": "assistant", "model": "none", "content": map[string]any{"type": "text", "text": "mcpcheck"}}
	case m.Method == "elicitation/create" && c.on("answers-undeclared"):
		response["result"] = map[string]any{"action": "accept", "content": map[string]any{}}
	default:
		response["error"] = map[string]any{"code": -32601, "message": "the client does not know this method"}
	}
	if ctx.Err() != nil || !c.spoilResponse(m.Method, response) {
		return
	}
	// An answer that is on its way arrives as a whole, whatever is cancelled now.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	sent, err := c.post(ctx, "", "", c.body(response))
	if err != nil {
		return // a server that is gone waits for nothing
	}
	_ = sent.Body.Close()
}

// post sends one body to the endpoint.
func (c *Client) post(ctx context.Context, method, name string, body []byte) (*http.Response, error) {
	address := c.URL
	if c.link != nil {
		address = c.link.endpoint
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	c.address(r, method, name)
	c.spoilHeader(r, method)
	return c.do(r)
}

// address sets the header fields that say what a request belongs to.
func (c *Client) address(r *http.Request, method, name string) {
	if c.link != nil {
		return // the endpoint says all that
	}
	if c.modern {
		r.Header.Set("MCP-Protocol-Version", c.modernVersion())
		if method == "tools/call" {
			c.paramHeaders(r)
		}
		if method != "" {
			r.Header.Set("Mcp-Method", method)
		}
		if name != "" && plainASCII(name) {
			r.Header.Set("Mcp-Name", name)
		} else if name != "" {
			r.Header.Set("Mcp-Name", base64Form(name))
		}
		return
	}
	session, version := c.state()
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	if version != "" && !withoutVersionHeader[version] {
		r.Header.Set("MCP-Protocol-Version", version)
	}
}

// delete ends the session, if there is one.
func (c *Client) delete(ctx context.Context) error {
	session, _ := c.state()
	if session == "" || session == inventedID {
		return nil
	}
	c.answers.Wait() // they belong to the session
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, c.URL, nil)
	if err != nil {
		return err
	}
	c.address(r, "", "")
	c.spoilHeader(r, "")
	response, err := c.do(r)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// withMeta adds what every request of 2026-07-28 says of itself.
func (c *Client) withMeta(params map[string]any) map[string]any {
	all := map[string]any{}
	for k, v := range params {
		all[k] = v
	}
	meta := map[string]any{
		"io.modelcontextprotocol/protocolVersion":    c.modernVersion(),
		"io.modelcontextprotocol/clientCapabilities": c.capabilities(),
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "mcpcheck-reference-client", "version": "1.0.0"},
		"io.modelcontextprotocol/logLevel":           "info",
	}
	if c.on("undeclares-later") && params["name"] == nil {
		meta["io.modelcontextprotocol/clientCapabilities"] = map[string]any{}
	}
	if c.on("undeclares-roots-later") && params["name"] == nil {
		meta["io.modelcontextprotocol/clientCapabilities"] = map[string]any{}
	}
	if own, ok := params["_meta"].(map[string]any); ok {
		maps.Copy(meta, own)
	}
	if c.on("loud-in-modern") && params["name"] != nil {
		meta["io.modelcontextprotocol/logLevel"] = "loud"
	}
	c.spoilMeta(meta)
	all["_meta"] = meta
	return all
}

// modernVersion is what requests of 2026-07-28 name.
func (c *Client) modernVersion() string {
	if _, version := c.state(); version != "" {
		return version // a switch says so
	}
	return modernRevision
}

// capabilities are what the client declares.
func (c *Client) capabilities() map[string]any {
	all := map[string]any{}
	if c.declares("roots") {
		all["roots"] = map[string]any{}
		if c.declares("roots.listChanged") && !c.modern {
			all["roots"] = map[string]any{"listChanged": true}
		}
	}
	if c.declares("sampling") {
		can := map[string]any{}
		if c.declares("sampling.tools") {
			can["tools"] = map[string]any{}
		}
		all["sampling"] = can
	}
	if c.declares("tasks") && !c.modern {
		all["tasks"] = map[string]any{}
	}
	if c.declares("elicitation") {
		can := map[string]any{}
		if c.declares("elicitation.url") {
			can["form"], can["url"] = map[string]any{}, map[string]any{}
		}
		all["elicitation"] = can
	}
	if c.on("bare-extension") && c.modern {
		all["extensions"] = map[string]any{"bare": map[string]any{}}
	}
	return all
}

// knownType tells that a result is of a type that the client knows, or of none.
func knownType(result json.RawMessage) bool {
	var r struct {
		ResultType *string `json:"resultType"`
	}
	return json.Unmarshal(result, &r) != nil || r.ResultType == nil || *r.ResultType == "complete" || *r.ResultType == "input_required"
}

// base64Form is how a header carries what it cannot carry as it is.
func base64Form(text string) string {
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// nameIn is what Mcp-Name repeats of the params of a method.
func nameIn(method string, params map[string]any) string {
	if method != "tools/call" {
		return ""
	}
	name, _ := params["name"].(string)
	return name
}

func encode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Errorf("refclient: encoding a message: %w", err)) // made of maps and strings
	}
	return raw
}
