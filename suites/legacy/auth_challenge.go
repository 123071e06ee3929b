package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// authChallenge is about what a 401 says.
func authChallenge(s *kit.Section, access *kit.Script) {
	s.Check("auth.401-www-authenticate", access, func(t *kit.T) {
		demand.OAuth(t)
		const expected = "WWW-Authenticate with a Bearer challenge on every 401"
		t.Says(expected)
		var bad []*wire.Exchange
		for _, x := range judges.AtEndpoint(t) {
			if x.Status() != 401 {
				continue
			}
			if c, ok := judges.Bearer(x); ok {
				if len(c.Twice) > 0 {
					t.Note(x, "a challenge gives %s twice, with different values; clients differ in which one they take", c.Twice[0])
				}
				t.OK(x, "a 401 carries a Bearer challenge")
				continue
			}
			bad = append(bad, x)
		}
		switch first := firstOf(t, bad); {
		case first == nil && !t.Observed():
			t.Blocked("auth.missing-token-401", "nothing was answered 401")
		case first == nil:
		case t.Since("2025-06-18") && t.Before("2025-11-25"):
			t.Breach(first, expected, judges.DescribeChallenge(first))
		default:
			t.Warn(first, expected, judges.DescribeChallenge(first))
		}
	})

	s.Check("auth.challenge.resource-metadata", access, func(t *kit.T) { judges.ChallengeMetadata(t, demand.Challenged) })

	s.Check("auth.challenge.scope", access, func(t *kit.T) { judges.ChallengeScope(t, demand.Challenged) })

	s.Check("auth.challenge.invalid-token", access, func(t *kit.T) {
		missing, without := demand.Challenged(t)
		x := t.Answered(judges.LabelInvalid)
		if x.Status() != 401 {
			t.Blocked("auth.invalid-token-401", "the invalid token is not answered 401: "+kit.Describe(x))
		}
		with, ok := judges.Bearer(x)
		if !ok {
			t.Blocked("auth.401-www-authenticate", "the 401 to the invalid token has no Bearer challenge")
		}
		t.Says(`error="invalid_token" where a token was refused, and no error where there was none`)
		switch refused, absent := with.Parameters["error"], without.Parameters["error"]; {
		case refused != "invalid_token":
			t.Note(x, `the challenge to an invalid token has %s, not error="invalid_token"`, judges.DescribeError(refused))
		case absent != "":
			t.Note(missing, "the challenge to a request without a token has error=%s, as if one had been refused", kit.Quote([]byte(absent)))
		default:
			t.OK(x, "the challenge tells a refused token from a missing one")
		}
	})
}

// firstOf prefers an exchange of the check's own script: it is the one that confirming repeats at the least cost.
func firstOf(t *kit.T, list []*wire.Exchange) *wire.Exchange {
	for _, x := range list {
		if t.Transcript().Exchange(x.Label) == x {
			return x
		}
	}
	if len(list) > 0 {
		return list[0]
	}
	return nil
}
