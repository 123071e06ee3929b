package legacy

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// requestForms are harmless requests under headers that not every client sends: each may be refused, and none ends a session.
var requestForms = kit.NewScript("transport/request-forms", kit.Shared, func(c *kit.C) {
	var steps []func()
	headers := map[string][]client.Option{}
	if id := c.Session().ID(); id != "" {
		for _, name := range sessionHeaders {
			headers[name] = []client.Option{client.WithHeader(name, id)}
		}
	}
	safe := func(label string, options ...client.Option) {
		both := formPair(label)
		with := headers[both.other]
		steps = append(steps, func() {
			if with != nil && c.Safe(both.label, slices.Concat(with, options)...).Served() {
				return
			}
			c.Safe(label, options...)
			if with != nil {
				c.Safe(both.other, with...)
			}
		})
	}
	for _, f := range slices.Concat(acceptForms, acceptVariants) {
		safe(f.label, f.options...)
	}
	safe("two lines", client.WithAccept("application/json"), client.AddHeader("Accept", "text/event-stream"),
		client.Broken("with the types on two lines"))
	safe("text/plain", client.WithHeader("Content-Type", "text/plain"), client.Broken("as text/plain"))
	safe("charset", client.WithHeader("Content-Type", "application/json; charset=utf-8"), client.Broken("with a charset parameter"))
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

// formPairs are forms of a request that are sent with the session header in another spelling.
var formPairs = []pair{
	{"with q-values, " + sessionHeaders[0], "with q-values", sessionHeaders[0]},
	{"charset, " + sessionHeaders[1], "charset", sessionHeaders[1]},
}

// formPair is the pair of a form; without one nothing is sent with it.
func formPair(label string) pair {
	i := slices.IndexFunc(formPairs, func(p pair) bool { return p.one == label })
	if i < 0 {
		return pair{}
	}
	return formPairs[i]
}

// formLabel is the label of the request that shows what becomes of a form.
func formLabel(t *kit.T, label string) string { return shownBy(t, requestForms, label, formPairs) }

// sessionHeaders are spellings of one name beside Mcp-Session-Id, which all other requests have: what HTTP/2 makes of it, and some proxies.
var sessionHeaders = []string{"mcp-session-id", "MCP-SESSION-ID"}
