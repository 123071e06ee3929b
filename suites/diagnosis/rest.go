package diagnosis

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// RESTLike tells that the neighbour is a route of its own that answers with JSON.
func RESTLike(x *wire.Exchange) bool {
	return x != nil && x.Status() == http.StatusOK && (x.IsJSON() || kit.JSONType(x.Response.Body.Bytes()) == "object")
}

// diagnoseREST explains an API with a route for each method, point by point: what a client of MCP looks for, and what it finds here.
func diagnoseREST(post, get, beside *wire.Exchange) *report.Diagnosis {
	path := pathOf(post.Request.URL)
	route := pathOf(beside.Request.URL)
	const unseen = "not observed"
	if path == "/" {
		return &report.Diagnosis{
			Kind: "rest-api",
			Seen: fmt.Sprintf("POST and GET / are answered HTTP 404, while GET %s is answered %s", route, kit.Describe(beside)),
			Why:  "a REST API stands at the root of this server; an MCP client needs the one endpoint that takes its messages",
			Do:   "give the path of the MCP endpoint, which is most often /mcp:\n  mcpcheck " + strings.TrimRight(post.Request.URL, "/") + "/mcp",
		}
	}
	return &report.Diagnosis{
		Kind: "rest-api",
		Seen: fmt.Sprintf("POST and GET %s are answered HTTP 404, while GET %s is answered %s", path, route, kit.Describe(beside)),
		Why: "this looks like a REST-style tool API with a route for each method; an MCP client talks to one endpoint, which names " +
			"no method in its path, so it finds nothing here",
		Do: "serve one endpoint that takes POST (JSON-RPC, beginning with initialize), GET (an event stream, or 405) and DELETE; " +
			"every SDK has a handler for it. If there is one already, give its URL",
		Points: []report.Point{
			{Name: "single endpoint", State: "broken", Seen: "POST " + path + ": 404; a route for each method, such as " + route, Expected: "one URL for POST, GET and DELETE"},
			{Name: "JSON-RPC routing", State: "broken", Seen: "the method stands in the path: GET " + route, Expected: "the method stands in the body of a POST"},
			{Name: "initialize", State: "broken", Seen: "POST " + path + " with initialize: " + status(post), Expected: "a result with the server's version and capabilities"},
			{Name: "session header", State: unseen, Seen: "nothing was initialized", Expected: "Mcp-Session-Id on the initialize answer, or no sessions"},
			{Name: "GET stream", State: "broken", Seen: "GET " + path + ": " + status(get), Expected: "an event stream, or 405"},
			{Name: "Accept", State: unseen, Seen: "no endpoint to send it to", Expected: "JSON or an event stream, as Accept allows"},
			{Name: "version header", State: unseen, Seen: "no endpoint to send it to", Expected: "400 for a version that is not supported"},
		},
	}
}

func status(x *wire.Exchange) string {
	return strings.TrimSpace(fmt.Sprintf("HTTP %d %s", x.Status(), http.StatusText(x.Status())))
}

func pathOf(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Path != "" {
		return u.Path
	}
	return "/"
}
