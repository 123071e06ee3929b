package legacy_test

import (
	"net/http"
	"strings"
	"testing"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

func TestAuthWantsAToken(t *testing.T) {
	_, p := start(t, refserver.Config{Profile: profile(t, "auth")})
	const metadata = "/.well-known/oauth-protected-resource/mcp"
	rows := []struct {
		name, authorization string
		status              int
		challenge           []string // what it says
		not                 string   // and what it does not say
	}{
		{"no token", "", 401, []string{"Bearer ", metadata, `scope="mcp:read"`}, "error"},
		{"another scheme", "Basic eDp5", 401, []string{"Bearer "}, "error"},
		{"no token behind the scheme", "Bearer", 400, []string{`error="invalid_request"`}, "invalid_token"},
		{"two tokens", "Bearer a b", 400, []string{`error="invalid_request"`}, "invalid_token"},
		{"unknown token", "Bearer nobody", 401, []string{`error="invalid_token"`, metadata}, "insufficient_scope"},
		{"token for another server", "Bearer " + refserver.TokenOtherAudience, 401, []string{`error="invalid_token"`}, "insufficient_scope"},
		{"the token", "Bearer " + refserver.TokenFull, 200, nil, ""},
		{"the scheme in lower case", "bearer " + refserver.TokenFull, 200, nil, ""},
		{"the narrow token", "Bearer " + refserver.TokenNarrow, 200, nil, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r := p.initialize(revision.V20251125, "Authorization", row.authorization)
			if r.status != row.status {
				t.Fatalf("status %d", r.status)
			}
			challenge := r.header.Get("WWW-Authenticate")
			for _, want := range row.challenge {
				if !strings.Contains(challenge, want) {
					t.Errorf("challenge %q lacks %q", challenge, want)
				}
			}
			if row.not != "" && strings.Contains(challenge, row.not) || row.challenge == nil && challenge != "" {
				t.Errorf("challenge %q", challenge)
			}
		})
	}
	p.url += "?access_token=" + refserver.TokenFull
	if r := p.initialize(revision.V20251125); r.status != 401 {
		t.Errorf("a token in the query: %d", r.status)
	}
}

func TestNarrowTokenMayNotCallTools(t *testing.T) {
	_, p := start(t, refserver.Config{Profile: profile(t, "auth")})
	narrow := []string{"Authorization", "Bearer " + refserver.TokenNarrow}
	p.sid = p.initialize(revision.V20251125, narrow...).header.Get(headerSession)
	if r := p.request("tools/list", "", narrow...); r.status != 200 {
		t.Errorf("tools/list: %d", r.status)
	}
	r := p.request("tools/call", `{"name":"status","arguments":{}}`, narrow...)
	challenge := r.header.Get("WWW-Authenticate")
	if r.status != 403 || !strings.Contains(challenge, `error="insufficient_scope"`) || !strings.Contains(challenge, `scope="mcp:read mcp:call"`) {
		t.Errorf("tools/call: %d %q", r.status, challenge)
	}
	if r := p.request("tools/list", ""); r.status != 401 {
		t.Errorf("a session id in place of a token: %d", r.status)
	}
}

func TestMetadataIsThere(t *testing.T) {
	_, p := start(t, refserver.Config{Profile: profile(t, "auth")})
	origin := strings.TrimSuffix(p.url, refserver.Path)
	rows := []struct {
		method, path string
		status       int
		member, want string
	}{
		{http.MethodGet, "/.well-known/oauth-protected-resource/mcp", 200, "resource", origin + refserver.Path},
		{http.MethodGet, "/.well-known/oauth-protected-resource", 200, "resource", origin},
		{http.MethodGet, "/.well-known/oauth-authorization-server", 200, "issuer", origin},
		{http.MethodGet, "/.well-known/oauth-authorization-server", 200, "token_endpoint", origin + "/token"},
		{http.MethodGet, "/.well-known/oauth-authorization-server/mcp", 404, "", ""},
		{http.MethodGet, "/authorize", 400, "error", "invalid_request"},
		{http.MethodPost, "/token", 400, "error", "invalid_request"},
		{http.MethodPost, "/register", 400, "error", "invalid_request"},
		{http.MethodGet, "/token", 405, "", ""},
		{http.MethodPost, "/.well-known/oauth-protected-resource", 405, "", ""},
	}
	for _, row := range rows {
		p.url = origin + row.path
		r := p.do(row.method, "")
		if r.status != row.status || row.member != "" && (len(r.messages) != 1 || r.messages[0][row.member] != row.want) {
			t.Errorf("%s %s: %d %s", row.method, row.path, r.status, r.raw)
		}
	}
}

func TestOnlyAProtectedServerHasMetadata(t *testing.T) {
	_, p := start(t, refserver.Config{})
	p.url = strings.TrimSuffix(p.url, refserver.Path) + "/.well-known/oauth-protected-resource"
	if r := p.do(http.MethodGet, ""); r.status != 404 {
		t.Errorf("status %d", r.status)
	}
}
