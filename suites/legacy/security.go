package legacy

import (
	"bytes"
	"net/url"
	"regexp"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// foreignOrigin is a web page that nobody can serve: .invalid never resolves.
const (
	foreignHost   = "mcpcheck.invalid"
	foreignOrigin = "https://" + foreignHost
)

func security(s *kit.Section) {
	foreignly := client.WithHeader("Origin", foreignOrigin)
	origin := s.Script("security/origin", kit.Bare, func(c *kit.C) {
		c.Initialize("control", c.Revision)
		c.Initialize("foreign origin", c.Revision, foreignly, client.Broken("with Origin: "+foreignOrigin))
		if c.Environment.Loopback {
			// Also where the foreign Origin alone is refused: who compares it with Host is taken in by the two together.
			scheme, host := schemeOf(c.Environment.URL), withPort(foreignHost, c.Environment.URL)
			c.Initialize("rebound", c.Revision, client.WithHeader("Origin", scheme+"://"+host), client.WithHost(host),
				client.Broken("with Origin and Host of "+foreignHost+", as DNS rebinding sends it"))
		}
		c.Initialize("own origin", c.Revision, client.WithHeader("Origin", judges.OriginOf(c.Environment.URL)))
		c.Do("preflight", "OPTIONS", nil, foreignly, client.WithHeader("Access-Control-Request-Method", "POST"),
			client.WithHeader("Access-Control-Request-Headers", "content-type"), client.Broken("a preflight with Origin: "+foreignOrigin))
		c.Initialize("control after", c.Revision)
	})
	s.Check("security.origin-validated", origin, func(t *kit.T) {
		t.Control("control", "control after")
		foreign := t.Conclusive("foreign origin", 403)
		const expected = "a refusal of the foreign Origin"
		rebound := t.IfSent("rebound")
		switch {
		case !foreign.Served() && rebound != nil && rebound.Served():
			t.Breach(rebound, expected, "served where Host is as foreign as Origin, as DNS rebinding sends them: Origin is only compared with Host")
		case !foreign.Served():
			t.Expect(foreign, kit.Refused())
		case !t.Environment().Loopback:
			t.Warn(foreign, expected, "served; an open policy cannot be told from a missing check")
		case t.Conclusive("rebound", 403).Served():
			t.Breach(t.Answered("rebound"), expected, "served, even with the Host of a DNS rebinding attack")
		default:
			t.Warn(foreign, expected, "served; only the Host header is checked, which stops DNS rebinding but does not read Origin")
		}
	})

	listener := s.Script("security/origin-get", kit.Own, func(c *kit.C) {
		c.Safe("control")
		c.Get("foreign origin", foreignly, client.Broken("with Origin: "+foreignOrigin)).Close()
		c.Safe("control after")
	}, withGetStream)
	s.Check("security.origin-validated-get", listener, func(t *kit.T) {
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
	})

	s.Check("security.origin-invalid-403", origin, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Conclusive("foreign origin", 403)
		switch {
		case x.Served():
			t.NotApplicable("a foreign Origin is not refused")
		case x.Status() != 403 && x.MediaType() == "text/html":
			t.NotObservedAt(kit.Intermediary, x, "the refusal looks like the page of an intermediary: %s", kit.Describe(x))
		}
		if refused, _ := kit.Refused().Match(x); !refused {
			t.NotObservedAt(kit.Inconclusive, x, "a foreign Origin is neither served nor refused: %s", kit.Describe(x))
		}
		t.Expect(x, kit.HTTP(403))
	})

	s.Check("security.origin-403-body", origin, func(t *kit.T) {
		x := t.Conclusive("foreign origin", 403)
		if x.Status() != 403 {
			t.NotApplicable("a foreign Origin is not answered 403")
		}
		t.Says("a JSON-RPC error without id, or any other body")
		for _, m := range x.Messages() {
			if m.HasID && kit.JSONType(m.ID) != "null" && !wire.SameID(m.ID, x.RequestMessage().ID) {
				t.Note(x, "the 403 carries a JSON-RPC error with the id %s, which no request has", kit.JSON(m.ID))
				return
			}
		}
		t.OK(x, "the refusal is %s", kit.Describe(x))
	})

	s.Passive("security.origin-absent-served", func(t *kit.T) {
		const expected = "requests without Origin served"
		t.Says(expected)
		for _, x := range t.Exchanges() {
			if x.Broken != "" || kit.RequestHeader(x, "Origin") != "" {
				continue
			}
			if x.Served() {
				t.OK(x, "requests without Origin are served")
				continue
			}
			if refused, _ := kit.Refused().Match(x); refused && wantsOrigin(x) {
				t.Warn(x, expected, kit.Describe(x))
			}
		}
	})

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
			case "*", foreignOrigin:
				t.Note(x, "Access-Control-Allow-Origin is %q in answer to a page of %s: browsers let any site read the answers", allowed, foreignOrigin)
				return
			default:
				t.OK(x, "no CORS header lets a page of a foreign origin read answers")
			}
		}
	})

	securityIcons(s)
}

// originWanted matches refusals that name a missing Origin; pages that merely speak of an origin server do not count.
var originWanted = regexp.MustCompile(`(?i)\b(missing|no|without|absent|empty|requires?|lacks?)\b[^.\n]{0,30}\borigin\b` +
	`|\borigin\b[^.\n]{0,30}\b(missing|required|absent|empty|not (present|set|sent|provided|given))\b`)

func wantsOrigin(x *wire.Exchange) bool {
	return x.MediaType() != "text/html" && originWanted.Match(bytes.TrimSpace(x.Response.Body.Bytes()))
}

// schemeOf is the scheme of a URL, http where it cannot be read.
func schemeOf(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Scheme != "" {
		return u.Scheme
	}
	return "http"
}

// withPort puts the port of a URL behind a host name.
func withPort(host, raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Port() == "" {
		return host
	}
	return host + ":" + u.Port()
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
	s.Passive("security.icons-src", func(t *kit.T) { judges.Icons(t, iconHolders) })
}
