package legacy

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// noToken is why requirements that take a valid token were not looked at.
const noToken = "no token was given that the server takes: -H 'Authorization: Bearer …'"

// beside are statuses that say nothing about a token: payment, proxies, time, load and gateways.
var beside = []int{402, 407, 408, 429, 502, 503, 504}

// authToken is about requests without a token, and with one that does not do.
func authToken(s *kit.Section, access *kit.Script) {
	s.Check("auth.missing-token-401", access, func(t *kit.T) {
		const expected = "HTTP 401 to a request without a token"
		first := oauth(t)
		t.Says(expected)
		without := []*wire.Exchange{first}
		if t.IfSent("control") != nil {
			t.Control("control", "control after")
			without = append(without, t.Answered("without token"))
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
	})

	s.Check("auth.invalid-token-401", access, func(t *kit.T) {
		const expected = "HTTP 401 to a token that nobody issued"
		missing := oauth(t)
		x := t.Answered("invalid token")
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
			t.Blocked("auth.missing-token-401", "a request without a token is not answered 401 either: "+kit.Describe(missing))
		default:
			if !x.Served() {
				onlyToken(t, x)
			}
			t.Breach(x, expected, kit.Describe(x))
		}
	})

	s.Check("auth.malformed-400", access, func(t *kit.T) {
		const expected = "HTTP 400 or 401 to an Authorization header without a token"
		missing := oauth(t)
		x := t.Answered("empty token")
		t.Says(expected)
		switch status := x.Status(); {
		case status == 400, status == 401:
			t.OK(x, "Authorization: Bearer without a token is answered %s", kit.Describe(x))
		case x.Served():
			t.Breach(x, expected, kit.Describe(x))
		case firewall(x):
			t.NotObservedAt(kit.Intermediary, x, "the refusal looks like the page of an intermediary: %s", kit.Describe(x))
		case missing.Status() != 401:
			t.Blocked("auth.missing-token-401", "a request without the header is not answered 401 either: "+kit.Describe(missing))
		case slices.Contains(beside, status):
			t.NotObservedAt(kit.Inconclusive, x, "the answer says nothing about the header: %s", kit.Describe(x))
		default:
			onlyToken(t, x)
			t.Warn(x, expected, kit.Describe(x))
		}
	})

	authScope(s)

	s.Check("auth.token-per-request", access, func(t *kit.T) {
		oauth(t)
		if t.IfSent("control") == nil {
			t.NotObserved(kit.Unnamed, noToken)
		}
		t.Control("control", "control after")
		const expected = "HTTP 401 to a request with the id of a session and without the token that opened it"
		t.Says(expected)
		x := t.Answered("without token")
		switch {
		case x.Status() == 401:
			t.OK(x, "a session id does not stand in for the token")
			return
		case !x.Served():
			t.Blocked("auth.missing-token-401", "a request without the token is not answered 401: "+kit.Describe(x))
		case kit.RequestHeader(x, "Mcp-Session-Id") == "":
			t.NotApplicable("%s is open to everybody, and there are no sessions", x.RequestMessage().Method)
		case t.Answered("nobody").Served():
			t.NotApplicable("%s is open to everybody", x.RequestMessage().Method)
		}
		if t.IfSent("list without token") != nil {
			if list := t.Answered("list without token"); list.Status() == 401 {
				t.OK(list, "%s is served without the token, %s is not", x.RequestMessage().Method, list.RequestMessage().Method)
				return
			} else if !list.Served() {
				t.NotObservedAt(kit.Inconclusive, list, "%s is served without the token, and %s is neither served nor answered 401: %s",
					x.RequestMessage().Method, list.RequestMessage().Method, kit.Describe(list))
			}
		}
		t.Warn(x, expected, "served")
	})

	s.Check("auth.query-token-refused", access, func(t *kit.T) {
		oauth(t)
		var methods []string
		if m := resourceMetadata(t); m.Read("bearer_methods_supported", &methods) && slices.Contains(methods, "query") {
			t.Warn(m.Found, "no tokens in the URI query", `the metadata offers it: bearer_methods_supported has "query"`)
			return
		}
		t.NotObserved(kit.Unnamed, "a token in a URL lands in logs, so none is sent there without consent, which this version cannot be given")
	})
}

// authScope is about valid tokens that do not cover a request. Which those are only the server knows: it is judged by what it says
// about requests of the ordinary traffic.
func authScope(s *kit.Section) {
	s.Passive("auth.insufficient-scope-403", func(t *kit.T) {
		holdsToken(t)
		const expected = "HTTP 403 to a valid token that does not cover the request"
		t.Says(expected)
		for _, x := range withToken(t) {
			c, _ := judges.Bearer(x)
			switch {
			case c.Parameters["error"] != "insufficient_scope":
			case x.Status() == 403:
				t.OK(x, "%s is answered HTTP 403, insufficient_scope", x.RequestMessage().Method)
			default:
				t.Breach(x, expected, kit.Describe(x)+", insufficient_scope")
				return
			}
		}
		t.Unseen(kit.Unnamed, "no request was refused for want of a scope; a narrow token would show it")
	})

	s.Passive("auth.insufficient-scope-challenge", func(t *kit.T) {
		holdsToken(t)
		const expected = `error="insufficient_scope", scope and resource_metadata in the challenge of a 403`
		t.Says(expected)
		for _, x := range withToken(t) {
			c, ok := judges.Bearer(x)
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
				missing = append(missing, describeError(code))
			}
			if len(missing) == 0 {
				t.OK(x, "the 403 names the scope that is missing")
				continue
			}
			t.Breach(x, expected, "a challenge with "+strings.Join(missing, " and "))
			return
		}
		t.Unseen(kit.Unnamed, "no request was refused by a 403 with a Bearer challenge; a narrow token would show it")
	})
}

// holdsToken stops where no valid token was at hand.
func holdsToken(t *kit.T) {
	demandKnown(t)
	if f := t.Facts(); f.Opened != kit.Yes {
		t.NotObserved(kit.Unnamed, noToken)
	}
}

// withToken are the requests to the endpoint that carried the user's credentials and were as they should be.
func withToken(t *kit.T) []*wire.Exchange {
	return slices.DeleteFunc(atEndpoint(t), func(x *wire.Exchange) bool {
		return x.Broken != "" || x.Request.Method != "POST" || kit.RequestHeader(x, "Authorization") == ""
	})
}
