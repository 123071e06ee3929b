package modern

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// Requests of this era are tied together by no session, so that probes which are changes of the same control are sent side by side, whatever
// area they belong to, and share what is sent before and after them.

// altered is the harmless request with something wrong, or unusual, in its headers or metadata; and requests whose Mcp-Name is.
var altered = kit.NewScript("modern.transport/altered", kit.Shared, func(c *kit.C) {
	var steps []func()
	probe := func(label string, options ...client.Option) {
		steps = append(steps, func() { c.Safe(label, options...) })
	}
	headerProbes(c, probe)
	metaProbes(probe)
	versionProbes(probe)
	if c.Facts.Capability("logging") == kit.Yes {
		probe(invalidLevel, client.WithMeta(map[string]any{keyLogLevel: "mcpcheck-loud"}), client.Broken("with a level that does not exist"))
	}
	originProbes(c, probe)
	steps = append(steps, func() { c.Some(waysAtATime, nameProbes(c)...) })

	c.SafeControl("control")
	method, params := namedRequest(c.Facts)
	if method != "" {
		c.Call("named control", method, params)
	}
	c.Unrelated(steps...)
	c.Unrelated(func() { c.Safe("control after") }, func() {
		if method != "" {
			c.Call("named control after", method, params)
		}
	})
})

// alteredLists asks for a list in ways that are nothing to a list: over a connection of its own, as another client, and with a cursor that
// nobody gave.
var alteredLists = kit.NewScript("modern.transport/lists", kit.Own, func(c *kit.C) {
	c.ListControl("control")
	c.Unrelated(
		func() { overConnections(c) },
		func() {
			c.List("another client", client.WithMeta(map[string]any{keyClientInfo: map[string]any{"name": "claude-ai", "version": "1"}}))
		},
		func() { c.List("no client", client.WithMeta(map[string]any{keyClientInfo: nil})) },
		func() {
			c.List("invalid cursor", client.WithParams(map[string]any{"cursor": "mcpcheck-invalid-cursor"}), client.Broken("with a cursor that the server never gave out"))
		},
	)
	c.List("control after")
}, kit.AnyList)

// overConnections asks for a list as the first of its connection, and over another one for what follows from it: its next page, or a resource.
// What is not served there is asked for over the usual connection too.
func overConnections(c *kit.C) {
	first := c.List("first of its connection", client.Fresh())
	both := func(method string, params any) {
		if !processed(c.Call("another connection", method, client.WithParams(params), client.Fresh())) {
			c.Call("the usual connection", method, client.WithParams(params))
		}
	}
	i := slices.IndexFunc(kit.Lists, func(l kit.List) bool { return l.Method == c.Facts.List })
	if i >= 0 {
		if cursor := kit.ReadPage(first, kit.Lists[i]).Next(); cursor != "" {
			both(c.Facts.List, map[string]any{"cursor": cursor})
			return
		}
	}
	if read := c.Facts.Read(); len(read) > 0 {
		both("resources/read", map[string]any{"uri": read[0].URI})
	}
}

// Labels of requests that are in order and written in an unusual way.
const (
	labelOtherLetters = "names in other letters"
	labelSpaces       = "spaces around"
)

// headerProbes are requests whose headers lack something, or say something else than the body.
func headerProbes(c *kit.C, probe func(string, ...client.Option)) {
	other := methodDiscover
	if c.Facts.Safe == methodDiscover {
		other = "tools/list"
	}
	probe("no version", client.WithoutVersion(), client.Broken("without MCP-Protocol-Version"))
	probe("version in _meta differs", client.WithMeta(map[string]any{keyVersion: before}), client.Broken("with another version in _meta"))
	probe("version in the header differs", client.WithVersion(never), client.Broken("with another version in the header"))
	probe("no method", client.WithoutHeader("Mcp-Method"), client.Broken("without Mcp-Method"))
	probe("another method", client.WithHeader("Mcp-Method", other), client.Broken("with another method in Mcp-Method"))
	probe("method in capitals", client.WithHeader("Mcp-Method", upper(c.Facts.Safe)), client.Broken("with the method in capitals"))
	probe(labelOtherLetters, client.WithoutVersion(), client.WithoutHeader("Mcp-Method"), client.WithoutHeader("Accept"),
		client.WithHeader("mcp-protocol-version", spoken), client.WithHeader("MCP-METHOD", c.Facts.Safe), client.WithHeader("accept", "application/json, text/event-stream"))
	probe(labelSpaces, client.WithoutHeader("Mcp-Method"), client.WithLine("Mcp-Method:   "+c.Facts.Safe+"  "))
	probe("unknown Mcp-Param", client.WithHeader("Mcp-Param-Mcpcheck", "x"))
}

// upper is a method in capitals.
func upper(method string) string {
	b := []byte(method)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// metaProbes are requests whose _meta lacks something, or has something odd in it.
func metaProbes(probe func(string, ...client.Option)) {
	without := func(keys ...string) client.Option {
		m := map[string]any{}
		for _, k := range keys {
			m[k] = nil
		}
		return client.WithMeta(m)
	}
	probe("no params", without(keyVersion, keyClientInfo, keyCapabilities), client.Broken("without params"))
	probe("no _meta", client.WithParams(struct{}{}), without(keyVersion, keyClientInfo, keyCapabilities), client.Broken("without _meta"))
	probe("no protocolVersion", without(keyVersion), client.Broken("without protocolVersion in _meta"))
	probe("no clientCapabilities", without(keyCapabilities), client.Broken("without clientCapabilities in _meta"))
	probe("capabilities that are a string", client.WithMeta(map[string]any{keyCapabilities: "none"}), client.Broken("with clientCapabilities that are a string"))
	probe("version that is a number", client.WithMeta(map[string]any{keyVersion: 20260728}), client.Broken("with a protocolVersion that is a number"))
	probe("no clientInfo", without(keyClientInfo))
	probe("unknown keys", client.WithMeta(map[string]any{
		"com.example.mcpcheck/probe": true, "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
	}))
}

// versionProbes are requests with versions that nobody speaks.
func versionProbes(probe func(string, ...client.Option)) {
	probe("future version", client.WithVersion(never), client.WithMeta(map[string]any{keyVersion: never}), client.Broken("with a version that nobody speaks"))
	probe("past version", client.WithVersion(before), client.WithMeta(map[string]any{keyVersion: before}), client.Broken("with a version older than all"))
}

// invalidLevel is the label of a request for log messages of a level that there is not.
const invalidLevel = "invalid level"

// originProbes are requests as pages of others have browsers send them.
func originProbes(c *kit.C, probe func(string, ...client.Option)) {
	probe("foreign origin", client.WithHeader("Origin", judges.ForeignOrigin), client.Broken("with Origin: "+judges.ForeignOrigin))
	if c.Environment.Loopback {
		// Also where the foreign Origin alone is refused: who compares it with Host is taken in by the two together.
		rebound, host := judges.ReboundTo(c.Environment.URL)
		probe("rebound", client.WithHeader("Origin", rebound), client.WithHost(host),
			client.Broken("with Origin and Host of "+judges.ForeignHost+", as DNS rebinding sends it"))
	}
}
