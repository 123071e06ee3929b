package legacy

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// maxPages is how many pages of one list a run reads; a cursor that never ends must not keep it busy.
const maxPages = 50

// Inventory is the first conversation of a revision: it opens the common session and learns what kit.FactsFrom reads off it. Its
// requests are those of any client that has just connected.
func Inventory() *kit.Script {
	return &kit.Script{Name: kit.InventoryScript, Sharing: kit.Bare, Run: func(c *kit.C) {
		open := c.Open()
		if !open.Served() {
			return
		}
		var ping *client.Exchange
		steps := []func(){func() { ping = c.Call("ping", "ping") }}
		var declared map[string]any
		answer, _ := open.Answer()
		_ = answer.Decode("/result/capabilities", &declared)
		for _, l := range kit.ListMethods {
			if _, ok := declared[l.Capability]; ok {
				steps = append(steps, func() { walk(c, l.Method) })
			}
		}
		if _, ok := declared["resources"]; ok {
			steps = append(steps, func() { walk(c, "resources/templates/list") })
		}
		c.Parallel(steps...)
		if ping.Served() && ping.IsJSON() && !c.OldTransport() {
			c.Call(kit.PreferStream, "ping", client.WithAccept(kit.StreamFirst))
		}
		c.Listen("get").Close()
	}}
}

// walk reads all pages of a list.
func walk(c *kit.C, method string) {
	label, cursor := method, ""
	for page := 1; page <= maxPages; page++ {
		var options []client.Option
		if page > 1 {
			options = append(options, client.WithParams(map[string]any{"cursor": cursor}))
			label = fmt.Sprintf("%s page %d", method, page)
		}
		answer, ok := c.Call(label, method, options...).Answer()
		if !ok || answer.Decode("/result/nextCursor", &cursor) != nil {
			return
		}
	}
}
