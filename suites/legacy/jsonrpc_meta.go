package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// jsonrpcMeta are the rules for what a message may carry besides what its method defines.
func jsonrpcMeta(s *kit.Section) {
	odd := s.Add(oddRequests)
	s.Check("jsonrpc.request.null-id", odd, func(t *kit.T) {
		t.Control("control", "control after")
		x := conclusive(t, "null id")
		t.Says("HTTP 4xx, a JSON-RPC error, or 202 as for a notification")
		if judges.HasResult(x) {
			t.Note(x, "a request with the id null got a result")
			return
		}
		t.OK(x, "%s", kit.Describe(x))
	})
	s.Check("jsonrpc.request.duplicate-id", odd, func(t *kit.T) {
		t.Control("control", "control after")
		t.Says("a second answer, or an error")
		t.OK(t.Conclusive("second use of an id"), "%s", kit.Describe(t.Conclusive("second use of an id")))
	})
	s.Check("jsonrpc.unknown-members", odd, func(t *kit.T) {
		t.Control("control", "control after")
		pairs := [][2]string{{"control", "unknown member"}, {"control list", "unknown member in list"}}
		for _, p := range pairs {
			if label := oddLabel(t, p[1]); t.IfSent(label) != nil {
				t.Control(p[0])
				judges.Tolerated(t, conclusive(t, label), "a member of params that it does not know")
			}
		}
	})
	s.Check("jsonrpc.meta-tolerated", odd, func(t *kit.T) {
		t.Control("control", "control after")
		judges.Tolerated(t, conclusive(t, oddLabel(t, "meta")), "a key in _meta that it does not know")
	})

	s.Passive("jsonrpc.meta-keys", judges.MetaKeys)

	s.Passive("jsonrpc.meta-reserved", func(t *kit.T) { judges.MetaReserved(t, definedMetaKeys) })

	s.Passive("jsonrpc.meta-reverse-dns", judges.MetaReverseDNS)
}

// definedMetaKeys are what the revisions themselves put under reserved prefixes.
var definedMetaKeys = []string{"io.modelcontextprotocol/related-task", "io.modelcontextprotocol/model-immediate-response"}
