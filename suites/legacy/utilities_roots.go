package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func utilitiesRoots(s *kit.Section) {
	s.Passive("utilities.roots.only-if-declared", func(t *kit.T) {
		const expected = "no roots/list, since the client did not declare roots"
		t.Says(expected)
		t.Unseen(kit.Ended, "no stream was read long enough to say that roots are not asked for")
		for _, tr := range t.Transcripts() {
			declared := declaresRoots(tr)
			for _, m := range t.MessagesIn(tr) {
				switch {
				case m.Method != "roots/list" || m.Kind != wire.KindRequest:
				case declared:
					t.OK(m.Exchange, "roots/list was asked of a client that declared roots")
				case t.Since("2025-06-18"):
					// There it is a violation of what was negotiated; one finding is enough.
					t.Blocked("lifecycle.operation.negotiated-capabilities", "roots/list came although the client did not declare roots")
				default:
					t.WarnAt(m, expected, kit.DescribeMessage(m.Message))
				}
			}
			if declared {
				continue
			}
			for _, x := range tr.Exchanges {
				if watched(tr, x) {
					t.OK(x, "a client without roots is not asked for them")
				}
			}
		}
	})
}

// declaresRoots tells whether an initialize of a conversation declares roots. Conversations without one go on with the inventory's.
func declaresRoots(tr *wire.Transcript) bool {
	for _, x := range tr.Exchanges {
		if _, ok := x.RequestMessage().Pointer("/params/capabilities/roots"); ok {
			return true
		}
	}
	return false
}

// watched tells that a stream would have brought what the server had to ask: one that was listened to for a while, or that of a tool
// call up to its end.
func watched(tr *wire.Transcript, x *wire.Exchange) bool {
	if !x.IsSSE() || x.Status()/100 != 2 {
		return false
	}
	for _, w := range tr.Windows {
		if w.Stream == x.Label && w.Long() {
			return true
		}
	}
	return x.RequestMessage().Method == "tools/call" && x.Served() && x.EndedBy == wire.ByServer
}
