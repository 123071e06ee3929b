package suites

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// diagnose explains an address where no MCP server was found: one line of what was seen, one of why it matters, one of what to do.
func (s *Survey) diagnose(x *client.Exchange, run *surveyor) *report.Diagnosis {
	var d *report.Diagnosis
	switch {
	case s.Modern:
		d = &report.Diagnosis{
			Kind: "modern-only", Seen: "the server speaks " + modernRevision + ", and no revision with an initialize handshake",
			Why: "this version of mcpcheck judges the revisions up to 2025-11-25; older clients cannot use the server either",
			Do:  "use a later version of mcpcheck",
		}
	case presentsEndpoint(run.stream):
		x = run.stream
		d = diagnoseEndpoint(x)
	case restLike(run.neighbour):
		d = diagnoseREST(x, run.stream, run.neighbour)
	default:
		d = diagnoseExchange(x)
	}
	d.Evidence = []report.Evidence{evidence(kit.Place{Transcript: s.Transcript, Exchange: x, Event: -1}, "")}
	return d
}

// presentsEndpoint tells that a GET was answered by the first event of the HTTP+SSE transport.
func presentsEndpoint(x *client.Exchange) bool { return x != nil && endpointData(x) != "" }

// endpointData is what the endpoint event of a stream says.
func endpointData(x *client.Exchange) string {
	for _, e := range x.Events() {
		if e.Dispatched && e.Type == "endpoint" {
			return e.Data
		}
	}
	return ""
}

// diagnoseEndpoint explains a server of HTTP+SSE that cannot be judged: nothing is posted to another origin, and what is no URI reference
// leads nowhere.
func diagnoseEndpoint(stream *client.Exchange) *report.Diagnosis {
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
		d.Do = "send a relative URI; behind a proxy, make the server use the public host and scheme"
	default:
		d.Why = "this transport is judged by the rules of 2024-11-05, which --revision left out"
		d.Do = "leave out --revision, or name 2024-11-05"
	}
	return d
}

func diagnoseExchange(x *client.Exchange) *report.Diagnosis {
	if _, answered := x.Answer(); x.Error != nil && !answered {
		return diagnoseSilence(x)
	}
	status := x.Status()
	switch {
	case status/100 == 3:
		return diagnoseRedirect(x)
	case status == http.StatusUnauthorized:
		return &report.Diagnosis{
			Kind: "auth", Seen: asked(x) + " was answered " + kit.Describe(x),
			Why: "the server wants credentials before it says anything, so there is nothing to judge yet",
			Do:  `give a token: mcpcheck -H 'Authorization: Bearer $TOKEN' ` + x.Request.URL,
		}
	case status == http.StatusForbidden:
		return &report.Diagnosis{
			Kind: "forbidden", Seen: asked(x) + " was answered " + kit.Describe(x),
			Why: "the server, or something in front of it, refuses this client",
			Do:  "look at the body of the answer; an allow-list of hosts or origins, a firewall or a missing scope are the usual reasons",
		}
	case status == http.StatusNotFound:
		return &report.Diagnosis{
			Kind: "not-found", Seen: "POST was answered " + kit.Describe(x),
			Why: "there is no MCP endpoint at this path; a client needs the one URL that takes POST, GET and DELETE",
			Do:  "check the path; most servers use /mcp, some / or a path of their own",
		}
	case status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented:
		return &report.Diagnosis{
			Kind: "no-post", Seen: "POST was answered " + kit.Describe(x),
			Why: "Streamable HTTP clients send every message by POST to the endpoint",
			Do:  "check the path; if the server speaks the older HTTP+SSE transport, clients need its Streamable HTTP endpoint",
		}
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		return &report.Diagnosis{
			Kind: "busy", Seen: asked(x) + " was answered " + kit.Describe(x),
			Why: "the server is limiting or refusing requests right now, which says nothing about MCP",
			Do:  "try again later, or with a lower --concurrency",
		}
	case status >= 500:
		return &report.Diagnosis{
			Kind: "server-error", Seen: asked(x) + " was answered " + kit.Describe(x),
			Why: "the server, or the gateway in front of it, failed before it could answer as MCP",
			Do:  "look into the server's log for this request",
		}
	}
	return diagnoseBody(x)
}

// asked names the request: the first one is of the modern era.
func asked(x *client.Exchange) string { return "POST " + x.RequestMessage().Method }

