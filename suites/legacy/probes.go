package legacy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// Conversations that hold the probes of several areas: see c.Unrelated.

// oddRequests are harmless requests with something in them that not every client sends.
var oddRequests = kit.NewScript("jsonrpc/odd-requests", kit.Shared, func(c *kit.C) {
	unknown := client.WithParams(map[string]any{"mcpcheckUnknown": true})
	steps := []func(){
		func() { c.Safe("unknown member", unknown) },
		func() {
			id := c.Client().NextID()
			c.List("control list", client.WithID(id))
			c.Safe("second use of an id", client.WithID(id), c.Client().GiveUpSoon(), client.Broken("with an id that was used before"))
		},
		func() { c.Safe("meta", client.WithMeta(map[string]any{"com.example.mcpcheck/x": 1})) },
		func() {
			c.Safe("null id", client.WithID(nil), c.Client().GiveUpSoon(), client.Broken("with the id null"))
		},
		func() { c.Call("ping with params", pingMethod, client.WithParams(map[string]any{})) },
		func() { c.Safe("string token", client.WithMeta(map[string]any{"progressToken": "mcpcheck-token"})) },
		func() { c.Safe("integer token", client.WithMeta(map[string]any{"progressToken": 0})) },
	}
	for _, id := range ids {
		steps = append(steps, func() { c.Safe(id.label, client.WithID(id.value)) })
	}
	steps = append(steps, func() {
		c.Post(idLast, fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"_meta":{"id":"mcpcheck-inner"}},"id":%d}`, c.Facts.Safe, c.Client().NextID()))
	})
	if c.Facts.List != "" {
		steps = append(steps, func() { c.List("unknown member in list", unknown) })
	}
	if c.Facts.Safe != pingMethod {
		// Otherwise the inventory has seen it served.
		steps = append(steps, func() { c.Call("ping", pingMethod) })
	}
	c.SafeControl("control")
	c.Unrelated(steps...)
	c.Safe("control after")
})

const incompleteLabel = "incomplete call"

// wrongParams are requests for what is not there, and without what is required: each is refused, and none ends a session. What a tool really
// does is not safe to ask for, so that the list is the control.
var wrongParams = kit.NewScript("jsonrpc/wrong-params", kit.Shared, func(c *kit.C) {
	control := cmp.Or(c.Facts.List, c.Facts.Safe)
	var steps []func()
	tools := c.Facts.Capability("tools") == kit.Yes
	if tools {
		control = "tools/list"
		steps = append(steps, func() {
			unknown := map[string]any{"name": c.BogusName(), "arguments": struct{}{}}
			resume(c, c.Call("unknown tool", "tools/call", client.WithParams(unknown), client.Broken("a call of a tool that does not exist")))
		})
		if call, argument, ok := c.IncompleteCall(); ok {
			steps = append(steps, func() {
				without := client.Broken("a call without the argument " + kit.Quote([]byte(argument)) + ", which its schema requires")
				resume(c, c.CallTool(incompleteLabel, call, without))
			})
		}
	}
	if method, ok := methodWithParams(c.Facts); ok {
		steps = append(steps, func() {
			c.Call("without params", method, client.WithParams(map[string]any{}), client.Broken("without a parameter that it requires"))
		})
	}
	if c.Facts.List != "" {
		steps = append(steps, func() {
			c.List("cursor 5", client.WithParams(map[string]any{"cursor": 5}), client.Broken("with a cursor that is a number"))
		})
	}
	c.Control("control", control)
	c.Unrelated(steps...)
	c.Call("control after", control)
	if tools {
		malformed := map[string]any{"name": c.BogusName(), "arguments": "x"}
		resume(c, c.Call("malformed call", "tools/call", client.WithParams(malformed), client.Broken("a call with arguments that are no object")))
		c.Call("control at last", control)
	}
})

// requestForms are harmless requests under headers that not every client sends: each may be refused, and none ends a session.
var requestForms = kit.NewScript("transport/request-forms", kit.Shared, func(c *kit.C) {
	var steps []func()
	safe := func(label string, options ...client.Option) {
		steps = append(steps, func() { c.Safe(label, options...) })
	}
	for _, f := range slices.Concat(acceptForms, acceptVariants) {
		safe(f.label, f.options...)
	}
	safe("two lines", client.WithAccept("application/json"), client.AddHeader("Accept", "text/event-stream"),
		client.Broken("with the types on two lines"))
	safe("text/plain", client.WithHeader("Content-Type", "text/plain"), client.Broken("as text/plain"))
	safe("charset", client.WithHeader("Content-Type", "application/json; charset=utf-8"), client.Broken("with a charset parameter"))
	if id := c.Session().ID(); id != "" {
		for _, name := range sessionHeaders {
			safe(name, client.WithHeader(name, id))
		}
	}
	// Real clients accept gzip; mcpcheck does not, so that bodies are seen as they are. A list is long enough to be worth it.
	steps = append(steps, func() {
		c.List("gzip", client.WithHeader("Accept-Encoding", "gzip"), client.GiveUp(max(notePatience, c.Client().Soon())), client.Broken("accepting gzip"))
	})
	// PUT means to change something: only on this machine.
	if c.Environment.Loopback {
		steps = append(steps, func() { c.Do("put", "PUT", []byte("{}"), client.Broken("with a method that MCP does not use")) })
	}
	c.SafeControl("control")
	c.Unrelated(steps...)
	c.Safe("control after")
})

// ids are the request ids that every server has to send back unchanged. Positive integers are in all other requests.
var ids = []struct {
	label string
	value any
}{
	{"zero", 0},
	{"negative", -3},
	{"string", "mcpcheck-a"},
	{"numeric string", "7"},
	{"non-ASCII", "mcpcheck-äö-日本"},
	{"largest safe integer", json.RawMessage("9007199254740991")},
}

// idLast is a request whose id follows its params, in which another id stands: some servers take the first that they find.
const idLast = "id behind params"

// methodWithParams is the first method of a declared feature that requires a parameter.
func methodWithParams(f *kit.Facts) (string, bool) {
	for _, m := range []struct{ capability, method string }{
		{"tools", "tools/call"}, {"prompts", "prompts/get"}, {"resources", "resources/read"},
		{"completions", "completion/complete"}, {"logging", "logging/setLevel"},
	} {
		if f.Capability(m.capability) == kit.Yes {
			return m.method, true
		}
	}
	return "", false
}

// acceptForms list both types, which obliges the server to serve them.
var acceptForms = []struct {
	label   string
	options []client.Option
}{
	{"other order", []client.Option{client.WithAccept("text/event-stream, application/json"), client.Broken("with the types in another order")}},
	{"with q-values", []client.Option{client.WithAccept("application/json;q=0.9, text/event-stream;q=0.8, */*;q=0.1"), client.Broken("with q-values in Accept")}},
}

// acceptVariants are the Accept headers that lack a type which clients must list.
var acceptVariants = []struct {
	label   string
	options []client.Option
}{
	{"no Accept", []client.Option{client.WithoutHeader("Accept"), client.Broken("without Accept")}},
	{"JSON only", []client.Option{client.WithAccept("application/json"), client.Broken("accepting JSON only")}},
	{"SSE only", []client.Option{client.WithAccept("text/event-stream"), client.Broken("accepting event streams only")}},
	{"wildcard", []client.Option{client.WithAccept("*/*"), client.Broken("with Accept: */*")}},
}

const pingMethod = "ping"

// sessionHeaders are spellings of one name beside Mcp-Session-Id, which all other requests have: what HTTP/2 makes of it, and some proxies.
var sessionHeaders = []string{"mcp-session-id", "MCP-SESSION-ID"}
