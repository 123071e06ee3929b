package clients

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	headerAuthorization = "Authorization"
	wellKnownResource   = "/.well-known/oauth-protected-resource"
	wellKnownServer     = "/.well-known/oauth-authorization-server"
	// nobodyWants is why there is nothing to see where no server wanted a token.
	nobodyWants = "no server wanted a token: --auth TOKEN has some want the one that is named"
)

// tokenIn is the scheme by which a request carries the token that the client was given, "" without it. Of other credentials nothing is
// kept, not even the scheme.
func tokenIn(x *wire.Exchange) string {
	scheme, token, _ := strings.Cut(kit.RequestHeader(x, headerAuthorization), " ")
	if token != wire.Redacted {
		return ""
	}
	return scheme
}

// challenge is what a server that wants a token said, "" where it did not.
func challenge(x *wire.Exchange) string {
	if x.Status() != http.StatusUnauthorized && x.Status() != http.StatusForbidden {
		return ""
	}
	return x.Response.Header.Get("Www-Authenticate")
}

// bearers: a token comes as a bearer.
func bearers(t *kit.T) {
	const expected = "Authorization: Bearer and the token"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, nobodyWants)
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			switch scheme := tokenIn(x); {
			case scheme == "":
			case strings.EqualFold(scheme, "Bearer"):
				t.Saw()
			default:
				t.Breach(x, expected, "the token by the scheme "+kit.Quote([]byte(scheme)))
				return
			}
		}
	}
}

// tokenEverywhere: once a token is shown, each request to the endpoint shows it.
func tokenEverywhere(t *kit.T) {
	const expected = "the token with every request to the endpoint"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, nobodyWants)
	for _, tr := range t.Transcripts() {
		i := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool { return tokenIn(x) != "" })
		if i < 0 {
			continue
		}
		first := tr.Exchanges[i]
		for _, x := range tr.Exchanges[i+1:] {
			switch {
			case x.Sent < first.AnsweredAt() || plainPath(x) != plainPath(first):
			case has(x, headerAuthorization):
				t.Saw()
			case tokenInQuery(x) != "": // not-in-query has it
			default:
				t.Breach(x, expected, what(x)+" without it")
			}
		}
	}
}

// tokenInQuery is the name of the parameter that carries a token, "" without one.
func tokenInQuery(x *wire.Exchange) string {
	_, query, _ := strings.Cut(x.Request.URL, "?")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if strings.EqualFold(name, "access_token") || strings.Contains(value, wire.Redacted) {
			return name
		}
	}
	return ""
}

// tokenNotInQuery looks at the endpoint: a code or a token that an authorization server gives back goes elsewhere.
func tokenNotInQuery(t *kit.T) {
	const expected = "no token in the query of the endpoint"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, nobodyWants)
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			name := tokenInQuery(x)
			switch {
			case name != "" && !strings.Contains(plainPath(x), ".well-known"):
				t.Breach(x, expected, what(x)+" with the parameter "+kit.Quote([]byte(name)))
				return
			case tokenIn(x) != "":
				t.Saw()
			}
		}
	}
}

// searches are the requests for metadata of the resource or of an authorization server behind a challenge, in their order. A client that
// makes none has no authorization of its own, which is optional.
func searches(tr *wire.Transcript, from *wire.Exchange, named string) []*wire.Exchange {
	return slices.DeleteFunc(slices.Clone(tr.Exchanges), func(x *wire.Exchange) bool {
		path := plainPath(x)
		return x.Request.Method != http.MethodGet || x.Sent < from.Head || !strings.HasPrefix(path, "/.well-known/") && path != named
	})
}

// challenged visits the conversations in which nothing but challenges came, by the first of them.
func challenged(t *kit.T, visit func(tr *wire.Transcript, x *wire.Exchange, named string)) {
	t.Unseen(kit.Unprovoked, nobodyWants)
	for _, tr := range t.Transcripts() {
		i := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool { return x.Status() == http.StatusUnauthorized && challenge(x) != "" })
		if i < 0 || slices.ContainsFunc(tr.Exchanges, (*wire.Exchange).Served) {
			continue
		}
		x := tr.Exchanges[i]
		named := ""
		if _, rest, ok := strings.Cut(challenge(x), `resource_metadata="`); ok {
			address, _, _ := strings.Cut(rest, `"`)
			if u, err := url.Parse(address); err == nil {
				named = u.Path
			}
		}
		visit(tr, x, named)
	}
}

