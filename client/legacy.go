package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/wire"
)

// Legacy is the dialect of the revisions with an initialize handshake, which may open a session.
type Legacy struct {
	// HasVersionHeader tells whether the requests of a session that negotiated this version carry MCP-Protocol-Version; nil: none does.
	HasVersionHeader func(negotiated string) bool
}

func (Legacy) open(c *Conversation, opts []Option) bool {
	if c.script.Transport == "http-sse" && !c.openInbox("stream", c.client.config.Timeout) {
		return false
	}
	c.Initialize("initialize", c.script.Revision, opts...)
	if !c.Session().Opened() {
		return false
	}
	c.Notify("initialized", "notifications/initialized")
	return true
}

// fill: initialize names the revision of the script, unless it says otherwise.
func (Legacy) fill(o *outgoing, c *Conversation) {
	if o.method == "initialize" && o.params == nil {
		o.params = c.initializeParams(c.script.Revision, o.capabilities)
	}
}

func (d Legacy) header(o *outgoing, c *Conversation, h http.Header) {
	if o.rpc && o.method == "initialize" {
		return
	}
	session := c.Session().Info()
	if session.ID != "" && sendable(session.ID) && !o.noSession {
		h["Mcp-Session-Id"] = []string{session.ID}
	}
	if d.sendsVersion(session.Negotiated) && !o.noVersion {
		h["MCP-Protocol-Version"] = []string{session.Negotiated}
	}
}

func (d Legacy) sendsVersion(negotiated string) bool {
	return d.HasVersionHeader != nil && d.HasVersionHeader(negotiated)
}

func (Legacy) answers() bool { return true }

// Initialize sends only the request. The conversation goes on in the session it opens if it has none yet and the label is
// "initialize"; any other session it opens is deleted by Finish.
func (c *Conversation) Initialize(label, revision string, opts ...Option) *wire.Exchange {
	o := c.call(label, "initialize")
	set := func(o *outgoing) {
		if o.params == nil {
			o.params = c.initializeParams(revision, o.capabilities)
		}
	}
	x := c.send(o, slices.Concat(c.client.opening(revision), opts, []Option{set}))
	answer, ok := x.Answer()
	if !ok || answer.Kind != wire.KindResult {
		return x
	}
	info := wire.SessionInfo{Opened: true}
	if ids := x.ResponseSession(); len(ids) > 0 {
		info.ID = ids[0]
	}
	_ = answer.Decode("/result/protocolVersion", &info.Negotiated)
	if c.script.Dialect.sendsVersion(info.Negotiated) {
		c.client.ledger.see(info.ID, x.Request.URL, info.Negotiated)
	}
	if label != "initialize" || c.Session().Opened() {
		return x
	}
	c.mu.Lock()
	c.session = &Session{info: info}
	c.mu.Unlock()
	return x
}

func (c *Conversation) initializeParams(revision string, capabilities any) json.RawMessage {
	if capabilities == nil {
		capabilities = struct{}{}
	}
	return json.RawMessage(fmt.Sprintf(`{"protocolVersion":%s,"capabilities":%s,"clientInfo":%s}`,
		rawJSON("revision", revision), rawJSON("capabilities", capabilities), rawJSON("clientInfo", c.client.info())))
}

// An RPCError is an error object to answer a request of the server with.
type RPCError struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Respond answers a request of the server: with a result, or with an error where that is an *RPCError. A nil result is {}.
func (c *Conversation) Respond(label string, id json.RawMessage, result any, opts ...Option) *wire.Exchange {
	return c.send(outgoing{label: label, httpMethod: http.MethodPost, body: response(id, result), urgent: true}, opts)
}

func response(id json.RawMessage, result any) []byte {
	member := "result"
	switch r := result.(type) {
	case nil:
		result = struct{}{}
	case *RPCError:
		member, result = "error", r
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,%q:%s}`, id, member, rawJSON(member, result))
}

// maxAnswers bounds the requests of the server that one conversation answers by itself.
const maxAnswers = 200

// asked handles a request of the server on a stream of this conversation. Where the era has no such requests they are recorded only.
func (c *Conversation) asked(f *flight, m wire.Message) {
	c.mu.Lock()
	hook := c.onRequest
	if m.Method == "ping" && c.ignorePings {
		c.mu.Unlock()
		return
	}
	if !c.script.Dialect.answers() || c.ending || c.answers >= maxAnswers || !c.client.begin() {
		c.mu.Unlock()
		return
	}
	c.answers++
	origin := wire.Origin{Kind: wire.FromAnswer, Number: c.answers}
	c.flights.Add(1)
	c.mu.Unlock()
	go func() {
		defer c.flights.Done()
		defer c.client.flying.Done()
		var result any
		if m.Method != "ping" {
			handled := false
			if hook != nil {
				result, handled = hook(m)
			}
			if handled && result == nil {
				return
			}
			if !handled {
				result = &RPCError{Code: -32601, Message: "Method not found"}
			}
		}
		c.Respond(origin.Label(), m.ID, result, From(origin))
	}()
}
