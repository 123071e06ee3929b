package refclient

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// do sends a request to the endpoint, with the token that the client was given. Where the server does not take it, the client looks for
// who gives out others; what comes back is the refusal all the same.
func (c *Client) do(r *http.Request) (*http.Response, error) {
	c.show(r)
	response, err := c.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusUnauthorized && !c.seeks() {
		c.seek(r.Context(), response.Header.Get("WWW-Authenticate"))
	}
	for range 30 {
		again := response.StatusCode == http.StatusForbidden && c.on("insists") || response.StatusCode == http.StatusTooManyRequests && c.on("tries-at-once")
		if !again || r.GetBody == nil {
			break
		}
		_ = response.Body.Close()
		r.Body, _ = r.GetBody() // of bytes
		if response, err = c.HTTP.Do(r); err != nil {
			return nil, err
		}
	}
	return response, nil
}

// show puts the token where it belongs.
func (c *Client) show(r *http.Request) {
	switch {
	case c.Token == "" || c.on("forgets-token") && r.Method != http.MethodPost && r.Method != http.MethodGet,
		c.on("forgets-token") && c.modern && r.Header.Get("Mcp-Method") == "tools/list":
	case c.on("token-in-query"):
		query := r.URL.Query()
		query.Set("access_token", c.Token)
		r.URL.RawQuery = query.Encode()
		r.Header.Set("Authorization", "Bearer "+c.Token)
	case c.on("other-scheme"):
		r.Header.Set("Authorization", "Token "+c.Token)
	default:
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
}

// seeks tells that the client has looked already, and that it does from now on.
func (c *Client) seeks() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.sought
	c.sought = true
	return was
}

// The well-known places.
const (
	placeOfResource = "/.well-known/oauth-protected-resource"
	placeOfServer   = "/.well-known/oauth-authorization-server"
	placeOfOpenID   = "/.well-known/openid-configuration"
)

// seek looks for the metadata of the resource where the challenge says, or else in the well-known places, and then for the authorization
// server that it names.
func (c *Client) seek(ctx context.Context, challenge string) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return
	}
	origin := u.Scheme + "://" + u.Host
	places := []string{origin + placeOfResource + u.Path, origin + placeOfResource}
	if _, rest, ok := strings.Cut(challenge, `resource_metadata="`); ok && !c.on("overlooks-challenge") {
		named, _, _ := strings.Cut(rest, `"`)
		places = []string{named}
	}
	if c.on("looks-at-root-only") {
		places = places[len(places)-1:]
	}
	for _, place := range places {
		var found struct {
			Servers []string `json:"authorization_servers"`
		}
		if !c.fetch(ctx, place, &found) || len(found.Servers) == 0 {
			continue
		}
		places := placesOfServer(found.Servers[0])
		switch {
		case c.on("openid-first"):
			slices.Reverse(places)
		case c.on("one-place-only"):
			places = places[:1]
		}
		for _, place := range places {
			if c.fetch(ctx, place, &found) {
				break
			}
		}
		return
	}
}

// placesOfServer are those where an authorization server may have its metadata, in the order in which clients look.
func placesOfServer(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimRight(u.Path, "/")
	places := []string{origin + placeOfServer + path, origin + placeOfOpenID + path}
	if path != "" {
		places = append(places, origin+path+placeOfOpenID)
	}
	return places
}

// fetch reads a document.
func (c *Client) fetch(ctx context.Context, address string, into any) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return false
	}
	if !c.on("silent-discovery") {
		r.Header.Set("MCP-Protocol-Version", legacyRevisions[len(legacyRevisions)-1])
	}
	response, err := c.HTTP.Do(r)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return err == nil && response.StatusCode == http.StatusOK && json.Unmarshal(body, into) == nil
}
