package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// inventory is the first conversation of a revision: it opens the common session and learns what facts reads off it. Its requests are
// those of any client that has just connected.
var inventory = kit.NewScript("inventory", kit.Bare, func(c *kit.C) {
	open := c.Open()
	if !open.Served() {
		return
	}
	var ping *wire.Exchange
	steps := []func(){func() { ping = c.Call("ping", "ping") }}
	var declared map[string]any
	answer, _ := open.Answer()
	_ = answer.Decode("/result/capabilities", &declared)
	for _, l := range kit.ListMethods {
		if _, ok := declared[l.Capability]; ok {
			steps = append(steps, func() { c.Walk(l.Method, l.Method) })
		}
	}
	if _, ok := declared["resources"]; ok {
		steps = append(steps, func() { c.Walk("resources/templates/list", "resources/templates/list") })
	}
	c.Parallel(steps...)
	if ping.Served() && ping.IsJSON() && !c.OldTransport() {
		c.Call(kit.PreferStream, "ping", client.WithAccept(kit.StreamFirst))
	}
	if !c.OldTransport() {
		// Where streams are in the way of other requests, too: it is closed at once.
		c.Get("get").Close()
	}
})
