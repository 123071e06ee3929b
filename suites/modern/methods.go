package modern

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// The methods that the revision dropped, with params that could change nothing.
var removed = []struct {
	method string
	params any
}{
	{"ping", nil},
	{"logging/setLevel", map[string]any{"level": "mcpcheck-loud"}},
	{"resources/unsubscribe", map[string]any{"uri": "mcpcheck://no-such-resource"}},
}

// undeclared are requests of features, sent where those are not declared.
var undeclared = []struct {
	capability, method string
	params             any
}{
	{"tools", "tools/list", nil},
	{"prompts", "prompts/list", nil},
	{"resources", "resources/list", nil},
	{"completions", "completion/complete", map[string]any{
		"ref": map[string]any{"type": "ref/prompt", "name": "mcpcheck-no-such-prompt"}, "argument": map[string]any{"name": "a", "value": ""},
	}},
}

// readMethod reads a resource, getMethod gets a prompt.
const (
	readMethod = "resources/read"
	getMethod  = "prompts/get"
)

const unknownMethod = "mcpcheck/no-such-method"

const expectedNotFound = "HTTP 404 with JSON-RPC error -32601"

// methodsProbe asks for methods that the server has no reason to serve.
var methodsProbe = kit.NewScript("modern.transport/methods", kit.Shared, func(c *kit.C) {
	var steps []func()
	ask := func(label, method string, options ...client.Option) {
		steps = append(steps, func() { c.Call(label, method, options...) })
	}
	ask("unknown method", unknownMethod, client.Broken("of a method that no server has"))
	ask("another unknown method", unknownMethod+"-either", client.Broken("of a method that no server has"))
	for _, r := range removed {
		var params client.Option
		if r.params != nil {
			params = client.WithParams(r.params)
		}
		ask(r.method, r.method, params, client.Broken("of a method that the revision dropped"))
	}
	for _, u := range undeclared {
		if c.Facts.Capability(u.capability) == kit.No {
			var params client.Option
			genuine, completable := c.Facts.Completable()
			switch {
			case u.capability == "completions" && completable:
				params = client.WithParams(genuine)
			case u.params != nil:
				params = client.WithParams(u.params)
			}
			ask("undeclared "+u.method, u.method, params, client.Broken("of a feature that is not declared"))
		}
	}
	c.SafeControl("control")
	c.Unrelated(steps...)
	c.Safe("control after")
}, kit.Foreign())

// notifyProbe sends what wants no answer and means nothing to the server: notifications, and a response.
var notifyProbe = kit.NewScript("modern.transport/notifications", kit.Shared, func(c *kit.C) {
	c.SafeControl("control")
	c.Unrelated(
		func() {
			c.Notify("cancelled", "notifications/cancelled", client.WithParams(map[string]any{"requestId": "mcpcheck-none"}))
		},
		func() {
			c.Notify("unknown notification", "notifications/mcpcheck-unknown", client.Broken("of a notification that nobody knows"))
		},
		func() { c.Safe("request without id", client.WithoutID(), client.Broken("without id")) },
		func() { c.List("list without id", client.WithoutID(), client.Broken("without id")) },
		func() {
			c.Post("a response", fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"mcpcheck-%d","result":{}}`, c.Client().NextID()), client.Broken("a response that nobody waits for"))
		},
	)
	c.Safe("control after")
})
