package diagnosis

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// What a GET tells, where POST found nothing: the transport of 2024-11-05, or a stream that is silent.

// presentsEndpoint tells that a GET was answered by the first event of the HTTP+SSE transport.
func presentsEndpoint(x *wire.Exchange) bool { return x != nil && endpointData(x) != "" }

// endpointData is what the endpoint event of a stream says.
func endpointData(x *wire.Exchange) string {
	for _, e := range x.Events() {
		if e.Dispatched && e.Type == "endpoint" {
			return e.Data
		}
	}
	return ""
}

// diagnoseEndpoint explains a server of HTTP+SSE that cannot be judged: nothing is posted to another origin, and what is no URI reference
// leads nowhere.
func diagnoseEndpoint(stream *wire.Exchange) *report.Diagnosis {
	data := strings.TrimSpace(endpointData(stream))
	d := &report.Diagnosis{
		Kind: "http-sse", Seen: "GET opens a stream whose endpoint event says " + kit.Quote([]byte(data)) + ": the HTTP+SSE transport of 2024-11-05",
	}
	base, err := url.Parse(stream.Request.URL)
	if err != nil {
		return d
	}
	target, err := base.Parse(data)
	switch {
	case err != nil:
		d.Why = "that is no URI reference, so a client does not know where to post its messages"
		d.Do = "send the URI as plain text, such as /messages?sessionId=…, without quotes or JSON around it"
	case target.Scheme != base.Scheme || target.Host != base.Host:
		d.Why = "messages would go to another origin; the TypeScript and Python clients refuse that, and so does mcpcheck"
		d.Do = "send a relative URI, such as " + relative(target) + "; behind a proxy, make the server use the public host and scheme"
	default:
		d.Why = "this transport is judged by the rules of 2024-11-05, which --revision left out"
		d.Do = "name its revision:" + command(stream.Request.URL, "--revision", revision.HTTPSSE)
	}
	return d
}

// relative is a URI without scheme and host, as an endpoint event had better say it.
func relative(u *url.URL) string {
	path := u.RequestURI()
	if len(path) > maxShown {
		return "/messages"
	}
	return path
}

// endpointMissing tells that a GET opened a stream without an endpoint event, at a URL that takes no POST.
func endpointMissing(post, stream *wire.Exchange) bool {
	switch post.Status() {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return stream != nil && stream.Status()/100 == 2 && stream.IsSSE()
	}
	return false
}

func diagnoseSilentStream(post, stream *wire.Exchange, watched time.Duration) *report.Diagnosis {
	said := fmt.Sprintf("said nothing within %.0f s", watched.Seconds())
	switch {
	case len(stream.Events()) > 0:
		said = "named no endpoint"
	case stream.EndedBy == wire.ByServer:
		said = "ended at once"
	}
	return &report.Diagnosis{
		Kind: "silent-stream", Seen: fmt.Sprintf("POST was answered %s, and GET opened an event stream that %s", status(post), said),
		Why: "a client finds no way to send anything: Streamable HTTP takes messages by POST at this URL, and HTTP+SSE (2024-11-05) " +
			"names the URL that takes them in its first event",
		Do: "take POST at this URL, or send the event endpoint as soon as the stream opens; if the server does, something on the way holds the " +
			"stream back: let the proxy not buffer it (nginx: proxy_buffering off;)",
	}
}
