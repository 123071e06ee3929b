package modern

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// demand is what the judgements about authorization are told of this era.
var demand = judges.Access{
	Request: "the request",
	Opened:  func(t *kit.T) *wire.Exchange { return t.IfSent("control") },
	Root:    "modern.discover.implemented", Missing: "modern.auth.missing-token-401", Challenge: "modern.auth.www-authenticate-present",
	Invalid: "modern.auth.invalid-token-401", Document: "modern.auth.prm-discovery",
	Sign: signOfOAuth,
}

// signOfOAuth says what shows that the server uses OAuth; "" where nothing does. A Bearer challenge does not: a static token has one too.
// Where that cannot be known it ends the judgement.
func signOfOAuth(t *kit.T, _ judges.Access) string {
	if c, ok := judges.Bearer(t.Transcript().Exchange(judges.LabelBare)); ok && c.Parameters["resource_metadata"] != "" {
		return "the challenge names resource metadata"
	}
	m := judges.ResourceMetadata(t)
	switch {
	case m.Found != nil:
		return "there is a metadata document at " + m.Found.Request.URL
	case m.Unclear != "":
		t.NotObserved(m.Cause, "the challenge names no metadata, and whether there is a document could not be seen: %s", m.Unclear)
	}
	return ""
}

// auth is about the server as OAuth resource server. Nothing here sends a credential of the user anywhere but to the endpoint, and
// metadata is fetched from the endpoint's own origin only.
func auth(s *kit.Section) {
	access := s.Script("modern.auth/access", kit.BareAlone, func(c *kit.C) {
		if !judges.WantsCredentials(c.Facts) {
			return
		}
		naked := []client.Option{client.WithoutCredentials(), client.Broken("without credentials")}
		method, held := methodDiscover, len(c.Facts.Credentials) > 0 && !c.Facts.Challenged && c.Facts.Safe != ""
		// What a server is may be told to everybody, and what it has to some.
		if held && c.Facts.List != "" && (c.Facts.Safe != methodDiscover || c.Call("open request", methodDiscover, naked...).Served()) {
			method = c.Facts.List
		}
		if held {
			c.Call("control", method)
			// On the connection of the control, which ends with it: what follows comes on another one.
			c.Call(judges.LabelNaked, method, append(naked, client.WithHeader("Connection", "close"))...)
		}
		bare := c.Call(judges.LabelBare, method, naked...)
		if !bare.Served() {
			c.Call(judges.LabelInvalid, method, client.WithoutCredentials(), client.WithBogusAuthorization(judges.BogusToken), client.Broken("with an invalid token"))
			c.Call(judges.LabelEmpty, method, client.WithoutCredentials(), client.WithBogusAuthorization("Bearer"),
				client.Broken("with Authorization: Bearer and no token"))
			fetchMetadata(c, bare)
		}
		if held {
			c.Call("control after", method)
		}
	}, kit.Outside())

	s.Check("modern.auth.conforms-if-used", access, func(t *kit.T) {
		x := demand.Refusal(t)
		const expected = "a sign of OAuth where credentials are wanted: resource_metadata in the challenge, or a metadata document"
		t.Says(expected)
		if sign := signOfOAuth(t, demand); sign != "" {
			t.OK(x, "%s", sign)
			return
		}
		t.Breach(x, expected, kit.Describe(x)+", and no metadata document")
	})
	authTokens(s, access)
	authChallenges(s, access)
	authMetadata(s, access)
}

// maxRedirects is how many redirects are followed for one document, within the origin.
const maxRedirects = 2

// fetchMetadata looks for the document that a client would look for after a refusal, at the endpoint's own origin and without credentials.
func fetchMetadata(c *kit.C, refused *wire.Exchange) {
	endpoint := c.Environment.URL
	challenge, _ := judges.Bearer(refused)
	var found *wire.Exchange
	look := func(label, from string) {
		if found != nil && judges.IsDocument(found) {
			return
		}
		for hop := 0; ; hop++ {
			found = c.Do(label, http.MethodGet, nil, client.WithURL(from), client.WithoutCredentials(), client.WithAccept("application/json"),
				client.Broken("for metadata at "+from))
			to := judges.RedirectOf(found)
			if hop == maxRedirects || to == "" || !judges.SameOrigin(to, endpoint) {
				return
			}
			label, from = label+judges.Redirected, to
		}
	}
	named, path := challenge.Parameters["resource_metadata"], judges.EndpointPath(endpoint)
	atPath, atRoot := judges.AtOrigin(endpoint, judges.ResourceMetadataPath+path), judges.AtOrigin(endpoint, judges.ResourceMetadataPath)
	if judges.IsURL(named) && judges.SameOrigin(named, endpoint) {
		look(judges.LabelNamed, named)
	}
	if path != "" && named != atPath {
		look(judges.LabelPath, atPath)
	}
	if named != atRoot {
		look(judges.LabelRoot, atRoot)
	}
}

