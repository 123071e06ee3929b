package web

import (
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// A Guard refuses exchanges. Its name is also the outcome of its refusal, so that one word serves to skip the guard and to
// edit what it says. X is what an era makes of an Exchange.
type Guard[X any] struct {
	Name  string
	Check func(X) *Answer // nil: the exchange may go on
}

// Refused runs the guards of an exchange that was made x of, and answers with the first refusal. It returns the name of the
// guard that refused, "" where none did.
func Refused[X any](e *Exchange, x X, guards []Guard[X]) string {
	for _, g := range guards {
		if e.Skips(g.Name) {
			continue
		}
		if refusal := g.Check(x); refusal != nil {
			refusal.Outcome = g.Name
			e.Send(*refusal)
			return g.Name
		}
	}
	return ""
}

// GuardNames returns the names of guards, in the order in which they work.
func GuardNames[X any](lists ...[]Guard[X]) []string {
	var names []string
	for _, guards := range lists {
		for _, g := range guards {
			names = append(names, g.Name)
		}
	}
	return names
}

// CheckHost stops DNS rebinding: a page of another site reaches a local server under the name of that site.
func CheckHost(x *Exchange) *Answer {
	if host := Hostname(x.R.Host); isLoopback(host) || slices.Contains(x.Site.Hosts, host) {
		return nil
	}
	return RefuseText(http.StatusForbidden, "this server does not answer to the host %q", x.R.Host)
}

// CheckOrigin refuses foreign pages: "servers MUST validate the Origin header" (basic/transports#security-warning); present and foreign is 403,
// absent is fine since only browsers send it.
func CheckOrigin(x *Exchange) *Answer {
	origin := x.R.Header.Get("Origin")
	if origin == "" || slices.Contains(x.Site.Origins, origin) {
		return nil
	}
	u, err := url.Parse(origin)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && (u.Host == x.R.Host || isLoopback(Hostname(u.Host))) {
		return nil
	}
	return RefuseText(http.StatusForbidden, "the origin %q is not allowed", origin)
}

// Hostname is the host of a host with or without a port.
func Hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// CheckAccept refuses whoever takes no answer of ours: clients list both types on POST and text/event-stream on GET. Servers are
// given no duty; 406 is practice.
func CheckAccept(x *Exchange) *Answer {
	var want []string
	switch x.R.Method {
	case http.MethodPost:
		want = []string{typeJSON, TypeSSE}
	case http.MethodGet:
		want = []string{TypeSSE}
	}
	for _, t := range want {
		if !accepts(x.R.Header.Values("Accept"), t) {
			return RefuseText(http.StatusNotAcceptable, "Accept must list %s", strings.Join(want, " and "))
		}
	}
	return nil
}

// CheckContentType keeps out what a foreign page can post without a preflight, such as text/plain.
func CheckContentType(x *Exchange) *Answer {
	if x.R.Method != http.MethodPost {
		return nil
	}
	media, params, err := mime.ParseMediaType(x.R.Header.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || media != typeJSON || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return RefuseText(http.StatusUnsupportedMediaType, "Content-Type must be %s in UTF-8", typeJSON)
	}
	return nil
}

// CheckParsed refuses a body that is no JSON.
func CheckParsed(x *Exchange) *Answer {
	if !x.Unread {
		return nil
	}
	return x.RefuseRPC(http.StatusBadRequest, &jsonrpc.Error{Code: jsonrpc.CodeParse, Message: "parse error: the body is not JSON"})
}

// CheckValid refuses JSON that is no message. In a batch the answer to such an element stands beside the others.
func CheckValid(x *Exchange) *Answer {
	m := x.Only()
	if x.Batch || len(x.Messages) == 0 || m.Kind != jsonrpc.KindInvalid {
		return nil
	}
	return x.RefuseRPC(http.StatusBadRequest, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "invalid request: " + m.Why})
}
