package diagnosis

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/wire"
)

// Redirects. 307 and 308 keep method and body; where such a one stays on the same scheme, host and port, it is followed once. Nothing else
// is: the POST could become a GET, and messages and credentials could go to a server that nobody named.

// A redirect is where an answer of 3xx leads.
type redirect struct {
	from, to *url.URL
	status   int
}

// redirectOf reads the redirect; to is nil where the answer leads nowhere.
func redirectOf(x *wire.Exchange) redirect {
	r := redirect{status: x.Status()}
	var err error
	if r.from, err = url.Parse(x.Request.URL); err != nil {
		return r
	}
	location := x.Response.Header.Get("Location")
	if location == "" {
		return r
	}
	if r.to, err = r.from.Parse(location); err != nil || r.to.Host == "" || r.to.Scheme != "http" && r.to.Scheme != "https" {
		r.to = nil
		return r
	}
	r.to.Fragment, r.to.RawFragment = "", ""
	return r
}

// sameOrigin tells that nothing goes to another server, or by another way.
func (r redirect) sameOrigin() bool {
	return r.to.Scheme == r.from.Scheme && r.to.User == nil && strings.EqualFold(hostPort(r.from), hostPort(r.to))
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Hostname() + " " + port
}

// loops tells that the redirect leads back to where it came from.
func (r redirect) loops() bool { return r.sameOrigin() && r.to.RequestURI() == r.from.RequestURI() }

// slash tells that both ends differ in a slash at the end of the path only.
func (r redirect) slash() bool {
	return r.sameOrigin() && r.to.RawQuery == r.from.RawQuery && strings.TrimSuffix(r.to.Path, "/") == strings.TrimSuffix(r.from.Path, "/")
}

// followable returns the URL that is checked in place of the given one; nil where the redirect is not followed.
func (r redirect) followable() *url.URL {
	if r.status != http.StatusTemporaryRedirect && r.status != http.StatusPermanentRedirect {
		return nil
	}
	if r.to == nil || !r.sameOrigin() || r.loops() || len(r.to.String()) > maxFollowed {
		return nil
	}
	return r.to
}

// Followable tells where an answer of 307 or 308 may be followed to: within the origin, and not back to where it came from.
func Followable(x *wire.Exchange) (to string, ok bool) {
	if u := redirectOf(x).followable(); u != nil {
		return u.String(), true
	}
	return "", false
}

// maxFollowed is the longest URL that a redirect may lead to: it is sent with every request of the run.
const maxFollowed = 2 << 10

// ShownURL cuts a URL of the server's choice.
func ShownURL(u string) string {
	if len(u) > maxShown {
		return strings.ToValidUTF8(u[:maxShown], "") + "…"
	}
	return u
}

// loginPath finds a redirect to a page where a person would log in.
var loginPath = regexp.MustCompile(`(?i)(^|[/._-])(log-?in|sign-?in|auth|oauth2?|sso|saml)([/._-]|$)`)

func diagnoseRedirect(x *wire.Exchange) *report.Diagnosis {
	r := redirectOf(x)
	if r.to == nil {
		return &report.Diagnosis{
			Kind: "redirect", Seen: answered(x) + ", and no Location that a client could follow",
			Why: "a client is sent elsewhere and not told where",
			Do:  "let the endpoint answer POST itself; else " + checkPath(x),
		}
	}
	named := *r.to
	named.User = nil
	to := named.String()
	d := &report.Diagnosis{Kind: "redirect", Seen: fmt.Sprintf("%s was answered HTTP %d, which redirects to %s", asked(x), r.status, ShownURL(r.to.Redacted()))}
	sameHost := strings.EqualFold(r.from.Hostname(), r.to.Hostname())
	switch {
	case loginPath.MatchString(r.to.Path):
		d.Why = "that looks like a page for people to log in, which an MCP client cannot do; it is not followed"
		d.Do = "let the endpoint answer requests without credentials with 401 and WWW-Authenticate; to check it now, give a token:" +
			command(x.Request.URL, `-H 'Authorization: Bearer $TOKEN'`)
	case r.loops():
		d.Why = "that is where it came from, so a client that follows goes round in circles"
		d.Do = "let the endpoint answer POST itself; a proxy and a server that disagree about the slash or the scheme do this"
	case sameHost && r.from.Scheme == "https" && r.to.Scheme == "http":
		secure := *r.to
		secure.Scheme, secure.Host, secure.User = "https", r.from.Host, nil
		d.Why = "that leads from TLS to plain http://: a client that follows sends its token and its messages in the clear; it is not followed"
		d.Do = "behind a proxy, make the server know the scheme that clients use (X-Forwarded-Proto; uvicorn: --proxy-headers); " +
			"the URL it means is perhaps:" + command(secure.String())
	case sameHost && r.from.Scheme == "http" && r.to.Scheme == "https":
		d.Why = "this first request went over plain http://, with the token if one was given, before TLS came in; " +
			"many clients do not follow with a POST, and neither does mcpcheck"
		d.Do = "use https:// from the start:" + command(to)
	case sameHost && r.to.User != nil:
		d.Why = "that URL holds credentials, which no client should take from a redirect; it is not followed"
		d.Do = "leave them out of the Location; what it leads to is:" + command(to)
	case !r.sameOrigin():
		d.Why = "that is another server: messages and credentials could leak to it, so it is never followed"
		d.Do = "if that is the server you mean, name it yourself:" + command(to)
	case r.followable() != nil:
		d.Why = "that is the second redirect on the way; mcpcheck follows one, and many clients follow none"
		d.Do = "let the endpoint answer POST itself, and give clients the URL that does; a proxy and a server that disagree about the slash do this"
	case r.slash():
		d.Why = "only the slash at the end differs, but on the way the POST may become a GET without its body, and some clients drop the token; " +
			"it is not followed"
		d.Do = "give clients the URL that it leads to, or serve both:" + command(to)
	default:
		d.Why = "on the way the POST may become a GET without its body, and some clients drop the token; it is not followed"
		d.Do = "use the final URL:" + command(to)
	}
	return d
}
