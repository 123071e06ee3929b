package legacy

import (
	"net/http"
	"slices"
	"strings"

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
	if c, ok := judges.Bearer(tr.Exchange("without credentials")); ok && c.Parameters["resource_metadata"] != "" {
		return true
	}
	return slices.ContainsFunc([]string{labelNamed, labelPath, labelRoot}, func(label string) bool { return judges.IsDocument(lastIn(tr, label)) })
}

const (
	// bogusToken is what no server can have issued.
	bogusToken = "Bearer mcpcheck-invalid"
	// openToAll is why authorization is no matter for a server.
	openToAll = "the server asks for no credentials"
)

// auth is about the server as OAuth resource server. Nothing here sends a credential of the user anywhere but to the endpoint, and
// metadata is fetched from the endpoint's own origin only.
func auth(s *kit.Section) {
	access := s.Script(accessScript, kit.BareAlone, func(c *kit.C) {
		if c.OldTransport() || !wantsCredentials(c.Facts) {
			return
		}
		if len(c.Facts.Credentials) > 0 && !c.Facts.Challenged && c.Facts.Safe != "" && c.Open().Served() {
			withoutToken(c)
		}
		bare := c.Initialize("without credentials", c.Revision, client.WithoutCredentials(), client.Broken("without credentials"))
		if bare.Served() || c.Before("2025-03-26") {
			// The oldest revision knows no authorization, so there is nothing that the answers to tokens could break.
			return
		}
		c.Initialize("invalid token", c.Revision, client.WithoutCredentials(), client.WithBogusAuthorization(bogusToken),
			client.Broken("with an invalid token"))
		c.Initialize("empty token", c.Revision, client.WithoutCredentials(), client.WithBogusAuthorization("Bearer"),
			client.Broken("with Authorization: Bearer and no token"))
		fetchMetadata(c, bare)
	}, kit.Outside())

	s.Check("auth.optional", access, func(t *kit.T) {
		t.Says("initialize served without credentials, or a demand for some")
		if open(t.Facts()) {
			t.OK(nil, "the server serves initialize without credentials")
			return
		}
		demandKnown(t)
		if x := t.Answered("without credentials"); x.Served() {
			t.OK(x, "the server serves initialize without credentials")
			return
		}
		x := refusal(t)
		t.OK(x, "the server asks for credentials: %s", kit.Describe(x))
	})

	s.Check("auth.custom-scheme", access, func(t *kit.T) {
		x := refusal(t)
		t.Says("any scheme that client and server agree on")
		if t.Before("2025-03-26") {
			t.OK(x, "the server asks for credentials, and this revision leaves it to them how: %s", kit.Describe(x))
			return
		}
		if sign := signOfOAuth(t); sign != "" {
			t.NotApplicable("the server uses OAuth: %s", sign)
		}
		t.OK(x, "the server has an authentication of its own: %s", kit.Describe(x))
	})

	s.Check("auth.conforms-if-http", access, func(t *kit.T) {
		x := refusal(t)
		const expected = "a sign of OAuth where credentials are wanted: a Bearer challenge, or a metadata document"
		t.Says(expected)
		if sign := signOfOAuth(t); sign != "" {
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
	if c.Safe("without token", naked...).Served() {
		if c.Facts.List != "" && c.Facts.List != c.Facts.Safe {
			c.Call("list without token", c.Facts.List, naked...)
		}
		c.Safe("nobody", client.WithoutCredentials(), client.WithoutSession(), client.Broken("without credentials and session"))
	}
	c.Safe("control after")
}

// wantsCredentials tells that there may be something to look at.
func wantsCredentials(f *kit.Facts) bool { return f.Challenged || len(f.Credentials) > 0 }

// open tells that a client without any credentials was served.
func open(f *kit.Facts) bool { return len(f.Credentials) == 0 && f.Opened == kit.Yes }

// demandKnown stops where it could not be seen whether the server wants credentials.
func demandKnown(t *kit.T) {
	f := t.Facts()
	switch {
	case open(f):
		t.NotApplicable(openToAll)
	case !wantsCredentials(f):
		t.Blocked("lifecycle.initialize.answered", "initialize was neither served nor answered 401")
	case t.OldTransport():
		t.NotObserved(kit.Limited, "authorization is looked at over Streamable HTTP only")
	}
}

// refusal returns the answer to initialize without credentials, where it turned the client away for want of them.
func refusal(t *kit.T) *wire.Exchange {
	demandKnown(t)
	x := t.Answered("without credentials")
	switch {
	case x.Served():
		t.NotApplicable(openToAll)
	case x.Status() == 401:
		return x
	}
	t.MustConclude(x, 403)
	onlyToken(t, x)
	switch opened := t.Transcript().Exchange("initialize"); {
	case opened == nil || !opened.Served():
		t.NotObservedAt(kit.Inconclusive, x, "initialize without credentials is not answered 401, and none with credentials was served to compare it with: %s", kit.Describe(x))
	case firewall(x):
		t.NotObservedAt(kit.Intermediary, x, "the refusal looks like the page of an intermediary: %s", kit.Describe(x))
	}
	return x
}

// onlyToken stops where header fields other than Authorization were left out as well: what the server misses may be one of those.
func onlyToken(t *kit.T, x *wire.Exchange) {
	others := slices.DeleteFunc(slices.Clone(t.Facts().Credentials), func(name string) bool { return name == "Authorization" })
	if len(others) > 0 {
		t.NotObservedAt(kit.Inconclusive, x, "the request lacked %s of -H as well, so that the answer may be about that: %s", strings.Join(others, ", "), kit.Describe(x))
	}
}

// firewall tells that a refusal looks like the page of something in front of the server.
func firewall(x *wire.Exchange) bool { return x.Status() == 403 && x.MediaType() == "text/html" }

// oauth is refusal for the requirements that only a server which uses OAuth has to meet: one with a scheme of its own is not failed
// for each of them, auth.conforms-if-http says it once.
func oauth(t *kit.T) *wire.Exchange {
	x := refusal(t)
	if signOfOAuth(t) == "" {
		t.NotApplicable("the server has an authentication of its own")
	}
	return x
}

// signOfOAuth says what shows that the server uses OAuth; "" where nothing does. Where that cannot be known it stops.
func signOfOAuth(t *kit.T) string {
	for _, x := range atEndpoint(t) {
		if x.Status() != 401 && x.Status() != 403 {
			continue
		}
		if _, ok := judges.Bearer(x); ok {
			return "the challenge is Bearer"
		}
	}
	resource, server := resourceMetadata(t), anyServerMetadata(t)
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

// redirected is the end of the label under which a redirect was followed.
const redirected = " redirected"

// fetch gets a document from the endpoint's own origin, without credentials.
func fetch(c *kit.C, label, from string) *wire.Exchange {
	for hop := 0; ; hop++ {
		x := c.Do(label, http.MethodGet, nil, client.WithURL(from), client.WithoutCredentials(), client.WithoutSession(),
			client.WithoutVersion(), client.WithAccept("application/json"), client.Broken("for metadata at "+from))
		to := judges.RedirectOf(x)
		if hop == maxRedirects || to == "" || !judges.SameOrigin(to, c.Environment.URL) {
			return x
		}
		label, from = label+redirected, to
	}
}
