package legacy

import (
	"net/url"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// foreignOrigin is a web page that nobody can serve: .invalid never resolves.
const (
	foreignHost   = "mcpcheck.invalid"
	foreignOrigin = "https://" + foreignHost
)

func security(s *kit.Section) {
	origin := s.Script("security/origin", kit.Bare, func(c *kit.C) {
		c.Initialize("control", c.Revision)
		foreign := c.Initialize("foreign origin", c.Revision,
			client.WithHeader("Origin", foreignOrigin), client.Broken("with Origin: "+foreignOrigin))
		if foreign.Served() && c.Environment.Loopback {
			host := withPort(foreignHost, c.Environment.URL)
			c.Initialize("rebound", c.Revision, client.WithHeader("Origin", "http://"+host), client.WithHost(host),
				client.Broken("with Origin and Host of "+foreignHost+", as DNS rebinding sends it"))
		}
		c.Initialize("control after", c.Revision)
	})
	s.Check("security.origin-validated", origin, func(t *kit.T) {
		t.Control("control", "control after")
		foreign := t.Probe("foreign origin", 403)
		const expected = "a refusal of the foreign Origin"
		switch {
		case !foreign.Served():
			t.Expect(foreign, kit.Refused())
		case !t.Environment().Loopback:
			t.Warn(foreign, expected, "served; an open policy cannot be told from a missing check")
		case t.Probe("rebound", 403).Served():
			t.Breach(t.Exchange("rebound"), expected, "served, even with the Host of a DNS rebinding attack")
		default:
			t.Warn(foreign, expected, "served; only the Host header is checked, which stops DNS rebinding but does not read Origin")
		}
	})
}

// withPort puts the port of a URL behind a host name.
func withPort(host, raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Port() == "" {
		return host
	}
	return host + ":" + u.Port()
}
