package modern

import (
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// jsonrpcBroken are the rules about bodies that are no request.
func jsonrpcBroken(s *kit.Section) {
	broken := s.Script("modern.jsonrpc/broken", kit.Deadly, func(c *kit.C) {
		method := client.WithHeader("Mcp-Method", c.Facts.Safe)
		c.Safe("control")
		c.Post("no JSON", []byte(`{"jsonrpc":"2.0",`), method, client.Broken("that is no JSON"))
		c.Safe("control between")
		c.Parallel(func() {
			c.Post("no method", fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d}`, c.Client().NextID()), method, client.Broken("without method"))
		}, func() {
			c.Post("another jsonrpc", fmt.Appendf(nil, `{"jsonrpc":"1.0","id":%d,"method":%q,"params":{"_meta":{%q:%q,%q:{}}}}`,
				c.Client().NextID(), c.Facts.Safe, keyVersion, spoken, keyCapabilities), method, client.Broken("with jsonrpc 1.0"))
		})
		c.Safe("control after")
	})
	s.Check("modern.jsonrpc.parse-error", broken, func(t *kit.T) {
		const expected = "HTTP 400 with JSON-RPC error -32700"
		t.Says(expected)
		t.Control("control")
		if ended(t, "no JSON") {
			return
		}
		x := t.Conclusive("no JSON", gatewayless...)
		code := codeOf(x)
		switch {
		case judges.HasResult(x), x.Status() == 202:
			t.Breach(x, expected, kit.Describe(x))
		case x.Status() == 500 || x.Status() == 501:
			t.Warn(x, expected, kit.Describe(x))
		case isHM(x), x.Status()/100 == 4 && (!coded(x) || code == codeParseError):
			t.OK(x, "%s", kit.Describe(x))
		case coded(x):
			t.Warn(x, expected, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "neither taken nor refused: %s", kit.Describe(x))
		}
	})
	s.Check("modern.jsonrpc.invalid-request", broken, func(t *kit.T) {
		const expected = "HTTP 4xx, or a JSON-RPC error"
		t.Says(expected)
		t.Control("control", "control between")
		if ended(t, "no method", "another jsonrpc") {
			return
		}
		t.Control("control after")
		for _, label := range []string{"no method", "another jsonrpc"} {
			x := t.Conclusive(label, gatewayless...)
			switch {
			case judges.HasResult(x), x.Status() == 202, x.Status() >= 500:
				t.Warn(x, expected, kit.Describe(x))
			case x.Status()/100 == 4, judges.HasError(x):
				t.OK(x, "%s", kit.Describe(x))
			default:
				t.NotObservedAt(kit.Inconclusive, x, "neither taken nor refused: %s", kit.Describe(x))
			}
		}
	})
}

// ended judges a server that ended: at the first of these requests that got no answer. Where all were answered it ended at another one.
func ended(t *kit.T, labels ...string) bool {
	died := t.Transcript().Died
	if died == "" {
		return false
	}
	for _, label := range labels {
		if x := t.Sent(label); x.Response == nil {
			t.Breach(x, "a server that goes on serving", "the server ended: "+died)
			return true
		}
	}
	return false
}
