package survey

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/diagnosis"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// neighbour is the one other path beside the given one that the survey looks at, where nothing at all answers at the URL itself: REST-like
// APIs that call themselves MCP have a route for each method.
const neighbour = "/tools/list"

// neighbours looks there, and where that is no such route at the same path with a slash more or less, and only where POST and GET were both
// answered 404.
func (r *surveyor) neighbours(post *wire.Exchange) {
	if r.stream == nil || post.Status() != http.StatusNotFound || r.stream.Status() != http.StatusNotFound {
		return
	}
	u, err := url.Parse(post.Request.URL)
	if err != nil {
		return
	}
	plain, beside, slashed := strings.TrimRight(u.Path, "/"), *u, *u
	beside.Path = plain + neighbour
	r.neighbour = r.conversation.Do("neighbour", http.MethodGet, nil, client.WithURL(beside.String()), client.WithAccept("application/json"))
	if diagnosis.RESTLike(r.neighbour) || plain == "" {
		return
	}
	if slashed.Path = strings.TrimSuffix(u.Path, "/"); slashed.Path == u.Path {
		slashed.Path += "/"
	}
	r.slashed = r.conversation.Initialize("with a slash more or less", revision.Newest(r.judged), client.WithURL(slashed.String()))
}

// newer looks for Streamable HTTP beside a stream of HTTP+SSE whose path ends in /sse: under /mcp at the same place, where servers that
// offer both have it. Clients that speak only the newer transport need that URL.
func (r *surveyor) newer(stream *wire.Exchange) {
	u, err := url.Parse(stream.Request.URL)
	if err != nil || !strings.EqualFold(path.Base(u.Path), "sse") {
		return
	}
	if u.Path = path.Dir(strings.TrimRight(u.Path, "/")); path.Base(u.Path) != "mcp" {
		u.Path = path.Join(u.Path, "mcp")
	}
	there := client.WithURL(u.String())
	x := r.conversation.Initialize("beside the stream", revision.Newest(r.judged), there)
	if !diagnosis.Recognised(x) {
		return
	}
	r.survey.Newer = u.String()
	for _, session := range x.ResponseSession() {
		r.conversation.Delete("delete the session beside the stream", there, client.WithSession(session))
	}
}
