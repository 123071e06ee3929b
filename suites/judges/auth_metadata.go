package judges

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// ResourceDocument judges that there is a document about the protected resource. The id is that of the requirement which reports one that
// wants a token.
func ResourceDocument(t *kit.T, search func(*kit.T) Metadata, public string) {
	const expected = "HTTP 200 with a JSON object at resource_metadata or at a well-known address"
	t.Says(expected)
	m := search(t)
	switch {
	case m.Found != nil:
		t.OK(m.Found, "the document is at %s", m.Found.Request.URL)
	case m.Unclear != "":
		t.NotObserved(m.Cause, "%s", m.Unclear)
	case m.Guarded:
		t.Blocked(public, "the document wants a token itself")
	default:
		t.Breach(m.Last, expected, m.LookedAt())
	}
}

// ResourceDiscoverable judges the ways by which clients find it. The ids are those of the requirements that report one which wants a
// token, and that there is none.
func ResourceDiscoverable(t *kit.T, search func(*kit.T) Metadata, public, implemented string) {
	const expected = "a way to the document: resource_metadata of the challenge, or a well-known address"
	t.Says(expected)
	m := search(t)
	switch {
	case m.Found != nil:
		t.OK(m.Found, "clients find the document at %s", m.Found.Request.URL)
	case m.Unclear != "":
		t.NotObserved(m.Cause, "%s", m.Unclear)
	case m.Guarded:
		t.Blocked(public, "the document wants a token itself")
	case m.Named == nil:
		t.Blocked(implemented, "no document was found, and the challenge names none")
	default:
		t.Breach(m.Named, expected, "the challenge names "+m.Named.Request.URL+", but "+m.LookedAt())
	}
}

// AuthorizationServers judges the list of authorization servers in it.
func AuthorizationServers(t *kit.T, document func(*kit.T) Metadata) {
	m := document(t)
	const expected = "a non-empty array of URLs in authorization_servers"
	t.Says(expected)
	var issuers []string
	switch raw, present := m.Members["authorization_servers"]; {
	case !present:
		t.Breach(m.Found, expected, "a document without it")
	case !m.Read("authorization_servers", &issuers) || !slices.ContainsFunc(issuers, IsURL):
		t.Breach(m.Found, expected, kit.JSON(raw))
	default:
		t.OK(m.Found, "the document lists %s", kit.JSON(raw))
	}
}

// ResourceIdentifier judges that it is about the endpoint.
func ResourceIdentifier(t *kit.T, document func(*kit.T) Metadata) {
	m := document(t)
	endpoint := t.Environment().URL
	expected := "resource " + kit.Quote([]byte(endpoint))
	// A client that made the address itself compares with what it made it from, RFC 9728, section 3.3: at the root that is the origin.
	own := m.root(endpoint) && m.Found != m.Named
	switch {
	case own:
		expected = "resource " + kit.Quote([]byte(OriginOf(endpoint))) + ", which the document's address is made from"
	case m.root(endpoint):
		expected += " or its origin"
	}
	t.Says(expected)
	var resource string
	raw, present := m.Members["resource"]
	m.Read("resource", &resource)
	u, absolute := anyAbsolute(resource)
	switch {
	case !present:
		t.Breach(m.Found, expected, "a document without it")
	case !absolute:
		t.Breach(m.Found, expected, kit.JSON(raw)+", which is no absolute URL")
	case u.Fragment == "" && (!own && sameResource(resource, endpoint) || m.root(endpoint) && sameResource(strings.TrimSuffix(resource, "/"), OriginOf(endpoint))):
		t.OK(m.Found, "resource is %s", kit.Quote([]byte(resource)))
	default:
		t.Warn(m.Found, expected, kit.Quote([]byte(resource)))
	}
}

// ResourceNoSlash notes a slash at the end of the resource. The id is that of the requirement which reports a missing one.
func ResourceNoSlash(t *kit.T, document func(*kit.T) Metadata, missing string) {
	m := document(t)
	t.Says("resource without a slash at its end")
	var resource string
	if !m.Read("resource", &resource) {
		t.Blocked(missing, "the document has no resource")
	}
	if strings.HasSuffix(resource, "/") && !strings.HasSuffix(t.Environment().URL, "/") {
		t.Note(m.Found, "resource is %s, while the endpoint works without the slash", kit.Quote([]byte(resource)))
		return
	}
	t.OK(m.Found, "resource is %s", kit.Quote([]byte(resource)))
}

