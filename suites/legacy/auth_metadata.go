package legacy

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// The well-known paths of RFC 9728 and RFC 8414.
const (
	resourcePath = "/.well-known/oauth-protected-resource"
	serverPath   = "/.well-known/oauth-authorization-server"
)

// Labels of the requests for metadata. The first three are the ways to the document of the resource, in the order of clients.
const (
	labelNamed  = "named resource metadata"
	labelPath   = "resource metadata at the path"
	labelRoot   = "resource metadata at the root"
	labelServer = "server metadata"
	labelBelow  = "server metadata below the path"
	labelInside = "server metadata inside the path"
	labelIssuer = "issuer metadata"
)

// maxIssuers is how many of the authorization servers of a document are looked at.
const maxIssuers = 3

// fetchMetadata looks for the documents that a client would look for after a refusal.
func fetchMetadata(c *kit.C, refused *wire.Exchange) {
	endpoint := c.Environment.URL
	path := endpointPath(endpoint)
	challenge, challenged := bearer(refused)
	var resource *wire.Exchange
	named := challenge.parameters["resource_metadata"]
	look := func(label, from string) {
		if resource == nil || !isDocument(resource) && from != named {
			resource = fetch(c, label, from)
		}
	}
	if isURL(named) && judges.SameOrigin(named, endpoint) {
		look(labelNamed, named)
	}
	if path != "" {
		look(labelPath, originURL(endpoint, resourcePath+path))
	}
	look(labelRoot, originURL(endpoint, resourcePath))
	if isDocument(resource) && c.Since("2025-06-18") {
		fetchIssuers(c, resource)
		return
	}
	// In 2025-03-26 the MCP server is, or stands for, the authorization server. Later the document is but another sign of OAuth.
	if c.Since("2025-06-18") && challenged || isDocument(fetch(c, labelServer, originURL(endpoint, serverPath))) {
		return
	}
	if path != "" && (isDocument(fetch(c, labelBelow, originURL(endpoint, serverPath+path))) ||
		isDocument(fetch(c, labelInside, originURL(endpoint, path+serverPath)))) {
		return
	}
	if c.Before("2025-06-18") && challenged && !isDocument(resource) {
		fetchDefaults(c)
	}
}

// fetchIssuers gets the metadata of authorization servers that share the endpoint's origin.
func fetchIssuers(c *kit.C, resource *wire.Exchange) {
	for i, issuer := range firstIssuers(members(resource)) {
		if u, ok := absoluteURL(issuer); ok && judges.SameOrigin(issuer, c.Environment.URL) {
			fetch(c, issuerLabel(i), originURL(issuer, serverPath+strings.TrimSuffix(u.Path, "/")))
		}
	}
}

// fetchDefaults tries the endpoints that stand in for missing metadata, without parameters. /register is left alone: it would create
// a client.
func fetchDefaults(c *kit.C) {
	plain := []client.Option{client.WithoutCredentials(), client.WithoutSession(), client.WithoutVersion()}
	at := func(path string) client.Option { return client.WithURL(originURL(c.Environment.URL, path)) }
	if c.Do("authorize", "GET", nil, append(plain, at("/authorize"), client.WithAccept("*/*"), client.Broken("without parameters"))...).Status() == 404 {
		return
	}
	c.Do("token", "POST", nil, append(plain, at("/token"), client.WithAccept("application/json"),
		client.WithHeader("Content-Type", "application/x-www-form-urlencoded"), client.Broken("with an empty form"))...)
}

