// Package diagnosis explains an address where there is nothing to judge: what was seen, why it matters to a client, and what to do. It reads
// what the survey recorded and sends nothing.
package diagnosis

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/evidence"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A Look is what the survey saw at an address where it found nothing to judge.
type Look struct {
	// Transcript holds the survey's exchanges.
	Transcript *wire.Transcript
	// Telling is the exchange that tells most.
	Telling *wire.Exchange
	// Stream is the answer to a GET, Neighbour that of a path beside the given one; nil where none was sent.
	Stream, Neighbour *wire.Exchange
	// Slashed is the answer to initialize at the same path with a slash more or less; nil where none was sent.
	Slashed *wire.Exchange
	// FirstEvent is how long the stream was given to send its first event.
	FirstEvent time.Duration
	// Modern: the server speaks a revision without a handshake.
	Modern bool
	// Later: it speaks only such revisions as are not known here.
	Later bool
	// Fatal is the request after which nothing listened any more.
	Fatal string
	// Asked are the revisions that were to be judged, Judged those that this version can judge; oldest first.
	Asked, Judged []string
}

// Of explains an address where no MCP server was found: one line of what was seen, one of why it matters, one of what to do.
func Of(l Look) *report.Diagnosis {
	x := l.Telling
	var d *report.Diagnosis
	switch {
	case l.Fatal != "":
		d = l.fatal()
	case l.Modern:
		d = l.modern()
	case presentsEndpoint(l.Stream):
		x = l.Stream
		d = diagnoseEndpoint(x)
	case endpointMissing(x, l.Stream):
		d = diagnoseSilentStream(x, l.Stream, l.FirstEvent)
	case l.Slashed != nil && Recognised(l.Slashed):
		d = diagnoseSlash(x, l.Slashed)
	case RESTLike(l.Neighbour):
		d = diagnoseREST(x, l.Stream, l.Neighbour)
	default:
		d = l.exchange(x)
	}
	d.Evidence = []report.Evidence{evidence.Of(kit.Place{Transcript: l.Transcript, Exchange: x, Event: -1}, "")}
	return d
}

func (l Look) exchange(x *wire.Exchange) *report.Diagnosis {
	if WantsTLS(x) {
		return diagnosePlainOnTLS(x)
	}
	if _, answered := x.Answer(); x.Error != nil && !answered {
		return diagnoseSilence(x)
	}
	status := x.Status()
	switch {
	case status/100 == 3:
		return diagnoseRedirect(x)
	case status == http.StatusUnauthorized:
		return diagnoseUnauthorized(x)
	case status == http.StatusProxyAuthRequired:
		return diagnoseProxy(x, answered(x), "give the proxy its credentials in that variable, as http://USER:PASSWORD@HOST:PORT; else ")
	case status == http.StatusForbidden, status == http.StatusMisdirectedRequest:
		return diagnoseForbidden(x)
	case status == http.StatusNotFound:
		return diagnoseNotFound(x)
	case status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented:
		return diagnoseNoPost(x)
	case status == http.StatusNotAcceptable, status == http.StatusUnsupportedMediaType:
		return diagnoseMediaType(x)
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		return diagnoseBusy(x)
	case status >= 500:
		d := diagnoseFailure(x)
		switch first := l.Transcript.Exchanges[0]; {
		case first == x || first.Response == nil:
		case first.Status() < 500:
			d.Do += "; mcpcheck had sent " + first.RequestMessage().Method + " before, as newer clients do: see whether that broke the server"
		case first.Status() == x.Status() && d.Kind == "server-error":
			d.Do += "; the first request, " + first.RequestMessage().Method + ", was answered the same: see whether that broke the server"
		}
		return d
	}
	return l.body(x)
}

// asked names a request for people who may never have heard of the era that it belongs to.
func asked(x *wire.Exchange) string {
	switch method := x.RequestMessage().Method; method {
	case "server/discover":
		return "the first request (POST, server/discover of " + revision.Newest(revision.Of(revision.Modern)) + ")"
	case "":
		return x.Request.Method
	default:
		return x.Request.Method + " " + method
	}
}

// answered says what was asked and what came.
func answered(x *wire.Exchange) string { return asked(x) + " was answered " + kit.Describe(x) }

// maxShown is the longest URL of a server's choice that is shown whole; nobody copies a longer one.
const maxShown = 300

// command is a line to copy, in a paragraph of its own; empty where the URL is none that anybody would copy.
func command(target string, flags ...string) string {
	if len(target) > maxShown {
		return ""
	}
	return "\n  " + strings.Join(append(append([]string{"mcpcheck"}, flags...), shellWord(target)), " ")
}

// shellWord quotes a word where a shell would do something with it.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._~:/[]@%+,=", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 && !strings.Contains(s, "[") {
		return s
	}
	return evidence.Quote(s)
}

// checkPath advises to look at the path: the usual one where another was given.
func checkPath(x *wire.Exchange) string {
	u, err := url.Parse(x.Request.URL)
	if err != nil || strings.TrimSuffix(u.Path, "/") == "/mcp" {
		return "check the path: most servers use /mcp, some / or one of their own, such as /api/mcp; the server's log or manual names it"
	}
	return "check the path; most servers use /mcp:" + command(u.Scheme+"://"+u.Host+"/mcp")
}

// hostOf is the host of the request's URL, with its port where it has one.
func hostOf(x *wire.Exchange) string {
	if u, err := url.Parse(x.Request.URL); err == nil {
		return u.Host
	}
	return x.Request.URL
}

// withScheme is the request's URL with another scheme.
func withScheme(x *wire.Exchange, scheme string) string {
	u, err := url.Parse(x.Request.URL)
	if err != nil {
		return x.Request.URL
	}
	u.Scheme = scheme
	return u.String()
}
