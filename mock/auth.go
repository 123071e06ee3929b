package mock

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Auth is what a persona wants of its clients. There is no authorization server: who looks for one finds where it would be, and nothing there.
type Auth struct {
	// Token is the one that is taken; none is where it is empty.
	Token string
	// Bare has the challenge leave out where the metadata is, so that clients have to look for it.
	Bare bool
	// Narrow has the token not be enough for calls of tools.
	Narrow bool
}

const (
	// metadataPath is where the metadata is: no well-known place, so that only who reads the challenge finds it.
	metadataPath = "/mcpcheck/resource-metadata"
	// issuerPath tells the authorization server that there would be from this one: clients have three places to look for its metadata in.
	issuerPath = "/mcpcheck/issuer"
	// wellKnown is where it is for those that have to look for it.
	wellKnown = "/.well-known/oauth-protected-resource"
)

// authPersonas want a token.
func authPersonas(token string, modern bool) []Persona {
	base := plain()
	if modern {
		base = modernOnly()
	}
	wants := func(name, about string, a Auth) Persona {
		p := base
		p.Name, p.About, p.Conforms, p.Auth, p.Person = name, about, false, &a, "no client gets in: go on once yours has given up; a page to log in has nothing behind it"
		if a.Token != "" {
			p.Person = "have your client send the token that you gave to --auth, as Authorization: Bearer"
		}
		if modern {
			p.Name = "modern-" + name
		}
		p.Profile.Name = p.Name
		return p
	}
	refused := wants("auth-refused", "takes no token, and names where its metadata is", Auth{})
	bare := wants("auth-bare", "takes no token, and does not say where its metadata is", Auth{Bare: true})
	return []Persona{
		wants("auth", "wants the test token", Auth{Token: token}),
		refused, refused, bare, bare, // what a client leaves undone counts on two tries
		wants("auth-scope", "wants the test token, which is not enough to call a tool", Auth{Token: token, Narrow: true}),
	}
}

// A doorman stands before a persona that wants a token.
type doorman struct {
	Auth
	next http.Handler
	path string // of the endpoint
}

func (d *doorman) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && slices.Contains(d.metadata(), r.URL.Path):
		w.Header().Set("Content-Type", "application/json")
		origin := "http://" + r.Host
		issuer := origin
		if !d.Bare {
			issuer += issuerPath
		}
		_ = json.NewEncoder(w).Encode(map[string]any{ // to a client that may be gone
			"resource": origin + d.path, "authorization_servers": []string{issuer}, "bearer_methods_supported": []string{"header"},
		})
	case r.URL.Path != d.path && r.URL.Path != refserver.MessagePath:
		d.next.ServeHTTP(w, r)
	case d.Token == "" || !d.shown(r):
		d.refuse(w, r, http.StatusUnauthorized, "")
	case d.Narrow && calls(r):
		d.refuse(w, r, http.StatusForbidden, "insufficient_scope")
	default:
		d.next.ServeHTTP(w, r)
	}
}

// metadata are the paths where it is.
func (d *doorman) metadata() []string {
	if d.Bare {
		return []string{wellKnown} // the place for this endpoint alone has nothing
	}
	return []string{metadataPath}
}

// shown tells that the request has the token where it belongs.
func (d *doorman) shown(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && strings.TrimSpace(token) == d.Token
}

func (d *doorman) refuse(w http.ResponseWriter, r *http.Request, status int, code string) {
	var about []string
	if code != "" {
		about = append(about, fmt.Sprintf("error=%q", code), `scope="mcpcheck:call"`)
	}
	if !d.Bare {
		about = append(about, fmt.Sprintf("resource_metadata=%q", "http://"+r.Host+metadataPath))
	}
	w.Header().Set("WWW-Authenticate", strings.TrimSpace("Bearer "+strings.Join(about, ", ")))
	http.Error(w, "mcpcheck: this server wants a token, and there is no authorization server to give one", status)
}

// calls tells that a request calls a tool. Its body is read again.
func calls(r *http.Request) bool { return messageOf(r).Method == "tools/call" }

// ofMCP leaves out what a client posts to the authorization server that there would be: it is no message of MCP, and would be judged for
// one.
func ofMCP(exchanges []*wire.Exchange, endpoint string) []*wire.Exchange {
	return slices.DeleteFunc(exchanges, func(x *wire.Exchange) bool {
		u, err := url.Parse(x.Request.URL)
		return x.Request.Method == http.MethodPost && (err != nil || u.Path != endpoint)
	})
}