// authMetadata is about the metadata of the protected resource.
func authMetadata(s *kit.Section, access *kit.Script) {
	s.Check("auth.prm.implemented", access, func(t *kit.T) {
		oauth(t)
		const expected = "HTTP 200 with a JSON object at resource_metadata or at a well-known address"
		t.Says(expected)
		m := resourceMetadata(t)
		switch {
		case m.found != nil:
			t.OK(m.found, "the document is at %s", m.found.Request.URL)
		case m.unclear != "":
			t.NotObserved(m.cause, "%s", m.unclear)
		case m.guarded:
			t.Blocked("auth.prm.public", "the document wants a token itself")
		default:
			t.Breach(m.last, expected, m.lookedAt())
		}
	})

	s.Check("auth.prm.discoverable", access, func(t *kit.T) {
		oauth(t)
		const expected = "a way to the document: resource_metadata of the challenge, or a well-known address"
		t.Says(expected)
		m := resourceMetadata(t)
		switch {
		case m.found != nil:
			t.OK(m.found, "clients find the document at %s", m.found.Request.URL)
		case m.unclear != "":
			t.NotObserved(m.cause, "%s", m.unclear)
		case m.guarded:
			t.Blocked("auth.prm.public", "the document wants a token itself")
		case m.named == nil:
			t.Blocked("auth.prm.implemented", "no document was found, and the challenge names none")
		default:
			t.Breach(m.named, expected, "the challenge names "+m.named.Request.URL+", but "+m.lookedAt())
		}
	})

	s.Check("auth.prm.authorization-servers", access, func(t *kit.T) {
		m := foundResource(t)
		const expected = "a non-empty array of URLs in authorization_servers"
		t.Says(expected)
		var issuers []string
		switch raw, present := m.members["authorization_servers"]; {
		case !present:
			t.Breach(m.found, expected, "a document without it")
		case !m.read("authorization_servers", &issuers) || len(issuers) == 0 || !slices.ContainsFunc(issuers, isURL):
			t.Breach(m.found, expected, kit.JSON(raw))
		default:
			t.OK(m.found, "the document lists %s", kit.JSON(raw))
		}
	})

	s.Check("auth.prm.resource", access, func(t *kit.T) {
		m := foundResource(t)
		endpoint := t.Environment().URL
		expected := "resource " + kit.Quote([]byte(endpoint))
		if m.root(endpoint) {
			expected += " or its origin"
		}
		t.Says(expected)
		var resource string
		raw, present := m.members["resource"]
		u, absolute := (*url.URL)(nil), false
		if m.read("resource", &resource) {
			u, absolute = anyAbsolute(resource)
		}
		switch {
		case !present:
			t.Breach(m.found, expected, "a document without it")
		case !absolute:
			t.Breach(m.found, expected, kit.JSON(raw)+", which is no absolute URL")
		case u.Fragment == "" && (sameResource(resource, endpoint) || m.root(endpoint) && sameResource(strings.TrimSuffix(resource, "/"), judges.OriginOf(endpoint))):
			t.OK(m.found, "resource is %s", kit.Quote([]byte(resource)))
		default:
			t.Warn(m.found, expected, kit.Quote([]byte(resource)))
		}
	})

	s.Check("auth.prm.resource-no-slash", access, func(t *kit.T) {
		m := foundResource(t)
		t.Says("resource without a slash at its end")
		var resource string
		if !m.read("resource", &resource) {
			t.Blocked("auth.prm.resource", "the document has no resource")
		}
		if strings.HasSuffix(resource, "/") && !strings.HasSuffix(t.Environment().URL, "/") {
			t.Note(m.found, "resource is %s, while the endpoint works without the slash", kit.Quote([]byte(resource)))
			return
		}
		t.OK(m.found, "resource is %s", kit.Quote([]byte(resource)))
	})

	s.Check("auth.prm.public", access, func(t *kit.T) {
		oauth(t)
		const expected = "the metadata served without a token"
		t.Says(expected)
		m := resourceMetadata(t)
		switch {
		case m.guarded:
			t.Breach(m.named, expected, kit.Describe(m.named)+" from the URL that the challenge names")
		case m.found != nil:
			t.OK(m.found, "the document can be read without a token")
		case m.unclear != "":
			t.NotObserved(m.cause, "%s", m.unclear)
		default:
			t.Blocked("auth.prm.implemented", "no document was found")
		}
	})
}

// metadata is what became of the search for one document.
type metadata struct {
	// found is the answer that holds it, last the last that does not.
	found, last *wire.Exchange
	members     map[string]json.RawMessage
	// named is the answer from the URL that the challenge names; guarded: it wants a token.
	named   *wire.Exchange
	guarded bool
	// atRoot: it was found at the root.
	atRoot bool
	// unclear says why the search says nothing, where it does not.
	unclear string
	// cause is that of unclear.
	cause kit.Cause
	tried int
}

func (m *metadata) read(name string, into any) bool {
	raw, ok := m.members[name]
	return ok && strings.TrimSpace(string(raw)) != "null" && json.Unmarshal(raw, into) == nil
}

// root tells whether the document stands at the well-known path of the root.
func (m *metadata) root(endpoint string) bool {
	return m.found.Request.URL == originURL(endpoint, resourcePath)
}

// lookedAt says what was found instead.
func (m *metadata) lookedAt() string {
	if m.tried == 1 {
		return kit.Describe(m.last) + " at " + m.last.Request.URL
	}
	return fmt.Sprintf("none at %d addresses, the last answered %s", m.tried, kit.Describe(m.last))
}

