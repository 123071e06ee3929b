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
	s.Check("lifecycle.initialize.capabilities-accepted", notReady, func(t *kit.T) {
		const expected = "initialize served, whatever the client can do"
		t.Says(expected)
		x := t.Conclusive(opening, 500, 501)
		if x.Served() {
			t.OK(x, "initialize is served with every capability of a client that the revision defines, and one that it does not")
			return
		}
		t.Control("plain", "plain after")
		if t.Conclusive(allDefined, 500, 501).Served() {
			t.Note(x, "initialize is refused for a capability that no revision defines; a later one may: %s", kit.Describe(x))
			return
		}
		// The smallest part that is refused was tried last of those.
		tried := t.Transcript().Exchanges
		for _, x := range slices.Backward(tried[:slices.Index(tried, t.Sent("plain after"))]) {
			if !x.Served() && x.RequestMessage().Method == "initialize" {
				t.MustConclude(x, 500, 501)
				t.Breach(x, expected, kit.Describe(x)+" to a client with the capabilities "+declaredIn(x)+"; without any it is served")
				return
			}
		}
	})
}

// Labels of the initializes after one that was refused to a client which can do everything. A conversation goes on in the session of the first
// of them that is served, or else in that of a client which can do nothing.
const (
	allDefined = "all that is defined"
	theUsual   = "what most clients declare"
)

// introduce opens a session as a client that can do everything, and finds out what a server minds that does not serve it. It returns what the
// client of the session declared.
func introduce(c *kit.C) (capabilities map[string]any, served bool) {
	declare := func(label string, members ...string) *wire.Exchange {
		capabilities = declaring(members)
		return c.Initialize(label, c.Revision, client.WithCapabilities(capabilities), client.Broken("declaring "+strings.Join(members, ", ")))
	}
	var members []string
	for _, m := range clientCapabilities {
		if c.Since(m.since) {
			members = append(members, m.member)
		}
	}
	if declare(opening, append(slices.Clone(members), unknownCapability)...).Served() {
		return capabilities, true
	}
	if !c.Initialize("plain", c.Revision).Served() {
		return nil, false
	}
	if x := declare(allDefined, members...); x.Served() {
		goOnIn(c, x)
		c.Initialize("plain after", c.Revision)
		return capabilities, true
	}
	halve(members, func(some []string) bool { return declare("declaring "+strings.Join(some, ", "), some...).Served() })
	x := c.Initialize("plain after", c.Revision)
	if !x.Served() {
		return nil, false
	}
	goOnIn(c, x)
	capabilities = everyCapability(c.Revision)
	if x = c.Initialize(theUsual, c.Revision, client.WithCapabilities(capabilities)); !x.Served() {
		return map[string]any{}, true
	}
	goOnIn(c, x)
	return capabilities, true
}

// introduced is the label of the initialize whose session the conversation went on in.
func introduced(t *kit.T) string {
	for _, label := range []string{allDefined, theUsual, "plain after"} {
		if x := t.IfSent(label); x != nil && x.Served() {
			return label
		}
	}
	return opening
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