// noSearch is why there is nothing to see of a client that is challenged and looks for nothing.
const noSearch = "the client looked for no metadata behind a challenge: authorization is optional, and it may have none of its own"

// readsChallenge: where the challenge says where the metadata is, it is fetched from there.
func readsChallenge(t *kit.T) {
	const expected = "a request for the metadata that the challenge names"
	t.Says(expected)
	var elsewhere []*wire.Exchange
	challenged(t, func(tr *wire.Transcript, x *wire.Exchange, named string) {
		if named == "" {
			return
		}
		t.Unseen(kit.Unprovoked, noSearch)
		found := searches(tr, x, named)
		switch {
		case slices.ContainsFunc(found, func(o *wire.Exchange) bool { return plainPath(o) == named }):
			t.Saw()
		case len(found) > 0 && tr.Aborted == "":
			t.Unseen(kit.Inconclusive, "the client looked elsewhere, once")
			elsewhere = append(elsewhere, found[0])
		}
	})
	if !t.Observed() && len(elsewhere) > 1 {
		t.Breach(elsewhere[0], expected, fmt.Sprintf("GET %s, and never of what it names, on two tries", plainPath(elsewhere[0])))
	}
}

// looksInWellKnownPlaces: where the challenge does not, there are two places, in an order.
func looksInWellKnownPlaces(t *kit.T) {
	t.Says("the well-known place of the endpoint, then that of the origin")
	var gaveUp []*wire.Exchange
	challenged(t, func(tr *wire.Transcript, x *wire.Exchange, named string) {
		if named != "" {
			return
		}
		t.Unseen(kit.Unprovoked, noSearch)
		found := searches(tr, x, "")
		own := wellKnownResource + plainPath(x)
		at := func(path string) int {
			return slices.IndexFunc(found, func(o *wire.Exchange) bool { return plainPath(o) == path })
		}
		first, second := at(own), at(wellKnownResource)
		switch {
		case first < 0 && second < 0:
			// What it looks for is no metadata of the resource: older revisions have none.
		case first >= 0 && (found[first].Status() == http.StatusOK || second > first):
			t.Saw()
		case second >= 0:
			t.Breach(found[second], "GET "+own+" first", "GET "+wellKnownResource+" without it, or before it")
		case tr.Aborted == "":
			t.Unseen(kit.Inconclusive, "the client tried one of two places, once")
			gaveUp = append(gaveUp, found[first])
		}
	})
	if !t.Observed() && len(gaveUp) > 1 {
		t.Breach(gaveUp[0], "GET "+wellKnownResource+" where "+plainPath(gaveUp[0])+" has nothing", "no other place was tried, on two tries")
	}
}

// manyTries is how often a call may be tried again whose token is not enough.
const manyTries = 10

// stepsUp: who has not enough rights asks for more, or gives up. What it asks an authorization server for is not seen here.
func stepsUp(t *kit.T) {
	const expected = "a few tries at most where the token is not enough"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no call was refused since the token was not enough: --auth TOKEN has one refused, if the client calls a tool")
	often := callsOfOne(t)
	for _, tr := range t.Transcripts() {
		refused := 0
		for _, x := range tr.Exchanges {
			if x.Status() != http.StatusForbidden || !strings.Contains(challenge(x), "insufficient_scope") {
				continue
			}
			if refused++; refused == often+manyTries {
				t.Warn(x, expected, fmt.Sprintf("%s for the %d. time", what(x), refused))
			}
		}
		if refused > 0 && refused < often+manyTries {
			t.Saw()
		}
	}
}

// versionInDiscovery: who looks for the metadata of the authorization server says by which revision.
func versionInDiscovery(t *kit.T) {
	const expected = headerVersion + " with requests for metadata of the authorization server"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client looked for no authorization server: --auth TOKEN has it challenged")
	for _, tr := range t.Transcripts() {
		challenged := false
		for _, x := range tr.Exchanges {
			challenged = challenged || x.Status() == http.StatusUnauthorized
			switch {
			// Who looks without being asked for a token does not know yet which revision will be spoken; others have no such rule.
			case !challenged || x.Request.Method != http.MethodGet || !strings.HasPrefix(plainPath(x), wellKnownServer):
			case has(x, headerVersion):
				t.Saw()
			default:
				t.Breach(x, expected, "GET "+plainPath(x)+" without it")
			}
		}
	}
}