// authTokens is about requests without a token, and with one that does not do.
func authTokens(s *kit.Section, access *kit.Script) {
	s.Check("modern.auth.missing-token-401", access, demand.MissingToken)
	s.Check("modern.auth.invalid-token-401", access, demand.InvalidToken)
	s.Check("modern.auth.malformed-400", access, demand.EmptyToken)
	s.Passive("modern.auth.forbidden-403", func(t *kit.T) { demand.ForbiddenStatus(t, true) })
	s.Passive("modern.auth.insufficient-scope-403", demand.ForbiddenChallenge)
	s.Check("modern.auth.token-in-query-not-accepted", access, demand.QueryToken)
	s.Check("modern.auth.token-on-every-request", access, func(t *kit.T) {
		const expected = "HTTP 401 to a request without the token, on a connection that it was sent on before"
		t.Late()
		demand.DemandKnown(t)
		t.Says(expected)
		if t.IfSent("control") == nil {
			t.NotObserved(kit.Unnamed, judges.NoToken)
		}
		t.Control("control", "control after")
		x, fresh := t.Answered(judges.LabelNaked), t.Answered(judges.LabelBare)
		switch {
		case fresh.Served():
			t.NotApplicable(judges.OpenToAll)
		case x.Conn != t.Answered("control").Conn:
			t.NotObservedAt(kit.Inconclusive, x, "the request did not come on the connection of the one with the token")
		case x.Served() && fresh.Status() == 401:
			t.Breach(x, expected, "served, while the same on another connection is answered 401")
		case x.Status() == 401:
			t.OK(x, "a connection does not stand in for the token")
		default:
			t.Blocked("modern.auth.missing-token-401", "a request without the token is not answered 401: "+kit.Describe(x))
		}
	})
}

// authChallenges is about what a 401 says.
func authChallenges(s *kit.Section, access *kit.Script) {
	s.Check("modern.auth.www-authenticate-present", access, func(t *kit.T) {
		demand.OAuth(t)
		const expected = "WWW-Authenticate with a Bearer challenge on every 401"
		t.Says(expected)
		for _, label := range []string{judges.LabelNaked, judges.LabelBare, judges.LabelInvalid} {
			x := t.IfSent(label)
			if x == nil || x.Status() != 401 {
				continue
			}
			c, ok := judges.Bearer(x)
			if !ok {
				t.Warn(x, expected, judges.DescribeChallenge(x))
				return
			}
			if len(c.Twice) > 0 {
				t.Note(x, "a challenge gives %s twice, with different values; clients differ in which one they take", c.Twice[0])
			}
			t.OK(x, "a 401 carries a Bearer challenge")
		}
		if !t.Observed() {
			t.Blocked("modern.auth.missing-token-401", "nothing was answered 401")
		}
	})
	s.Check("modern.auth.challenge-scope", access, func(t *kit.T) { judges.ChallengeScope(t, demand.Challenged) })
	s.Check("modern.auth.invalid-token-error-attribute", access, func(t *kit.T) {
		demand.OAuth(t)
		const expected = `error="invalid_token" in the challenge to a token that nobody issued`
		t.Says(expected)
		x := t.Answered(judges.LabelInvalid)
		if x.Status() != 401 {
			t.Blocked("modern.auth.invalid-token-401", "the invalid token is not answered 401: "+kit.Describe(x))
		}
		c, ok := judges.Bearer(x)
		switch code := c.Parameters["error"]; {
		case !ok:
			t.Blocked("modern.auth.www-authenticate-present", "the 401 to the invalid token has no Bearer challenge")
		case code == "invalid_token":
			t.OK(x, "the challenge says invalid_token")
		default:
			t.Warn(x, expected, "a challenge with "+judges.DescribeError(code))
		}
	})
	s.Check("modern.auth.no-offline-access-scope", access, func(t *kit.T) {
		const expected = "no offline_access among the scopes of the resource"
		t.Says(expected)
		x := demand.OAuth(t)
		for _, challenging := range []*wire.Exchange{x, t.IfSent(judges.LabelInvalid)} {
			if c, ok := judges.Bearer(challenging); ok && slices.Contains(strings.Fields(c.Parameters["scope"]), offline) {
				t.Breach(challenging, expected, "scope="+kit.Quote([]byte(c.Parameters["scope"]))+" in the challenge")
				return
			}
		}
		var scopes []string
		m := judges.ResourceMetadata(t)
		switch {
		case m.Read("scopes_supported", &scopes) && slices.Contains(scopes, offline):
			t.Breach(m.Found, expected, "scopes_supported "+kit.JSON(m.Members["scopes_supported"]))
		case m.Found == nil && m.Unclear != "":
			t.NotObserved(m.Cause, "%s", m.Unclear)
		default:
			t.OK(x, "neither a challenge nor the document has offline_access")
		}
	})
}

const offline = "offline_access"
