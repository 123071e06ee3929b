package judges

import (
	"bytes"
	"net/url"
	"regexp"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ForeignOrigin is that of a web page that nobody can serve, ForeignHost its host: .invalid never resolves.
const (
	ForeignHost   = "mcpcheck.invalid"
	ForeignOrigin = "https://" + ForeignHost
)

// ReboundTo is what a browser sends to an endpoint, as Origin and as Host, whose name a foreign page has bound to its address.
func ReboundTo(endpoint string) (origin, host string) {
	host = withPort(ForeignHost, endpoint)
	return schemeOf(endpoint) + "://" + host, host
}

// Labels of the conversation that the judgements about Origin look at: a harmless request as it is, from a foreign page, and, only on
// this machine, as DNS rebinding sends it.
const (
	labelControl      = "control"
	labelForeign      = "foreign origin"
	labelRebound      = "rebound"
	labelControlAfter = "control after"
)

// OriginValidated judges whether a foreign Origin is refused.
func OriginValidated(t *kit.T) {
	t.Control(labelControl, labelControlAfter)
	foreign := t.Conclusive(labelForeign, 403)
	const expected = "a refusal of the foreign Origin"
	rebound := t.IfSent(labelRebound)
	switch {
	case !foreign.Served() && rebound != nil && rebound.Served():
		t.Breach(rebound, expected, "served where Host is as foreign as Origin, as DNS rebinding sends them: Origin is only compared with Host")
	case !foreign.Served():
		refusedOrigin(t, foreign)
		t.Expect(foreign, kit.Refused())
	case !t.Environment().Loopback:
		t.Warn(foreign, expected, "served; an open policy cannot be told from a missing check")
	case t.Conclusive(labelRebound, 403).Served():
		t.Breach(t.Answered(labelRebound), expected, "served, even with the Host of a DNS rebinding attack")
	default:
		t.Warn(foreign, expected, "served; only the Host header is checked, which stops DNS rebinding but does not read Origin")
	}
}

// OriginInvalid403 judges the status of such a refusal.
func OriginInvalid403(t *kit.T) {
	t.Control(labelControl, labelControlAfter)
	x := t.Conclusive(labelForeign, 403)
	switch {
	case x.Served():
		t.NotApplicable("a foreign Origin is not refused")
	case x.Status() != 403 && x.MediaType() == "text/html":
		t.NotObservedAt(kit.Intermediary, x, "the refusal looks like the page of an intermediary: %s", kit.Describe(x))
	}
	refusedOrigin(t, x)
	t.Expect(x, kit.HTTP(403))
}

// refusedOrigin stops where a request was turned away in no form that is a refusal, such as a redirect.
func refusedOrigin(t *kit.T, x *wire.Exchange) {
	if refused, _ := kit.Refused().Match(x); !refused {
		t.NotObservedAt(kit.Inconclusive, x, "a foreign Origin is neither served nor refused: %s", kit.Describe(x))
	}
}

// Origin403Body notes a refusal that claims to be the answer to another request.
func Origin403Body(t *kit.T) {
	x := t.Conclusive(labelForeign, 403)
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
}

// OriginAbsentServed judges that nothing is refused for want of an Origin.
func OriginAbsentServed(t *kit.T) {
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