// try looks at the answer to one request; true where it holds the document.
func (m *metadata) try(t *kit.T, label string) bool {
	x := lastRedirect(t, label)
	if x == nil {
		return false
	}
	m.tried++
	switch {
	case x.Response != nil && !readable(x):
		m.cause = kit.Limited
		m.unclear = fmt.Sprintf("the answer from %s is coded or larger than 256 KiB", x.Request.URL)
	case isDocument(x):
		m.found, m.members = x, members(x)
		return true
	case x.Response == nil, slices.Contains([]int{402, 407, 408, 429}, x.Status()), x.Status() >= 500:
		m.cause = kit.CauseOf(x, kit.Inconclusive)
		m.unclear = fmt.Sprintf("GET %s: %s", x.Request.URL, kit.Describe(x))
	default:
		if to := redirectOf(x); to != "" && !judges.SameOrigin(to, t.Environment().URL) {
			m.cause = kit.Limited
			m.unclear = fmt.Sprintf("%s redirects to %s, at another origin, which is not followed", x.Request.URL, kit.Quote([]byte(to)))
		}
	}
	m.last = x
	return false
}

// resourceMetadata is the search for the document of the protected resource.
func resourceMetadata(t *kit.T) metadata {
	var m metadata
	if c, ok := bearer(t.Transcript().Exchange("without credentials")); ok {
		named := c.parameters["resource_metadata"]
		if isURL(named) && !judges.SameOrigin(named, t.Environment().URL) {
			// A well-known address of the server's own will do, so it matters only where there is none.
			m.cause = kit.Limited
			m.unclear = fmt.Sprintf("the challenge names %s, at another origin than the endpoint, where nothing is fetched from", kit.Quote([]byte(named)))
		}
	}
	if x := lastRedirect(t, labelNamed); x != nil {
		m.named, m.guarded = x, x.Status() == 401 || x.Status() == 403
	}
	for _, label := range []string{labelNamed, labelPath, labelRoot} {
		if m.try(t, label) {
			return m
		}
	}
	if m.tried == 0 && m.unclear == "" {
		m.cause = kit.Unprovoked
		m.unclear = "no metadata was asked for: " + whyAborted(t)
	}
	return m
}

// serverMetadata is the search for the document of an authorization server at the endpoint's origin.
func serverMetadata(t *kit.T) metadata {
	var m metadata
	for _, label := range []string{labelServer, labelBelow, labelInside} {
		if m.try(t, label) {
			m.atRoot = label == labelServer
			return m
		}
	}
	return m
}

func whyAborted(t *kit.T) string {
	if why := t.Transcript().Aborted; why != "" {
		return why
	}
	return "the conversation ended before"
}

// foundResource is the document of the protected resource, for what is required of its content.
func foundResource(t *kit.T) metadata {
	oauth(t)
	m := resourceMetadata(t)
	if m.found == nil {
		t.Blocked("auth.prm.implemented", "no document was found")
	}
	return m
}

// lastRedirect is the answer at the end of the redirects, nil where nothing was sent.
func lastRedirect(t *kit.T, label string) *wire.Exchange { return lastIn(t.Transcript(), label) }

func lastIn(tr *wire.Transcript, label string) *wire.Exchange {
	x := tr.Exchange(label)
	for next := x; next != nil; next = tr.Exchange(label) {
		x, label = next, label+redirected
	}
	return x
}

// isDocument tells that an answer is 200 with a JSON object.
func isDocument(x *wire.Exchange) bool { return members(x) != nil }

func members(x *wire.Exchange) map[string]json.RawMessage {
	if x == nil || x.Response == nil || x.Status() != 200 || !readable(x) {
		return nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(x.Response.Body.Bytes(), &object) != nil {
		return nil
	}
	return object
}

// maxDocument is more than any metadata takes; every check of this area reads it anew.
const maxDocument = 256 << 10

// readable tells that an answer is short enough and has no content coding: none was asked for.
func readable(x *wire.Exchange) bool {
	coding := x.Response.Header.Get("Content-Encoding")
	return x.Response.Body.Size() <= maxDocument && (coding == "" || strings.EqualFold(coding, "identity"))
}

// endpointPath is the path that well-known addresses are followed by, "" for the root.
func endpointPath(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Path, "/")
}

func isURL(s string) bool {
	_, ok := absoluteURL(s)
	return ok
}

// anyAbsolute reads a URI with a scheme and a host.
func anyAbsolute(raw string) (*url.URL, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return nil, false
	}
	return u, true
}

// sameResource compares two URLs: the case of scheme and host and a port that goes without saying do not matter, nor does a query.
func sameResource(a, b string) bool {
	u, err1 := url.Parse(a)
	v, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && judges.SameOrigin(a, b) && u.EscapedPath() == v.EscapedPath() &&
		(u.RawQuery == v.RawQuery || u.RawQuery == "" || v.RawQuery == "")
}
