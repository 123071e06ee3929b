package judges

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// beside are statuses that say nothing about a token: payment, proxies, time, load and gateways.
var beside = []int{402, 407, 408, 429, 502, 503, 504}

// MissingToken judges the status of a refusal for want of a token.
func (a Access) MissingToken(t *kit.T) {
	const expected = "HTTP 401 to a request without a token"
	first := a.OAuth(t)
	t.Says(expected)
	without := []*wire.Exchange{first}
	if t.IfSent("control") != nil {
		t.Control("control", "control after")
		without = append(without, t.Answered(LabelNaked))
	}
	for _, x := range without {
		switch {
		case x.Status() == 401:
			t.OK(x, "a request without a token is answered %s", kit.Describe(x))
			continue
		case x.Served():
			t.OK(x, "a request of this kind needs no token")
			continue
		case firewall(x):
			t.NotObservedAt(kit.Intermediary, x, "the refusal looks like the page of an intermediary: %s", kit.Describe(x))
		}
		_, answered := x.Answer()
		t.MustConclude(x, 403)
		onlyToken(t, x)
		switch status := x.Status(); {
		case status == 400, status == 403, status/100 == 3, status == 200 && answered:
			t.Breach(x, expected, kit.Describe(x))
		case status == 404:
			t.Warn(x, expected, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "the request without a token is neither served nor refused for want of it: %s", kit.Describe(x))
		}
	}
}

// InvalidToken judges the status of a refusal of a token that nobody issued.
func (a Access) InvalidToken(t *kit.T) {
	const expected = "HTTP 401 to a token that nobody issued"
	missing := a.OAuth(t)
	x := t.Answered(LabelInvalid)
	t.Says(expected)
	switch status := x.Status(); {
	case status == 401:
		t.OK(x, "an invalid token is answered %s", kit.Describe(x))
	case firewall(x):
		t.NotObservedAt(kit.Intermediary, x, "the refusal looks like the page of an intermediary: %s", kit.Describe(x))
	case slices.Contains(beside, status):
		t.NotObservedAt(kit.Inconclusive, x, "the answer says nothing about the token: %s", kit.Describe(x))
	case missing.Status() != 401:
		// Without a 401 to compare with, the answer may be about something else that is missing.
		t.Blocked(a.Missing, "a request without a token is not answered 401 either: "+kit.Describe(missing))
	default:
		if !x.Served() {
			onlyToken(t, x)
		}
		t.Breach(x, expected, kit.Describe(x))
	}
}

// EmptyToken judges the answer to a header that has no token in it.
func (a Access) EmptyToken(t *kit.T) {
	const expected = "HTTP 400 or 401 to an Authorization header without a token"
	missing := a.OAuth(t)
	x := t.Answered(LabelEmpty)
	t.Says(expected)
	switch status := x.Status(); {
	case status == 400, status == 401:
		t.OK(x, "Authorization: Bearer without a token is answered %s", kit.Describe(x))
	case x.Served():
		t.Breach(x, expected, kit.Describe(x))
	case firewall(x):
		t.NotObservedAt(kit.Intermediary, x, "the refusal looks like the page of an intermediary: %s", kit.Describe(x))
	case missing.Status() != 401:
		t.Blocked(a.Missing, "a request without the header is not answered 401 either: "+kit.Describe(missing))
	case slices.Contains(beside, status):
		t.NotObservedAt(kit.Inconclusive, x, "the answer says nothing about the header: %s", kit.Describe(x))
	default:
		onlyToken(t, x)
		t.Warn(x, expected, kit.Describe(x))
	}
}

// QueryToken judges that tokens are not taken from URLs, as far as the metadata says.
func (a Access) QueryToken(t *kit.T) {
	a.OAuth(t)
	var methods []string
	if m := ResourceMetadata(t); m.Read("bearer_methods_supported", &methods) && slices.Contains(methods, "query") {
		t.Warn(m.Found, "no tokens in the URI query", `the metadata offers it: bearer_methods_supported has "query"`)
		return
	}
	t.NotObserved(kit.Unnamed, "a token in a URL lands in logs, so none is sent there without consent, which this version cannot be given")
}

// ForbiddenStatus judges the status of a refusal that says that the scope of the token does not do. Where softly, it is a warning at most.
func (a Access) ForbiddenStatus(t *kit.T, softly bool) {
	a.holdsToken(t)
	const expected = "HTTP 403 to a valid token that does not cover the request"
	t.Says(expected)
	for _, x := range withToken(t) {
		c, ok := Bearer(x)
		switch {
		case !ok || c.Parameters["error"] != "insufficient_scope":
		case x.Status() == 403:
			t.OK(x, "%s is answered HTTP 403, insufficient_scope", x.RequestMessage().Method)
		case softly:
			t.Warn(x, expected, kit.Describe(x)+", insufficient_scope")
			return
		default:
			t.Breach(x, expected, kit.Describe(x)+", insufficient_scope")
			return
		}
	}
	t.Unseen(kit.Unnamed, "no request was refused for want of a scope; a narrow token would show it")
}

// ForbiddenChallenge judges what the challenge of such a refusal says.
func (a Access) ForbiddenChallenge(t *kit.T) {
	a.holdsToken(t)
	const expected = `error="insufficient_scope", scope and resource_metadata in the challenge of a 403`
	t.Says(expected)
	for _, x := range withToken(t) {
		c, ok := Bearer(x)
		if !ok || x.Status() != 403 {
			continue
		}
		var missing []string
		for _, name := range []string{"scope", "resource_metadata"} {
			if c.Parameters[name] == "" {
				missing = append(missing, "no "+name)
			}
		}
		if code := c.Parameters["error"]; code != "insufficient_scope" {
			missing = append(missing, DescribeError(code))
		}
		if len(missing) == 0 {
			t.OK(x, "the 403 names the scope that is missing")
			continue
		}
		t.Breach(x, expected, "a challenge with "+strings.Join(missing, " and "))
		return
	}
	t.Unseen(kit.Unnamed, "no request was refused by a 403 with a Bearer challenge; a narrow token would show it")
}

// holdsToken stops where no valid token was at hand.
func (a Access) holdsToken(t *kit.T) {
	a.DemandKnown(t)
	if f := t.Facts(); f.Opened != kit.Yes {
		t.NotObserved(kit.Unnamed, NoToken)
	}
}

// withToken are the requests to the endpoint that carried the user's credentials and were as they should be.
func withToken(t *kit.T) []*wire.Exchange {
	return slices.DeleteFunc(AtEndpoint(t), func(x *wire.Exchange) bool {
		return x.Broken != "" || x.Request.Method != "POST" || kit.RequestHeader(x, "Authorization") == ""
	})
}
