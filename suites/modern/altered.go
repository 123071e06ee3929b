package modern

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
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

// wrongParams are requests for what is not there, or that lack what they need.
var wrongParams = kit.NewScript("modern.transport/wrong-params", kit.Shared, func(c *kit.C) {
	var steps []func()
	probe := func(label, method string, options ...client.Option) {
		steps = append(steps, func() { c.Call(label, method, options...) })
	}
	for _, area := range []struct {
		capability string
		probes     func(*kit.C, func(string, string, ...client.Option))
	}{
		{"resources", resourceProbes}, {"prompts", promptProbes}, {"completions", completionProbes},
	} {
		if c.Facts.Capability(area.capability) == kit.Yes {
			area.probes(c, probe)
		}
	}
	if c.Facts.Capability("tools") == kit.Yes {
		steps = append(steps, func() { c.Some(callsAtATime, toolProbes(c)...) })
	}
	if len(steps) == 0 {
		return
	}
	c.SafeControl("control")
	c.Unrelated(steps...)
	c.Safe("control after")
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
