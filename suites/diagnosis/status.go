package diagnosis

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// What the status of an answer tells, where its body is no answer.

// KindAuth is the kind of the diagnosis of a server that wants credentials; something can be judged there all the same.
const KindAuth = "auth"

// namesMetadata finds the parameter of a challenge by which clients find the authorization server.
var namesMetadata = regexp.MustCompile(`(?i)\bbearer\b.*\bresource_metadata\s*=`)

// diagnoseUnauthorized explains 401: whether a token was given, and whether a client could find out where to get one.
func diagnoseUnauthorized(x *wire.Exchange) *report.Diagnosis {
	d := &report.Diagnosis{
		Kind: KindAuth, Seen: answered(x),
		Why: "the server wants credentials before it says anything, so nothing beyond that can be judged",
		Do:  "give a token:" + command(x.Request.URL, `-H 'Authorization: Bearer $TOKEN'`),
	}
	challenge := strings.Join(x.Response.Header.Values("WWW-Authenticate"), ", ")
	if name := keyWanted(x, challenge); name != "" {
		return &report.Diagnosis{
			Kind: KindAuth, Seen: answered(x),
			Why: "the server wants an API key before it says anything, so nothing beyond that can be judged",
			Do:  "give the key, as the server's manual says, most often:" + command(x.Request.URL, "-H '"+name+": $KEY'"),
		}
	}
	switch {
	case challenge == "":
		d.Seen += ", without WWW-Authenticate"
	case namesMetadata.MatchString(challenge):
		d.Seen += ", and a challenge that names resource_metadata"
	default:
		d.Seen += ", and a challenge without resource_metadata: " + kit.Quote([]byte(challenge))
	}
	if !namesMetadata.MatchString(challenge) {
		d.Why += "; and a client cannot tell from this answer which authorization server to ask for a token"
		d.Do += "\nlet the answer say where the metadata of the resource is:" +
			"\n  WWW-Authenticate: Bearer resource_metadata=\"" + metadataURL(x) + "\""
	}
	if kit.RequestHeader(x, "Authorization") != "" {
		d.Seen += "; it was sent with the Authorization given by -H"
		d.Why = strings.Replace(d.Why, "the server wants credentials before it says anything", "the server does not take this token", 1)
		d.Do = strings.Replace(d.Do, "give a token:", "see that the token has not expired, was issued for this server and begins with its scheme:", 1)
	}
	return d
}

// aboutKey finds a refusal that wants an API key; namesKey the header that it names.
var (
	aboutKey = regexp.MustCompile(`(?i)\bapi[ _-]?key\b`)
	namesKey = regexp.MustCompile(`(?i)\bx-[a-z-]*key\b`)
)

// keyWanted is the header field of the API key that a refusal speaks of, "" where it speaks of none.
func keyWanted(x *wire.Exchange, challenge string) string {
	said := append([]byte(challenge+" "), beginning(x)...)
	switch name := namesKey.Find(said); {
	case name != nil:
		return http.CanonicalHeaderKey(string(name))
	case aboutKey.Match(said):
		return "X-API-Key"
	}
	return ""
}

// metadataURL is where the metadata of the resource stands by RFC 9728.
func metadataURL(x *wire.Exchange) string {
	u, err := url.Parse(x.Request.URL)
	if err != nil {
		return "https://…"
	}
	return u.Scheme + "://" + u.Host + "/.well-known/oauth-protected-resource" + strings.TrimSuffix(u.EscapedPath(), "/")
}

// diagnoseForbidden explains 403 and 421: something has a list, and this client or this host is not on it.
func diagnoseForbidden(x *wire.Exchange) *report.Diagnosis {
	if x.Status() == http.StatusMisdirectedRequest || aboutHost.Match(beginning(x)) {
		host := sentHost(x)
		return &report.Diagnosis{
			Kind: "host", Seen: answered(x) + "; the request said Host: " + host,
			Why: "the server serves only the host names on its list, which is its protection against DNS rebinding; clients that use this URL are turned away",
			Do: fmt.Sprintf("add %q to the server's list (Python SDK: allowed_hosts in TransportSecuritySettings; TypeScript SDK: allowedHosts), "+
				"or use a URL with a name that is on it; a proxy in front must pass on a Host that is", host),
		}
	}
	if challenge := strings.Join(x.Response.Header.Values("WWW-Authenticate"), ", "); challenge != "" {
		return &report.Diagnosis{
			Kind: "forbidden", Seen: answered(x) + ", and the challenge " + kit.Quote([]byte(challenge)),
			Why: "the server wants more than it was given before it says anything, most often a scope that the token lacks",
			Do:  "get a token with what the challenge names:" + command(x.Request.URL, `-H 'Authorization: Bearer $TOKEN'`),
		}
	}
	return &report.Diagnosis{
		Kind: "forbidden", Seen: answered(x),
		Why: "the server, or something in front of it, refuses this client; that says nothing about MCP",
		Do: "look at what the body says; a firewall, a list of allowed addresses or origins, or a token without the scope are the usual reasons; " +
			"some firewalls go by the name of the client:" + command(x.Request.URL, "-H 'User-Agent: Mozilla/5.0'"),
	}
}

