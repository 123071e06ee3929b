package judges

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// An Access is what the judgements about authorization are told of an era: how it names what they have in common. The conversation has the
// labels below.
type Access struct {
	// Request names the request that is sent without credentials. Opened finds the same as it is with them; nil where none was sent.
	Request string
	Opened  func(*kit.T) *wire.Exchange
	// Root reports where nothing is served, Missing a request without a token that is not answered 401, Challenge a 401 without a
	// challenge, Invalid a token that nobody issued and that is not answered 401, Document that there is none about the resource.
	Root, Missing, Challenge, Invalid, Document string
	// Sign says what shows that the server uses OAuth; "" where nothing does. Where that cannot be known it ends the judgement.
	Sign func(*kit.T, Access) string
}

// Labels of what is sent to the endpoint.
const (
	LabelBare    = "without credentials"
	LabelInvalid = "invalid token"
	LabelEmpty   = "empty token"
	LabelNaked   = "without token"
)

// Labels of the ways to the document of the resource, in the order of clients.
const (
	LabelNamed = "named resource metadata"
	LabelPath  = "resource metadata at the path"
	LabelRoot  = "resource metadata at the root"
)

// Redirected is the end of the label under which a redirect was followed.
const Redirected = " redirected"

// BogusToken is what no server can have issued.
const BogusToken = "Bearer mcpcheck-invalid"

// OpenToAll is why authorization is no matter for a server.
const OpenToAll = "the server asks for no credentials"

// NoToken is why requirements that take a valid token were not looked at.
const NoToken = "no token was given that the server takes: -H 'Authorization: Bearer …'"

// WantsCredentials tells that there may be something to look at.
func WantsCredentials(f *kit.Facts) bool { return f.Challenged || len(f.Credentials) > 0 }

// Open tells that a client without any credentials was served.
func Open(f *kit.Facts) bool { return len(f.Credentials) == 0 && f.Opened == kit.Yes }

// DemandKnown stops where it could not be seen whether the server wants credentials.
func (a Access) DemandKnown(t *kit.T) {
	f := t.Facts()
	switch {
	case Open(f):
		t.NotApplicable(OpenToAll)
	case !WantsCredentials(f):
		t.Blocked(a.Root, a.Request+" was neither served nor answered 401")
	case t.OldTransport():
		t.NotObserved(kit.Limited, "authorization is looked at over Streamable HTTP only")
	}
}

// Refusal returns the answer to a request without credentials, where it turned the client away for want of them.
func (a Access) Refusal(t *kit.T) *wire.Exchange {
	a.DemandKnown(t)
	x := t.Answered(LabelBare)
	switch {
	case x.Served():
		t.NotApplicable(OpenToAll)
	case x.Status() == 401:
		return x
	}
	t.MustConclude(x, 403)
	onlyToken(t, x)
	switch opened := a.Opened(t); {
	case opened == nil || !opened.Served():
		t.NotObservedAt(kit.Inconclusive, x, "%s without credentials is not answered 401, and none with credentials was served to compare it with: %s",
			a.Request, kit.Describe(x))
	case firewall(x):
		t.NotObservedAt(kit.Intermediary, x, "the refusal looks like the page of an intermediary: %s", kit.Describe(x))
	}
	return x
}

// OAuth is Refusal for the requirements that only a server which uses OAuth has to meet: one with a scheme of its own is not failed for
// each of them, one requirement says it once.
func (a Access) OAuth(t *kit.T) *wire.Exchange {
	x := a.Refusal(t)
	if a.Sign(t, a) == "" {
		t.NotApplicable("the server has an authentication of its own")
	}
	return x
}

// Challenged returns the answer to a request without credentials and its Bearer challenge.
func (a Access) Challenged(t *kit.T) (*wire.Exchange, Challenge) {
	x := a.OAuth(t)
	c, ok := Bearer(x)
	switch {
	case !ok && x.Status() != 401:
		t.Blocked(a.Missing, "a request without a token is not answered 401: "+kit.Describe(x))
	case !ok:
		t.Blocked(a.Challenge, "the 401 has no Bearer challenge")
	}
	return x, c
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

// AtEndpoint returns what was exchanged with the MCP endpoint; metadata documents stand elsewhere.
func AtEndpoint(t *kit.T) []*wire.Exchange {
	var all []*wire.Exchange
	endpoint := t.Environment().URL
	if u, err := url.Parse(endpoint); err == nil {
		// As it is sent.
		u.User, u.Fragment = nil, ""
		endpoint = u.String()
	}
	for _, x := range t.Exchanges() {
		if x.Request.URL == endpoint {
			all = append(all, x)
		}
	}
	return all
}

// ResourceMetadata is the search for the document of the protected resource.
func ResourceMetadata(t *kit.T) Metadata {
	var m Metadata
	if c, ok := Bearer(t.Transcript().Exchange(LabelBare)); ok {
		named := c.Parameters["resource_metadata"]
		if IsURL(named) && !SameOrigin(named, t.Environment().URL) {
			// A well-known address of the server's own will do, so it matters only where there is none.
			m.Cause = kit.Limited
			m.Unclear = fmt.Sprintf("the challenge names %s, at another origin than the endpoint, where nothing is fetched from", kit.Quote([]byte(named)))
		}
	}
	if x := LastRedirect(t.Transcript(), LabelNamed); x != nil {
		m.Named, m.Guarded = x, x.Status() == 401 || x.Status() == 403
	}
	for _, label := range []string{LabelNamed, LabelPath, LabelRoot} {
		if m.Try(t, LastRedirect(t.Transcript(), label)) {
			return m
		}
	}
	return AskedFor(t, m)
}

// AskedFor says of a search without a request that it shows nothing.
func AskedFor(t *kit.T, m Metadata) Metadata {
	if m.Tried == 0 && m.Unclear == "" {
		why := t.Transcript().Aborted
		if why == "" {
			why = "the conversation ended before"
		}
		m.Cause = kit.Unprovoked
		m.Unclear = "no metadata was asked for: " + why
	}
	return m
}

// FoundResource is the document of the protected resource, for what is required of its content.
func (a Access) FoundResource(t *kit.T) Metadata {
	a.OAuth(t)
	m := ResourceMetadata(t)
	if m.Found == nil {
		t.Blocked(a.Document, "no document was found")
	}
	return m
}

// LastRedirect is the answer at the end of the redirects, nil where nothing was sent.
func LastRedirect(tr *wire.Transcript, label string) *wire.Exchange {
	x := tr.Exchange(label)
	for next := x; next != nil; next = tr.Exchange(label) {
		x, label = next, label+Redirected
	}
	return x
}

// EndpointPath is the path that well-known addresses are followed by, "" for the root.
func EndpointPath(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Path, "/")
}
