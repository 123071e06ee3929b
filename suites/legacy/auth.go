package legacy

import (
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// accessScript is the name of the conversation that looks at authorization. It needs no session, so that it is all that is recorded
// where a server wants credentials that we do not have.
const accessScript = "auth/access"

// tellsResourceMetadata tells whether the conversation shows metadata of the protected resource, or the name of some.
func tellsResourceMetadata(tr *wire.Transcript) bool {
	if c, ok := judges.Bearer(tr.Exchange(judges.LabelBare)); ok && c.Parameters["resource_metadata"] != "" {
		return true
	}
	return slices.ContainsFunc([]string{judges.LabelNamed, judges.LabelPath, judges.LabelRoot}, func(label string) bool { return judges.IsDocument(judges.LastRedirect(tr, label)) })
}

// auth is about the server as OAuth resource server. Nothing here sends a credential of the user anywhere but to the endpoint, and
// metadata is fetched from the endpoint's own origin only.
func auth(s *kit.Section) {
	access := s.Script(accessScript, kit.BareAlone, func(c *kit.C) {
		if c.OldTransport() || !judges.WantsCredentials(c.Facts) {
			return
		}
		if len(c.Facts.Credentials) > 0 && !c.Facts.Challenged && c.Facts.Safe != "" && c.Open().Served() {
			withoutToken(c)
		}
		bare := c.Initialize(judges.LabelBare, c.Revision, client.WithoutCredentials(), client.Broken("without credentials"))
		if bare.Served() || c.Before("2025-03-26") {
			// The oldest revision knows no authorization, so there is nothing that the answers to tokens could break.
			return
		}
		c.Initialize(judges.LabelInvalid, c.Revision, client.WithoutCredentials(), client.WithBogusAuthorization(judges.BogusToken),
			client.Broken("with an invalid token"))
		c.Initialize(judges.LabelEmpty, c.Revision, client.WithoutCredentials(), client.WithBogusAuthorization("Bearer"),
			client.Broken("with Authorization: Bearer and no token"))
		fetchMetadata(c, bare)
	}, kit.Outside())

	s.Check("auth.optional", access, func(t *kit.T) {
		t.Says("initialize served without credentials, or a demand for some")
		if judges.Open(t.Facts()) {
			t.OK(nil, "the server serves initialize without credentials")
			return
		}
		demand.DemandKnown(t)
		if x := t.Answered(judges.LabelBare); x.Served() {
			t.OK(x, "the server serves initialize without credentials")
			return
		}
		x := demand.Refusal(t)
		t.OK(x, "the server asks for credentials: %s", kit.Describe(x))
	})

	s.Check("auth.custom-scheme", access, func(t *kit.T) {
		x := demand.Refusal(t)
		t.Says("any scheme that client and server agree on")
		if t.Before("2025-03-26") {
			t.OK(x, "the server asks for credentials, and this revision leaves it to them how: %s", kit.Describe(x))
			return
		}
		if sign := signOfOAuth(t, demand); sign != "" {
			t.NotApplicable("the server uses OAuth: %s", sign)
		}
		t.OK(x, "the server has an authentication of its own: %s", kit.Describe(x))
	})

	s.Check("auth.conforms-if-http", access, func(t *kit.T) {
		x := demand.Refusal(t)
		const expected = "a sign of OAuth where credentials are wanted: a Bearer challenge, or a metadata document"
		t.Says(expected)
		if sign := signOfOAuth(t, demand); sign != "" {
			t.OK(x, "%s", sign)
			return
		}
		t.Breach(x, expected, kit.Describe(x)+", and no metadata document")
	})

	authToken(s, access)
	authChallenge(s, access)
	authMetadata(s, access)
	authServer(s, access)
}

// withoutToken sends a harmless request in a session without the credentials that opened it, between two that have them.
func withoutToken(c *kit.C) {
	c.Safe("control")
	naked := []client.Option{client.WithoutCredentials(), client.Broken("without credentials, in a session that was opened with them")}
	if c.Safe(judges.LabelNaked, naked...).Served() {
		if c.Facts.List != "" && c.Facts.List != c.Facts.Safe {
			c.Call("list without token", c.Facts.List, naked...)
		}
		c.Safe("nobody", client.WithoutCredentials(), client.WithoutSession(), client.Broken("without credentials and session"))
	}
	c.Safe("control after")
}

// demand is what the judgements about authorization are told of this era.
var demand = judges.Access{
	Request: "initialize",
	Opened:  func(t *kit.T) *wire.Exchange { return t.Transcript().Exchange(opening) },
	Root:    "lifecycle.initialize.answered", Missing: "auth.missing-token-401", Challenge: "auth.401-www-authenticate",
	Invalid: "auth.invalid-token-401", Document: "auth.prm.implemented",
	Sign: signOfOAuth,
}

// signOfOAuth says what shows that the server uses OAuth; "" where nothing does. Where that cannot be known it stops.
func signOfOAuth(t *kit.T, _ judges.Access) string {
	for _, x := range judges.AtEndpoint(t) {
		if x.Status() != 401 && x.Status() != 403 {
			continue
		}
		if _, ok := judges.Bearer(x); ok {
			return "the challenge is Bearer"
		}
	}
	resource, server := judges.ResourceMetadata(t), anyServerMetadata(t)
	for _, m := range []judges.Metadata{resource, server} {
		if m.Found != nil {
			return "there is a metadata document at " + m.Found.Request.URL
		}
	}
	for _, m := range []judges.Metadata{resource, server} {
		if m.Unclear != "" {
			t.NotObserved(m.Cause, "the challenge is not Bearer, and whether there is a metadata document could not be seen: %s", m.Unclear)
		}
	}
	return ""
}

// maxRedirects is how many redirects are followed for one document, within the origin.
const maxRedirects = 2

// fetch gets a document from the endpoint's own origin, without credentials.
func fetch(c *kit.C, label, from string) *wire.Exchange {
	for hop := 0; ; hop++ {
		x := c.Do(label, http.MethodGet, nil, client.WithURL(from), client.WithoutCredentials(), client.WithoutSession(),
			client.WithoutVersion(), client.WithAccept("application/json"), client.Broken("for metadata at "+from))
		to := judges.RedirectOf(x)
		if hop == maxRedirects || to == "" || !judges.SameOrigin(to, c.Environment.URL) {
			return x
		}
		label, from = label+judges.Redirected, to
	}
}
