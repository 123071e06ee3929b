package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// The tokens of a server that wants some. They are constants: what guards nothing needs no secrets.
const (
	TokenFull          = "refserver-token"          // may do everything
	TokenNarrow        = "refserver-narrow"         // may do everything but call tools
	TokenOtherAudience = "refserver-other-audience" // was issued for another server
)

const (
	scopeRead = "mcp:read"
	scopeCall = "mcp:call" // what tools/call needs beside scopeRead

	challengeHeader = "Www-Authenticate"
)

// The paths beside the endpoint where a protected server can be reached: metadata, and the endpoints of its own authorization
// server, which logs nobody in.
const (
	pathResource     = "/.well-known/oauth-protected-resource" // RFC 9728; followed by the path of the endpoint, or alone
	pathAuthServer   = "/.well-known/oauth-authorization-server"
	pathAuthorize    = "/authorize"
	pathToken        = "/token"
	pathRegistration = "/register"
)

// AuthPaths are served beside Path where the profile wants credentials.
func AuthPaths() []string {
	return []string{pathResource + Path, pathResource, pathAuthServer, pathAuthServer + Path,
		pathAuthorize, pathToken, pathRegistration}
}

// bearer returns the token that the client sent, and how its Authorization header is to be taken: absent (or of another scheme,
// which is as good as none), malformed, or a token (OAuth 2.1, section 5.1.1). A token in the query is not looked at
// (basic/authorization#token-requirements).
func (x *Exchange) bearer() (token string, given, malformed bool) {
	lines := x.R.Header.Values("Authorization")
	if len(lines) == 0 {
		return "", false, false
	}
	scheme, token, _ := strings.Cut(strings.TrimSpace(lines[0]), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", false, false
	}
	token = strings.TrimSpace(token)
	return token, true, len(lines) > 1 || token == "" || strings.ContainsAny(token, " ,\t")
}

// CheckTokenForm refuses a header that is no token: "invalid ... or malformed authorization request: 400" (basic/authorization#error-handling).
func CheckTokenForm(x *Exchange) *Answer {
	if _, _, malformed := x.bearer(); !x.Site.Auth || !malformed {
		return nil
	}
	return x.challenge(http.StatusBadRequest, "invalid_request", scopeRead, "the Authorization header is not Bearer and one token")
}

// CheckTokenPresent refuses whoever has no token: "authorization required or token invalid: 401". Where there is no token the challenge names no error
// (OAuth 2.1, section 5.3).
func CheckTokenPresent(x *Exchange) *Answer {
	if _, given, _ := x.bearer(); !x.Site.Auth || given || x.lastHadToken() {
		return nil
	}
	return x.challenge(http.StatusUnauthorized, "", scopeRead, "this server wants a token")
}

// CheckTokenValid refuses a token that nobody issued.
func CheckTokenValid(x *Exchange) *Answer {
	token, given, _ := x.bearer()
	valid := slices.Contains([]string{TokenFull, TokenNarrow, TokenOtherAudience}, token)
	x.sawToken(given && valid)
	if !x.Site.Auth || !given || valid {
		return nil
	}
	return x.challenge(http.StatusUnauthorized, "invalid_token", scopeRead, "the token is not valid")
}

// CheckAudience refuses a token that was not issued for this server (basic/authorization#token-handling).
func CheckAudience(x *Exchange) *Answer {
	if token, _, _ := x.bearer(); !x.Site.Auth || token != TokenOtherAudience {
		return nil
	}
	return x.challenge(http.StatusUnauthorized, "invalid_token", scopeRead, "the token was issued for another server")
}

// CheckScope refuses a valid token that does not cover the operation with 403 (basic/authorization#error-handling), and the challenge
// names the scopes that would (2025-11-25: basic/authorization#runtime-insufficient-scope-errors).
func CheckScope(x *Exchange) *Answer {
	token, _, _ := x.bearer()
	calls := slices.ContainsFunc(x.Messages, func(m jsonrpc.Message) bool { return m.Kind == jsonrpc.KindRequest && m.Method == "tools/call" })
	if !x.Site.Auth || token != TokenNarrow || !calls {
		return nil
	}
	return x.challenge(http.StatusForbidden, "insufficient_scope", scopeRead+" "+scopeCall, "the token does not cover tools/call")
}

