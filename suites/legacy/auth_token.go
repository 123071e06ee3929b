package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// authToken is about requests without a token, and with one that does not do. Which token covers which request only the server knows: that
// is judged by what it says of the ordinary traffic.
func authToken(s *kit.Section, access *kit.Script) {
	s.Check("auth.missing-token-401", access, demand.MissingToken)
	s.Check("auth.invalid-token-401", access, demand.InvalidToken)
	s.Check("auth.malformed-400", access, demand.EmptyToken)
	s.Passive("auth.insufficient-scope-403", func(t *kit.T) { demand.ForbiddenStatus(t, false) })
	s.Passive("auth.insufficient-scope-challenge", demand.ForbiddenChallenge)

	s.Check("auth.token-per-request", access, func(t *kit.T) {
		demand.OAuth(t)
		if t.IfSent("control") == nil {
			t.NotObserved(kit.Unnamed, judges.NoToken)
		}
		t.Control("control", "control after")
		const expected = "HTTP 401 to a request with the id of a session and without the token that opened it"
		t.Says(expected)
		x := t.Answered(judges.LabelNaked)
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

	s.Check("auth.query-token-refused", access, demand.QueryToken)
}