// aboutHost finds a refusal that is about the Host header, as some SDKs word it under 403.
var aboutHost = regexp.MustCompile(`(?i)\b(invalid|unknown|disallowed|blocked)\s+host\b|\bhost(\s+header)?\s+(is\s+)?not\s+allowed\b`)

// sentHost is the Host that the request named.
func sentHost(x *wire.Exchange) string {
	if x.Request.Host != "" {
		return x.Request.Host
	}
	return hostOf(x)
}

func diagnoseNotFound(x *wire.Exchange) *report.Diagnosis {
	return &report.Diagnosis{
		Kind: "not-found", Seen: answered(x),
		Why: "there is no MCP endpoint at this path; a client needs the one URL that takes its messages. " +
			"A server that hides from clients without credentials answers like this too",
		Do: checkPath(x),
	}
}

// diagnoseSlash explains a URL that is right but for its last slash.
func diagnoseSlash(x, found *wire.Exchange) *report.Diagnosis {
	how := "with a slash at its end"
	if strings.HasSuffix(x.Request.URL, "/") {
		how = "without the slash at its end"
	}
	return &report.Diagnosis{
		Kind: "not-found", Seen: answered(x) + ", and the same URL " + how + " by an MCP server",
		Why: "to most routers they are two paths; clients that are given this URL get no further",
		Do:  "use the URL " + how + ":" + command(found.Request.URL),
	}
}

func diagnoseNoPost(x *wire.Exchange) *report.Diagnosis {
	seen := answered(x)
	if allow := x.Response.Header.Values("Allow"); len(allow) > 0 {
		seen += ", and Allow: " + kit.Quote([]byte(strings.Join(allow, ", ")))
	}
	return &report.Diagnosis{
		Kind: "no-post", Seen: seen,
		Why: "clients send every message by POST to the URL that they are given, and this one takes none",
		Do:  "if POST is switched off by a route or a proxy, allow it; else " + checkPath(x),
	}
}

// diagnoseMediaType explains 406 and 415: what was sent is what every client sends, so something must have changed it.
func diagnoseMediaType(x *wire.Exchange) *report.Diagnosis {
	if x.Status() == http.StatusNotAcceptable {
		return &report.Diagnosis{
			Kind: "not-acceptable", Seen: answered(x) + ", although it was sent with Accept: " + kit.RequestHeader(x, "Accept"),
			Why: "those are the two types that the specification wants clients to accept, so either something on the way changes the header, " +
				"or the server can answer in neither",
			Do: "look at the Accept header that arrives at the server, and let the proxy pass it on unchanged; answer in application/json or text/event-stream",
		}
	}
	return &report.Diagnosis{
		Kind: "media-type", Seen: answered(x) + ", although it was sent with Content-Type: " + kit.RequestHeader(x, "Content-Type"),
		Why: "MCP messages are JSON, and every client sends them with this type",
		Do:  "let the endpoint take application/json; look at the Content-Type that arrives at the server, since a proxy may change it",
	}
}

func diagnoseBusy(x *wire.Exchange) *report.Diagnosis {
	d := &report.Diagnosis{
		Kind: "busy", Seen: answered(x),
		Why: "the server limits how much it is asked, which says nothing about MCP",
		Do:  "try again later; if this is the first request in a while, raise the limit for this client",
	}
	if x.Status() == http.StatusServiceUnavailable {
		d.Why = "the server, or the gateway in front of it, is not available right now, which says nothing about MCP"
		d.Do = "wait until the server has started, or look whether it runs behind its gateway"
	}
	if wait := x.Response.Header.Get("Retry-After"); wait != "" {
		d.Seen += ", and Retry-After: " + kit.Quote([]byte(wait))
	}
	return d
}

// diagnoseFailure explains the other answers of 5xx.
func diagnoseFailure(x *wire.Exchange) *report.Diagnosis {
	seen := answered(x)
	if isHTML(x) {
		seen = fmt.Sprintf("%s was answered %s with an HTML page%s", asked(x), status(x), titled(x))
	}
	if _, answered := x.Answer(); !answered && gateway(x.Status()) {
		lacks := "no proper answer from it"
		if x.Status() == http.StatusGatewayTimeout {
			lacks = "no answer from it in time"
		}
		return &report.Diagnosis{
			Kind: "gateway", Seen: seen,
			Why: "it is the gateway that says this, not the server: it got " + lacks + ". That says nothing about MCP",
			Do: "look whether the server runs and listens where the gateway looks for it; to leave the gateway out, check the server's own address, " +
				"such as:" + command("http://localhost:3000/mcp"),
		}
	}
	return &report.Diagnosis{
		Kind: "server-error", Seen: seen,
		Why: "the server, or the gateway in front of it, failed before it could answer as MCP",
		Do:  "look into the server's log for this request",
	}
}

// gateway tells the statuses that only something in front of a server has reason to send; those from 520 on are Cloudflare's.
func gateway(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusGatewayTimeout || status >= 520 && status <= 527
}
