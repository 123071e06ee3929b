package survey

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/diagnosis"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// neighbour is the one other path beside the given one that the survey looks at, where nothing at all answers at the URL itself: REST-like
// APIs that call themselves MCP have a route for each method.
const neighbour = "/tools/list"

// neighbours looks there, and at the same path with a slash more or less, and only where POST and GET were both answered 404.
func (r *surveyor) neighbours(post *wire.Exchange) {
	if r.stream == nil || post.Status() != http.StatusNotFound || r.stream.Status() != http.StatusNotFound {
		return
	}
	u, err := url.Parse(post.Request.URL)
	if err != nil {
		return
	}
	if path := strings.TrimSuffix(u.Path, "/"); path != "" {
		other := *u
		if other.Path = path; path == u.Path {
			other.Path += "/"
		}
		r.slashed = r.conversation.Initialize("with a slash more or less", revision.Newest(r.judged), client.WithURL(other.String()))
		if diagnosis.Recognised(r.slashed) {
			return
		}
	}
	u.Path = strings.TrimRight(u.Path, "/") + neighbour
	r.neighbour = r.conversation.Do("neighbour", http.MethodGet, nil, client.WithURL(u.String()), client.WithAccept("application/json"))
}
