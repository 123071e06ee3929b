package legacy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// authServer is about the authorization server that the metadata leads to, or that the MCP server itself is.
func authServer(s *kit.Section, access *kit.Script) {
	s.Check("auth.https-endpoints", access, func(t *kit.T) {
		oauth(t)
		const expected = "https for the authorization server and its endpoints"
		t.Says(expected)
		addresses := authorizationURLs(t)
		if len(addresses) == 0 {
			t.Blocked(documentOf(t), "no metadata document names an authorization server")
		}
		var local, plain []address
		for _, a := range addresses {
			switch u, _ := judges.AbsoluteURL(a.text); {
			case u.Scheme == "https":
			case client.IsLoopback(u.Hostname()):
				local = append(local, a)
			default:
				plain = append(plain, a)
			}
		}
		switch {
		case len(plain) > 0:
			t.Breach(plain[0].at, expected, describeAddresses(plain))
		case len(local) > 0:
			t.Note(local[0].at, "%s: http does on loopback only", describeAddresses(local))
		default:
			t.OK(addresses[0].at, "%s", describeAddresses(addresses))
		}
	})

	s.Check("auth.as-metadata", access, func(t *kit.T) {
		oauth(t)
		const expected = "HTTP 200 with issuer, authorization_endpoint and token_endpoint at " + serverPath
		t.Says(expected)
		m := serverMetadata(t)
		switch {
		case m.Found == nil && m.Unclear != "":
			t.NotObserved(m.Cause, "%s", m.Unclear)
		case m.Found == nil:
			// This revision knew no other authorization server than the MCP server; one that names its own has told clients where to go.
			if issuers := foreignIssuers(t); len(issuers) > 0 {
				t.NotApplicable("the server names an authorization server elsewhere: %s", describeList(issuers))
			}
			t.Breach(m.Last, expected, m.LookedAt())
			return
		case !m.AtRoot:
			t.Blocked("auth.as-metadata-root", "the document is at "+m.Found.Request.URL)
		}
		var missing []string
		for _, name := range []string{"issuer", "authorization_endpoint", "token_endpoint"} {
			if m.Members[name] == nil {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 {
			t.Breach(m.Found, expected, "a document without "+strings.Join(missing, " and "))
			return
		}
		t.OK(m.Found, "the document is at %s", m.Found.Request.URL)
	})

	s.Check("auth.as-metadata-root", access, func(t *kit.T) {
		oauth(t)
		const expected = "the document at the root of the origin: " + serverPath
		t.Says(expected)
		switch m := serverMetadata(t); {
		case m.Unclear != "":
			t.NotObserved(m.Cause, "%s", m.Unclear)
		case m.Found == nil:
			t.NotApplicable("there is no metadata of an authorization server")
		case !m.AtRoot:
			t.Breach(m.Found, expected, "found only at "+m.Found.Request.URL)
		default:
			t.OK(m.Found, "the document is at %s", m.Found.Request.URL)
		}
	})

	s.Check("auth.as-default-paths", access, func(t *kit.T) {
		oauth(t)
		const expected = "anything but 404 from /authorize and /token, which stand in for missing metadata"
		t.Says(expected)
		for _, m := range []judges.Metadata{serverMetadata(t), resourceMetadata(t)} {
			if m.Found != nil {
				t.NotApplicable("there is metadata, at %s", m.Found.Request.URL)
			}
			if m.Unclear != "" {
				t.NotObserved(m.Cause, "%s", m.Unclear)
			}
		}
		for _, label := range []string{"authorize", "token"} {
			x := t.Answered(label)
			t.MustConclude(x, 401, 402, 403, 407, 500, 501)
			switch x.Status() {
			case 404:
				t.Warn(x, expected, kit.Describe(x))
				return
			case 405:
				t.NotObservedAt(kit.Inconclusive, x, "there is something at the path, and it takes no %s: %s", x.Request.Method, kit.Describe(x))
			}
			t.OK(x, "/%s is there: %s", label, kit.Describe(x))
		}
	})

	s.Check("auth.as-registration", access, func(t *kit.T) {
		oauth(t)
		const expected = "registration_endpoint in the metadata of the authorization server"
		t.Says(expected)
		m := serverMetadata(t)
		if !m.AtRoot {
			t.Blocked("auth.as-metadata", "there is no metadata of an authorization server at the root")
		}
		if raw := m.Members["registration_endpoint"]; raw != nil {
			t.OK(m.Found, "clients can register at %s", kit.JSON(raw))
			return
		}
		t.Breach(m.Found, expected, "a document without it")
	})
}

// foreignIssuers are the authorization servers that the protected resource names, where none of them shares its origin.
func foreignIssuers(t *kit.T) []string {
	issuers := firstIssuers(resourceMetadata(t).Members)
	if slices.ContainsFunc(issuers, func(issuer string) bool { return judges.SameOrigin(issuer, t.Environment().URL) }) {
		return nil
	}
	return issuers
}

// documentOf is the requirement for the document that leads to the authorization server.
func documentOf(t *kit.T) string {
	if t.Before("2025-06-18") {
		return "auth.as-metadata"
	}
	return "auth.prm.implemented"
}

// An address is a URL and the document that names it.
type address struct {
	text string
	at   *wire.Exchange
}

// authorizationURLs are the issuers of the document and the endpoints of those that stand at the same origin; in 2025-03-26 the
// endpoints of the server itself.
func authorizationURLs(t *kit.T) (addresses []address) {
	add := func(x *wire.Exchange, list []string) {
		for _, text := range list {
			addresses = append(addresses, address{text, x})
		}
	}
	if t.Before("2025-06-18") {
		m := serverMetadata(t)
		add(m.Found, endpointsOf(m.Members))
		return addresses
	}
	m := resourceMetadata(t)
	if m.Found == nil {
		return nil
	}
	issuers := firstIssuers(m.Members)
	if len(issuers) == 0 {
		t.Blocked("auth.prm.authorization-servers", "the document names no authorization server")
	}
	add(m.Found, issuers)
	for i := range issuers {
		if x := lastRedirect(t, issuerLabel(i)); judges.IsDocument(x) {
			add(x, endpointsOf(judges.DocumentMembers(x)))
		}
	}
	return addresses
}

// endpointsOf are the URLs in the metadata of an authorization server.
func endpointsOf(document map[string]json.RawMessage) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(document)) {
		var value string
		_ = json.Unmarshal(document[name], &value)
		if (name == "issuer" || strings.HasSuffix(name, "_endpoint")) && judges.IsURL(value) {
			all = append(all, value)
		}
	}
	return all
}

// firstIssuers are those of a document that are looked at.
func firstIssuers(document map[string]json.RawMessage) []string {
	var issuers []string
	_ = json.Unmarshal(document["authorization_servers"], &issuers)
	issuers = slices.DeleteFunc(issuers, func(s string) bool { return !judges.IsURL(s) })
	return issuers[:min(len(issuers), maxIssuers)]
}

func issuerLabel(i int) string { return fmt.Sprintf("%s %d", labelIssuer, i+1) }

func describeAddresses(addresses []address) string {
	var texts []string
	for _, a := range addresses {
		texts = append(texts, a.text)
	}
	return describeList(texts)
}

func describeList(addresses []string) string {
	text := kit.Quote([]byte(addresses[0]))
	if n := len(addresses) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
