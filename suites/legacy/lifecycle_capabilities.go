package legacy

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// unknownCapability is one that no revision defines: a later one may.
const unknownCapability = "mcpcheckUnknown"

// clientCapabilities are the members of the capabilities of a client, by the revision that introduced each (schema, ClientCapabilities).
var clientCapabilities = []struct{ since, member string }{
	{"2024-11-05", "roots.listChanged"},
	{"2024-11-05", "sampling"},
	{"2024-11-05", "experimental"},
	{"2025-06-18", "elicitation"},
	{"2025-11-25", "elicitation.form"},
	{"2025-11-25", "elicitation.url"},
	{"2025-11-25", "sampling.context"},
	{"2025-11-25", "sampling.tools"},
	{"2025-11-25", "tasks.list"},
	{"2025-11-25", "tasks.cancel"},
	{"2025-11-25", "tasks.requests.sampling.createMessage"},
	{"2025-11-25", "tasks.requests.elicitation.create"},
}

// lifecycleCapabilities is about servers that serve initialize for some clients only. What a server refuses is found by halving.
func lifecycleCapabilities(s *kit.Section) {
	declared := s.Script("lifecycle/capabilities", kit.Bare, func(c *kit.C) {
		declare := func(label string, members ...string) bool {
			return c.Initialize(label, c.Revision, client.WithCapabilities(declaring(members)),
				client.Broken("declaring "+strings.Join(members, ", "))).Served()
		}
		var members []string
		for _, m := range clientCapabilities {
			if c.Since(m.since) {
				members = append(members, m.member)
			}
		}
		if declare("everything", append(slices.Clone(members), unknownCapability)...) {
			return
		}
		c.Initialize("control", c.Revision)
		if !declare("all that is defined", members...) {
			halve(members, func(some []string) bool { return declare("declaring "+strings.Join(some, ", "), some...) })
		}
		c.Initialize("control after", c.Revision)
	}, kit.Open)

	s.Check("lifecycle.initialize.capabilities-accepted", declared, func(t *kit.T) {
		const expected = "initialize served, whatever the client can do"
		t.Says(expected)
		x := t.Conclusive("everything", 500, 501)
		if x.Served() {
			t.OK(x, "initialize is served with every capability of a client that the revision defines, and one that it does not")
			return
		}
		t.Control("control", "control after")
		if t.Conclusive("all that is defined", 500, 501).Served() {
			t.Note(x, "initialize is refused for a capability that no revision defines; a later one may: %s", kit.Describe(x))
			return
		}
		// The smallest part that is refused was tried last of those.
		for _, x := range slices.Backward(t.Transcript().Exchanges) {
			if !x.Served() && x.RequestMessage().Method == "initialize" {
				t.MustConclude(x, 500, 501)
				t.Breach(x, expected, kit.Describe(x)+" to a client with the capabilities "+declaredIn(x)+"; without any it is served")
				return
			}
		}
	})
}

// halve narrows a set of members down to one that is refused by itself, or to some that are refused only together.
func halve(members []string, served func([]string) bool) {
	for len(members) > 1 {
		first, second := members[:len(members)/2], members[len(members)/2:]
		switch {
		case !served(first):
			members = first
		case !served(second):
			members = second
		default:
			return
		}
	}
}

// declaring builds capabilities from the paths of their members.
func declaring(members []string) map[string]any {
	capabilities := map[string]any{}
	for _, m := range members {
		at := capabilities
		steps := strings.Split(m, ".")
		for i, step := range steps {
			if step == "listChanged" {
				at[step] = true
				break
			}
			below, ok := at[step].(map[string]any)
			if !ok {
				below = map[string]any{}
				at[step] = below
			}
			if i < len(steps)-1 {
				at = below
			}
		}
	}
	return capabilities
}

// declaredIn quotes the capabilities that an initialize declared.
func declaredIn(x *wire.Exchange) string {
	capabilities, _ := x.RequestMessage().Pointer("/params/capabilities")
	return kit.JSON(capabilities)
}
