package suites

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// diagnose explains an address where no MCP server was found: one line of what was seen, one of why it matters, one of what to do.
func (s *Survey) diagnose(x *wire.Exchange, run *surveyor) *report.Diagnosis {
	var d *report.Diagnosis
	switch {
	case s.Modern:
		d = diagnoseModern(run.asked)
	case presentsEndpoint(run.stream):
		x = run.stream
		d = diagnoseEndpoint(x)
	case endpointMissing(x, run.stream):
		d = diagnoseSilentStream(x, run.stream)
	case restLike(run.neighbour):
		d = diagnoseREST(x, run.stream, run.neighbour)
	default:
		d = diagnoseExchange(x)
	}
	d.Evidence = []report.Evidence{evidence(kit.Place{Transcript: s.Transcript, Exchange: x, Event: -1}, "")}
	return d
}

func diagnoseExchange(x *wire.Exchange) *report.Diagnosis {
	if wantsTLS(x) {
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
		return diagnoseFailure(x)
	}
	return diagnoseBody(x)
}

// asked names a request for people who may never have heard of the era that it belongs to.
func asked(x *wire.Exchange) string {
	switch method := x.RequestMessage().Method; method {
	case "server/discover":
		return "the first request (POST, server/discover of " + modernRevision + ")"
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
	return quote(s)
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
