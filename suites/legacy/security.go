package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

func security(s *kit.Section) {
	foreignly := client.WithHeader("Origin", judges.ForeignOrigin)
	origin := s.Script("security/origin", kit.Bare, func(c *kit.C) {
		c.Initialize("control", c.Revision)
		probes := []func(){
			func() {
				c.Initialize("foreign origin", c.Revision, foreignly, client.Broken("with Origin: "+judges.ForeignOrigin))
			},
			func() {
				c.Initialize("own origin", c.Revision, client.WithHeader("Origin", judges.OriginOf(c.Environment.URL)))
			},
			func() {
				c.Do("preflight", "OPTIONS", nil, foreignly, client.WithHeader("Access-Control-Request-Method", "POST"),
					client.WithHeader("Access-Control-Request-Headers", "content-type"), client.Broken("a preflight with Origin: "+judges.ForeignOrigin))
			},
		}
		if c.Environment.Loopback {
			// Also where the foreign Origin alone is refused: who compares it with Host is taken in by the two together.
			rebound, host := judges.ReboundTo(c.Environment.URL)
			probes = append(probes, func() {
				c.Initialize("rebound", c.Revision, client.WithHeader("Origin", rebound), client.WithHost(host),
					client.Broken("with Origin and Host of "+judges.ForeignHost+", as DNS rebinding sends it"))
			})
		}
		c.Beside(probes...)
		c.Initialize("control after", c.Revision)
	}, kit.Once())
	s.Check("security.origin-validated", origin, judges.OriginValidated)

	s.Check("security.origin-validated-get", refusedGets, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Conclusive("foreign origin", 403)
		const expected = "a refusal of the foreign Origin on GET, as on POST"
		t.Says(expected)
		switch {
		case x.Status()/100 == 4:
			t.OK(x, "a GET with a foreign Origin is refused: %s", kit.Describe(x))
		case x.Status()/100 != 2 || !x.IsSSE():
			t.NotObservedAt(kit.Inconclusive, x, "a GET with a foreign Origin is neither refused nor answered with a stream: %s", kit.Describe(x))
		case t.Environment().Loopback:
			t.Breach(x, expected, kit.Describe(x))
		default:
			t.Warn(x, expected, kit.Describe(x))
		}
	}, withGetStream)

	s.Check("security.origin-invalid-403", origin, judges.OriginInvalid403)
	s.Check("security.origin-403-body", origin, judges.Origin403Body)
	s.Passive("security.origin-absent-served", judges.OriginAbsentServed)

	s.Check("security.origin-own-served", origin, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Conclusive("own origin", 403)
		own := kit.RequestHeader(x, "Origin")
		t.Says("a result for a request from the server's own origin")
		if x.Served() {
			t.OK(x, "the server's own origin is served: %s", own)
			return
		}
		if refused, _ := kit.Refused().Match(x); !refused {
			t.NotObservedAt(kit.Inconclusive, x, "the server's own origin is neither served nor refused: %s", kit.Describe(x))
		}
		t.Note(x, "the server's own origin %s is refused, so that pages on its site cannot use it: %s", own, kit.Describe(x))
	})

	s.Check("security.cors-open", origin, func(t *kit.T) {
		t.Says("no permission for pages of a foreign origin to read answers")
		for _, label := range []string{"foreign origin", "preflight"} {
			x := t.Answered(label)
			switch allowed := x.Response.Header.Get("Access-Control-Allow-Origin"); allowed {
			case "*", judges.ForeignOrigin:
				t.Note(x, "Access-Control-Allow-Origin is %q in answer to a page of %s: browsers let any site read the answers", allowed, judges.ForeignOrigin)
				return
			default:
				t.OK(x, "no CORS header lets a page of a foreign origin read answers")
			}
		}
	})

	securityIcons(s)
}

// iconHolders are the places where a server puts icons.
var iconHolders = []judges.IconHolder{
	{Method: "initialize", Pointer: "/result/serverInfo", JudgedElsewhere: true}, // by lifecycle.initialize.server-info
	{Method: "tools/list", Pointer: "/result/tools"},
	{Method: "prompts/list", Pointer: "/result/prompts"},
	{Method: "resources/list", Pointer: "/result/resources"},
	{Method: "resources/templates/list", Pointer: "/result/resourceTemplates"},
}

func securityIcons(s *kit.Section) {
	s.Passive("security.icons-src", func(t *kit.T) { judges.Icons(t, iconHolders, false) })
}