// challenge refuses and tells where to get a token (RFC 9728, section 5.1).
func (x *Exchange) challenge(status int, code, scope, text string) *Answer {
	a := RefuseText(status, "%s", text)
	value := "Bearer "
	if code != "" {
		value += `error="` + code + `", `
	}
	value += `resource_metadata="` + x.origin() + pathResource + Path + `", scope="` + scope + `"`
	a.Header.Set(challengeHeader, value)
	return a
}

// origin is that of the server as the client sees it.
func (x *Exchange) origin() string {
	if x.R.TLS != nil {
		return "https://" + x.R.Host
	}
	return "http://" + x.R.Host
}

// resourceMetadata is the document of RFC 9728.
type resourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	Scopes               []string `json:"scopes_supported"`
	BearerMethods        []string `json:"bearer_methods_supported"`
}

// serverMetadata is the document of RFC 8414.
type serverMetadata struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RegistrationEndpoint  string   `json:"registration_endpoint"`
	Scopes                []string `json:"scopes_supported"`
	ResponseTypes         []string `json:"response_types_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	TokenAuthMethods      []string `json:"token_endpoint_auth_methods_supported"`
}

// ServesAuth tells whether a request is for one of the paths of AuthPaths, which are there for whoever asks.
func (s *Site) ServesAuth(r *http.Request) bool {
	return s.Auth && slices.Contains(AuthPaths(), r.URL.Path)
}

// ServeAuth answers such a request.
func (x *Exchange) ServeAuth() {
	if refusal := CheckHost(x); refusal != nil {
		refusal.Outcome = "bad-host"
		x.Send(*refusal)
		return
	}
	scopes, origin := []string{scopeRead, scopeCall}, x.origin()
	resource := resourceMetadata{
		Resource: origin, AuthorizationServers: []string{origin}, Scopes: scopes, BearerMethods: []string{"header"},
	}
	switch x.R.URL.Path {
	case pathResource + Path:
		resource.Resource += Path
		x.document("prm", http.StatusOK, resource)
	case pathResource:
		x.document("prm-root", http.StatusOK, resource)
	case pathAuthServer:
		x.document("as-metadata", http.StatusOK, serverMetadata{
			Issuer: origin, AuthorizationEndpoint: origin + pathAuthorize, TokenEndpoint: origin + pathToken,
			RegistrationEndpoint: origin + pathRegistration, Scopes: scopes, ResponseTypes: []string{"code"},
			GrantTypes: []string{"authorization_code"}, ChallengeMethods: []string{"S256"}, TokenAuthMethods: []string{"none"},
		})
	case pathAuthServer + Path:
		// The document stands at the root whatever the path of the endpoint (2025-03-26: basic/authorization#authorization-base-url).
		x.Send(plain("as-metadata-below", http.StatusNotFound, "see "+pathAuthServer))
	case pathAuthorize:
		x.noLogin("authorize", http.MethodGet)
	case pathToken:
		x.noLogin("token", http.MethodPost)
	case pathRegistration:
		x.noLogin("register", http.MethodPost)
	}
}

// document answers a GET with a JSON document.
func (x *Exchange) document(outcome string, status int, content any) {
	a := NewAnswer(outcome, status)
	a.Header.Set("Content-Type", typeJSON)
	a.Body = jsonrpc.Encode(content)
	if x.R.Method != http.MethodGet && status == http.StatusOK {
		a = plain(outcome, http.StatusMethodNotAllowed, "metadata is for GET")
		a.Header.Set("Allow", http.MethodGet)
	}
	x.Send(a)
}

// noLogin is what the endpoints of the authorization server say: nobody can log in, the tokens are constants.
func (x *Exchange) noLogin(outcome, method string) {
	if x.R.Method != method {
		a := plain(outcome, http.StatusMethodNotAllowed, "this endpoint is for "+method)
		a.Header.Set("Allow", method)
		x.Send(a)
		return
	}
	x.document(outcome, http.StatusBadRequest, map[string]string{
		"error": "invalid_request", "error_description": "nobody can log in here: the reference server takes the tokens of its documentation",
	})
}