// ResourcePublic judges that it can be read without a token. The id is that of the requirement which reports that there is none.
func ResourcePublic(t *kit.T, search func(*kit.T) Metadata, implemented string) {
	const expected = "the metadata served without a token"
	t.Says(expected)
	m := search(t)
	switch {
	case m.Guarded:
		t.Breach(m.Named, expected, kit.Describe(m.Named)+" from the URL that the challenge names")
	case m.Found != nil:
		t.OK(m.Found, "the document can be read without a token")
	case m.Unclear != "":
		t.NotObserved(m.Cause, "%s", m.Unclear)
	default:
		t.Blocked(implemented, "no document was found")
	}
}

// ResourceMetadataPath is the well-known path of RFC 9728.
const ResourceMetadataPath = "/.well-known/oauth-protected-resource"

// Metadata is what became of the search for one document.
type Metadata struct {
	// Found is the answer that holds it, Last the last that does not.
	Found, Last *wire.Exchange
	// Members are those of the document.
	Members map[string]json.RawMessage
	// Named is the answer from the URL that the challenge names; Guarded: it wants a token.
	Named   *wire.Exchange
	Guarded bool
	// AtRoot: it was found at the root.
	AtRoot bool
	// Unclear says why the search says nothing, where it does not; Cause is the cause of that.
	Unclear string
	Cause   kit.Cause
	// Tried is how many addresses were looked at.
	Tried int
}

// Read reads a member of the document; false where it is absent, null or of another type.
func (m *Metadata) Read(name string, into any) bool {
	raw := m.Members[name]
	return strings.TrimSpace(string(raw)) != "null" && json.Unmarshal(raw, into) == nil
}

// root tells whether the document stands at the well-known path of the root.
func (m *Metadata) root(endpoint string) bool {
	return m.Found.Request.URL == AtOrigin(endpoint, ResourceMetadataPath)
}

// LookedAt says what was found instead.
func (m *Metadata) LookedAt() string {
	if m.Tried == 1 {
		return kit.Describe(m.Last) + " at " + m.Last.Request.URL
	}
	return fmt.Sprintf("none at %d addresses, the last answered %s", m.Tried, kit.Describe(m.Last))
}

// Try looks at the answer to one request, nil where none was sent; true where it holds the document.
func (m *Metadata) Try(t *kit.T, x *wire.Exchange) bool {
	if x == nil {
		return false
	}
	m.Tried++
	switch {
	case x.Response != nil && !readable(x):
		m.Cause = kit.Limited
		m.Unclear = fmt.Sprintf("the answer from %s is coded or larger than 256 KiB", x.Request.URL)
	case IsDocument(x):
		m.Found, m.Members = x, DocumentMembers(x)
		return true
	case x.Response == nil, slices.Contains([]int{402, 407, 408, 429}, x.Status()), x.Status() >= 500:
		m.Cause = kit.CauseOf(x, kit.Inconclusive)
		m.Unclear = fmt.Sprintf("GET %s: %s", x.Request.URL, kit.Describe(x))
	default:
		if to := RedirectOf(x); to != "" && !SameOrigin(to, t.Environment().URL) {
			m.Cause = kit.Limited
			m.Unclear = fmt.Sprintf("%s redirects to %s, at another origin, which is not followed", x.Request.URL, kit.Quote([]byte(to)))
		}
	}
	m.Last = x
	return false
}

// IsDocument tells that an answer is 200 with a JSON object.
func IsDocument(x *wire.Exchange) bool { return DocumentMembers(x) != nil }

// DocumentMembers are the members of the JSON object that an answer holds, nil where it is no 200 with one.
func DocumentMembers(x *wire.Exchange) map[string]json.RawMessage {
	if x == nil || x.Status() != 200 || !readable(x) {
		return nil
	}
	var object map[string]json.RawMessage
	_ = json.Unmarshal(x.Response.Body.Bytes(), &object)
	return object
}

// maxDocument is more than any metadata takes; every check of this area reads it anew.
const maxDocument = 256 << 10

// readable tells that an answer is short enough and has no content coding: none was asked for.
func readable(x *wire.Exchange) bool {
	coding := x.Response.Header.Get("Content-Encoding")
	return x.Response.Body.Size() <= maxDocument && (coding == "" || strings.EqualFold(coding, "identity"))
}

// RedirectOf is where an answer to a GET leads, "" where it does not redirect.
func RedirectOf(x *wire.Exchange) string {
	if x.Status()/100 != 3 || x.Response.Header.Get("Location") == "" {
		return ""
	}
	to, err := url.Parse(x.Request.URL)
	if err == nil {
		to, err = to.Parse(x.Response.Header.Get("Location"))
	}
	if err != nil {
		return ""
	}
	to.Fragment = ""
	return to.String()
}
