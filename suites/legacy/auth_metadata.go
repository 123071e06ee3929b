package legacy

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// The well-known paths of RFC 9728 and RFC 8414.
const (
	serverPath = "/.well-known/oauth-authorization-server"
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
	challenge, challenged := judges.Bearer(refused)
	var resource *wire.Exchange
	named := challenge.Parameters["resource_metadata"]
	look := func(label, from string) {
		if resource == nil || !judges.IsDocument(resource) && from != named {
			resource = fetch(c, label, from)
		}
	}
	if judges.IsURL(named) && judges.SameOrigin(named, endpoint) {
		look(labelNamed, named)
	}
	if path != "" {
		look(labelPath, judges.AtOrigin(endpoint, judges.ResourceMetadataPath+path))
	}
	look(labelRoot, judges.AtOrigin(endpoint, judges.ResourceMetadataPath))
	if judges.IsDocument(resource) && c.Since("2025-06-18") {
		fetchIssuers(c, resource)
		return
	}
	// In 2025-03-26 the MCP server is, or stands for, the authorization server. Later the document is but another sign of OAuth.
	if c.Since("2025-06-18") && challenged || judges.IsDocument(fetch(c, labelServer, judges.AtOrigin(endpoint, serverPath))) {
		return
	}
	if path != "" && (judges.IsDocument(fetch(c, labelBelow, judges.AtOrigin(endpoint, serverPath+path))) ||
		judges.IsDocument(fetch(c, labelInside, judges.AtOrigin(endpoint, path+serverPath)))) {
		return
	}
	if c.Before("2025-06-18") && challenged && !judges.IsDocument(resource) {
		fetchDefaults(c)
	}
}

// fetchIssuers gets the metadata of authorization servers that share the endpoint's origin.
func fetchIssuers(c *kit.C, resource *wire.Exchange) {
	for i, issuer := range firstIssuers(judges.DocumentMembers(resource)) {
		if u, ok := judges.AbsoluteURL(issuer); ok && judges.SameOrigin(issuer, c.Environment.URL) {
			fetch(c, issuerLabel(i), judges.AtOrigin(issuer, serverPath+strings.TrimSuffix(u.Path, "/")))
		}
	}
}

// fetchDefaults tries the endpoints that stand in for missing metadata, without parameters. /register is left alone: it would create
// a client.
func fetchDefaults(c *kit.C) {
	plain := []client.Option{client.WithoutCredentials(), client.WithoutSession(), client.WithoutVersion()}
	at := func(path string) client.Option { return client.WithURL(judges.AtOrigin(c.Environment.URL, path)) }
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
		judges.ResourceDocument(t, resourceMetadata, "auth.prm.public")
	})

	s.Check("auth.prm.discoverable", access, func(t *kit.T) {
		oauth(t)
		judges.ResourceDiscoverable(t, resourceMetadata, "auth.prm.public", "auth.prm.implemented")
	})

	s.Check("auth.prm.authorization-servers", access, func(t *kit.T) { judges.AuthorizationServers(t, foundResource) })

	s.Check("auth.prm.resource", access, func(t *kit.T) { judges.ResourceIdentifier(t, foundResource) })

	s.Check("auth.prm.resource-no-slash", access, func(t *kit.T) { judges.ResourceNoSlash(t, foundResource, "auth.prm.resource") })

	s.Check("auth.prm.public", access, func(t *kit.T) {
		oauth(t)
		judges.ResourcePublic(t, resourceMetadata, "auth.prm.implemented")
	})
}

// resourceMetadata is the search for the document of the protected resource.
func resourceMetadata(t *kit.T) judges.Metadata {
	var m judges.Metadata
	c, _ := judges.Bearer(t.Transcript().Exchange("without credentials"))
	if named := c.Parameters["resource_metadata"]; judges.IsURL(named) && !judges.SameOrigin(named, t.Environment().URL) {
		// A well-known address of the server's own will do, so it matters only where there is none.
		m.Cause = kit.Limited
		m.Unclear = fmt.Sprintf("the challenge names %s, at another origin than the endpoint, where nothing is fetched from", kit.Quote([]byte(named)))
	}
	if x := lastRedirect(t, labelNamed); x != nil {
		m.Named, m.Guarded = x, x.Status() == 401 || x.Status() == 403
	}
	for _, label := range []string{labelNamed, labelPath, labelRoot} {
		if m.Try(t, lastRedirect(t, label)) {
			return m
		}
	}
	return askedFor(t, m)
}

// serverMetadata is the search for the document of an authorization server, for what is required of it.
func serverMetadata(t *kit.T) judges.Metadata { return askedFor(t, anyServerMetadata(t)) }

// anyServerMetadata is the search for the document of an authorization server at the endpoint's origin. Since 2025-06-18 it is asked for
// only where nothing else shows OAuth.
func anyServerMetadata(t *kit.T) judges.Metadata {
	var m judges.Metadata
	for _, label := range []string{labelServer, labelBelow, labelInside} {
		if m.Try(t, lastRedirect(t, label)) {
			m.AtRoot = label == labelServer
			return m
		}
	}
	return m
}

// askedFor says of a search without a request that it shows nothing.
func askedFor(t *kit.T, m judges.Metadata) judges.Metadata {
	if m.Tried == 0 && m.Unclear == "" {
		m.Cause = kit.Unprovoked
		m.Unclear = "no metadata was asked for: " + whyAborted(t)
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
func foundResource(t *kit.T) judges.Metadata {
	oauth(t)
	m := resourceMetadata(t)
	if m.Found == nil {
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

// endpointPath is the path that well-known addresses are followed by, "" for the root.
func endpointPath(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Path, "/")
}