func diagnoseBody(x *client.Exchange) *report.Diagnosis {
	seen := asked(x) + " was answered " + kit.Describe(x)
	body := strings.ToLower(strings.TrimSpace(string(x.Response.Body.Bytes())))
	switch {
	case x.MediaType() == "text/html" || strings.HasPrefix(body, "<!doctype html") || strings.HasPrefix(body, "<html"):
		return &report.Diagnosis{
			Kind: "html", Seen: fmt.Sprintf("%s was answered HTTP %d with an HTML page", asked(x), x.Status()),
			Why: "this is a web page, no MCP endpoint; clients would fail to read it",
			Do:  "check the path; most servers use /mcp. A login page or a front end's fallback route answers like this too",
		}
	case recognised(x):
		return &report.Diagnosis{
			Kind: "revision", Seen: seen + ", offering another revision than those that were asked for",
			Why: "this version of mcpcheck cannot judge that revision, or --revision left it out",
			Do:  "leave out --revision, or see mcpcheck list for the revisions that are judged",
		}
	case speaksJSONRPC(x):
		return &report.Diagnosis{
			Kind: "no-mcp", Seen: seen,
			Why: "something here speaks JSON-RPC, but does not answer initialize with a result, so no client can start a session",
			Do:  "check that this is the MCP endpoint, and what the error says",
		}
	case x.Status()/100 == 2:
		return &report.Diagnosis{
			Kind: "no-jsonrpc", Seen: seen,
			Why: "the answer is no JSON-RPC message, so this is some other API",
			Do:  "check the path; most servers use /mcp",
		}
	}
	return &report.Diagnosis{
		Kind: "refused-request", Seen: seen,
		Why: "the endpoint turns away the first request of any client",
		Do:  "check the path, and whether a proxy drops headers such as Accept or Content-Type",
	}
}

// speaksJSONRPC tells that something in the answer names the JSON-RPC version, or has the other members of a response.
func speaksJSONRPC(x *client.Exchange) bool {
	return slices.ContainsFunc(x.Messages(), func(m client.Located) bool { return m.Version != nil || m.HasID && (m.HasResult || m.HasError) })
}

func diagnoseSilence(x *client.Exchange) *report.Diagnosis {
	host := x.Request.URL
	if u, err := url.Parse(x.Request.URL); err == nil {
		host = u.Host
	}
	kind := client.ErrTimeout
	message := "no answer"
	if x.Error != nil {
		kind, message = x.Error.Kind, x.Error.Message
	}
	switch kind {
	case client.ErrRefused:
		return &report.Diagnosis{
			Kind: "refused", Seen: "the connection to " + host + " was refused",
			Why: "nothing listens on that port",
			Do:  "start the server, and compare the port it prints with the one in the URL",
		}
	case client.ErrDNS:
		return &report.Diagnosis{
			Kind: "dns", Seen: "the name in " + host + " does not resolve: " + message,
			Why: "no client can reach a host without an address", Do: "check the host name for typing errors, and the resolver",
		}
	case client.ErrTLS:
		return &report.Diagnosis{
			Kind: "tls", Seen: "the TLS handshake with " + host + " failed: " + message,
			Why: "clients refuse to send anything over a connection they cannot trust",
			Do:  "mend the certificate; for a private authority use --ca-cert FILE, for a test --insecure; or use http:// if the port has no TLS",
		}
	case client.ErrLimit:
		return &report.Diagnosis{
			Kind: "endless", Seen: fmt.Sprintf("the answer of %s to initialize had no end: %s", host, message),
			Why: "a client would run out of memory or patience",
			Do:  "check that this is an MCP endpoint and no download, log stream or video",
		}
	case client.ErrTimeout:
		return &report.Diagnosis{
			Kind: "timeout", Seen: fmt.Sprintf("%s took the request for initialize and did not answer, on two tries", host),
			Why: "a client would hang here and give up", Do: "look whether the server is stuck; --timeout waits longer",
		}
	}
	return &report.Diagnosis{
		Kind: "broken", Seen: "the connection to " + host + " broke before an answer came: " + message,
		Why: "a client gets no answer to its first request",
		Do:  "check that the port speaks HTTP (not HTTPS, stdio or another protocol), and look into the server's log",
	}
}

func diagnoseRedirect(x *client.Exchange) *report.Diagnosis {
	location := x.Response.Header.Get("Location")
	if base, err := url.Parse(x.Request.URL); err == nil {
		if target, err := base.Parse(location); err == nil {
			location = target.String()
		}
	}
	return &report.Diagnosis{
		Kind: "redirect", Seen: fmt.Sprintf("POST was answered HTTP %d to %q", x.Status(), location),
		Why: "many clients turn a redirected POST into a GET or drop the token, so the endpoint must answer itself; it is not followed",
		Do:  "use the final URL: mcpcheck " + location,
	}
}
