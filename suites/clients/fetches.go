package clients

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/wire"
)

// fetches are the GETs of addresses that stood in an answer before, where the place in the answer is named by a part of their path.
func fetches(tr *wire.Transcript, part string) []*wire.Exchange {
	return slices.DeleteFunc(slices.Clone(tr.Exchanges), func(x *wire.Exchange) bool {
		u, err := url.Parse(x.Request.URL)
		if x.Request.Method != http.MethodGet || err != nil || !strings.Contains(u.Path, part) {
			return true
		}
		return !slices.ContainsFunc(tr.Exchanges[:slices.Index(tr.Exchanges, x)], func(o *wire.Exchange) bool {
			return o.Response != nil && strings.Contains(string(o.Response.Body.Bytes()), u.Path)
		})
	})
}

// pathOf is what tells two addresses of one server apart.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.RequestURI()
}

// plainPath is the path of a request without its query.
func plainPath(x *wire.Exchange) string {
	path, _, _ := strings.Cut(pathOf(x.Request.URL), "?")
	return path
}

// away is a reference to another place of the network.
var away = regexp.MustCompile(`"\$ref"\s*:\s*"https?://`)

// refersAway tells that a tool has a schema with such a reference.
func refersAway(tool []byte) bool { return away.Match(tool) }
