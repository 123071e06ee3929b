package modern

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// authMetadata is about the metadata of the protected resource.
func authMetadata(s *kit.Section, access *kit.Script) {
	s.Check("modern.auth.prm-implemented", access, func(t *kit.T) {
		const expected = "HTTP 200 with a JSON object, without a token, from the URL that the challenge names or a well-known one"
		demand.OAuth(t)
		t.Says(expected)
		switch m := judges.ResourceMetadata(t); {
		case m.Misnamed():
			t.Breach(m.Named, expected, kit.Describe(m.Named)+" from "+m.Named.Request.URL+", which the challenge names")
		case m.Found != nil:
			t.OK(m.Found, "the document is at %s", m.Found.Request.URL)
		case m.Unclear != "":
			t.NotObserved(m.Cause, "%s", m.Unclear)
		default:
			t.Blocked("modern.auth.prm-discovery", "no document was found")
		}
	})
	s.Check("modern.auth.prm-discovery", access, func(t *kit.T) {
		const expected = "a way to the document: resource_metadata of the challenge, or a well-known address"
		demand.OAuth(t)
		t.Says(expected)
		switch m := judges.ResourceMetadata(t); {
		case m.Misnamed():
			t.Blocked("modern.auth.prm-implemented", "what the challenge names is no document: "+kit.Describe(m.Named))
		case m.Found != nil && m.Missed(t):
			t.Warn(m.Named, expected, "the challenge names "+m.Named.Request.URL+", which has none, while "+m.Found.Request.URL+" does")
		case m.Found != nil:
			t.OK(m.Found, "clients find the document at %s", m.Found.Request.URL)
		case m.Unclear != "":
			t.NotObserved(m.Cause, "%s", m.Unclear)
		default:
			t.Breach(m.Last, expected, m.LookedAt())
		}
	})
	s.Check("modern.auth.prm-authorization-servers", access, func(t *kit.T) { judges.AuthorizationServers(t, demand.FoundResource) })
	s.Check("modern.auth.prm-resource", access, func(t *kit.T) { judges.ResourceIdentifier(t, demand.FoundResource, true) })
	s.Check("modern.auth.prm-no-trailing-slash", access, func(t *kit.T) {
		judges.ResourceNoSlash(t, demand.FoundResource, "modern.auth.prm-resource", true)
	})
	s.Check("modern.auth.https-endpoints", access, func(t *kit.T) {
		m := demand.FoundResource(t)
		var issuers []string
		_ = json.Unmarshal(m.Members["authorization_servers"], &issuers)
		issuers = slices.DeleteFunc(issuers, func(issuer string) bool { return !judges.IsURL(issuer) })
		if len(issuers) == 0 {
			t.Blocked("modern.auth.prm-authorization-servers", "the document names no authorization server")
		}
		judges.OverHTTPS(t, m.Found, issuers, client.IsLoopback)
	})
}
