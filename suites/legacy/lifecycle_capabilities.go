package legacy

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

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

// declaredIn quotes the capabilities that an initialize declared.
func declaredIn(x *wire.Exchange) string {
	capabilities, _ := x.RequestMessage().Pointer("/params/capabilities")
	return kit.JSON(capabilities)
}
