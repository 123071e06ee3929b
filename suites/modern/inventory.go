package modern

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// inventory learns what facts reads: what the server says of itself, and its lists. There is no session to open; a server without
// server/discover is asked for its lists all the same, since they tell whether it serves anything.
var inventory = kit.NewScript("inventory", kit.Bare, func(c *kit.C) {
	x := c.Call(methodDiscover, methodDiscover)
	declared := map[string]any{}
	answer, answered := x.Answer()
	known := answered && answer.Decode("/result/capabilities", &declared) == nil && declared != nil
	var steps []func()
	for _, l := range kit.ListMethods {
		if _, ok := declared[l.Capability]; ok || !known {
			steps = append(steps, func() { c.Walk(l.Method, l.Method) })
		}
	}
	if _, ok := declared["resources"]; ok {
		steps = append(steps, func() { c.Walk("resources/templates/list", "resources/templates/list") })
	}
	c.Parallel(steps...)
})

// serves: some harmless request was served, which every probe is a change of.
var serves = kit.Need{
	Otherwise: "the server serves no request of " + spoken,
	Unclear:   "neither server/discover nor a list was served, so there is no control to compare with",
	BlockedBy: kit.Root,
	Of: func(f *kit.Facts) kit.Fact {
		if f.Safe != "" {
			return kit.Yes
		}
		return kit.Unknown
	},
}

// facts reads an inventory.
func facts(t *wire.Transcript, given kit.Given) *kit.Facts {
	f := kit.NewFacts(t.Revision, t.Transport, given)
	f.ReadServed(t, methodDiscover)
	if f.Safe == "" {
		return f
	}
	f.Opened, f.Negotiated = kit.Yes, t.Revision
	if x := t.Exchange(methodDiscover); x != nil {
		answer, _ := x.Answer()
		f.ReadCapabilities(answer,
			[]string{"tools", "prompts", "resources", "logging", "completions", "extensions"},
			[]string{"tools.listChanged", "prompts.listChanged", "resources.listChanged", "resources.subscribe"})
	}
	f.ReadLists(t)
	f.ReadPages(t)
	return f
}
