package refserver

import (
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// A guard refuses exchanges. Its name is also the outcome of its refusal, so that one word serves to skip the guard and to
// edit what it says.
type guard struct {
	name  string
	check func(*exchange) *answer // nil: the exchange may go on
}

// headGuards need the head of the request only. The order matters to nobody who breaks one rule at a time, but who is not
// allowed to speak at all hears that first.
var headGuards = []guard{
	{"bad-host", checkHost},
	{"bad-origin", checkOrigin},
	{"malformed-token", checkTokenForm},
	{"missing-token", checkTokenPresent},
	{"invalid-token", checkTokenValid},
	{"other-audience", checkAudience},
	{"no-get", checkGet},
	{"delete-refused", checkDelete},
	{"method-not-allowed", checkMethod},
	{"not-acceptable", checkAccept},
	{"unsupported-media-type", checkContentType},
}

// messageGuards follow once the body, if any, was read.
var messageGuards = []guard{
	{"insufficient-scope", checkScope},
	{"parse-error", checkParsed},
	{"empty-batch", checkEmptyBatch},
	{"initialize-in-batch", checkBatchedInitialize},
	{"missing-session", checkSessionPresent},
	{terminated, checkNotTerminated},
	{expired, checkNotExpired},
	{"unknown-session", checkSessionKnown},
	{"reinitialize", checkReinitialize},
	{"unsupported-version", checkVersion},
	{"batch-refused", checkBatch},
	{"invalid-request", checkValid},
}

// pass runs the guards and answers with the first refusal.
func (x *exchange) pass(guards []guard) bool {
	for _, g := range guards {
		if x.s.dev.skips(g.name, x) {
			continue
		}
		if refusal := g.check(x); refusal != nil {
			refusal.outcome = g.name
			x.send(*refusal)
			x.s.dev.refused(x, g.name)
			return false
		}
	}
	return true
}

// refuseText is a refusal before anything was read.
func refuseText(status int, format string, args ...any) *answer {
	a := plain("", status, fmt.Sprintf(format, args...))
	return &a
}

// refuseRPC is a refusal that a client may read as JSON-RPC: with the id of the request that is refused, and without one where
// there is none (basic/transports#sending-messages-to-the-server).
func (x *exchange) refuseRPC(status int, err *rpcError) *answer {
	m := x.only()
	if m.kind == kindNotification || m.kind == kindResponse {
		m.id = nil
	}
	a := newAnswer("", status)
	a.header.Set("Content-Type", typeJSON)
	out := refuse(m, x.revision, err)
	out.kind = outRefusal
	for _, f := range x.s.dev.frames(x.scene(), out) {
		a.body = append(a.body, f.data...)
		a.edits = append(a.edits, f.edits...)
	}
	return &a
}

// checkHost stops DNS rebinding: a page of another site reaches a local server under the name of that site.
func checkHost(x *exchange) *answer {
	if host := hostname(x.r.Host); isLoopback(host) || slices.Contains(x.s.hosts, host) {
		return nil
	}
	return refuseText(http.StatusForbidden, "this server does not answer to the host %q", x.r.Host)
}

// checkOrigin: "servers MUST validate the Origin header" (basic/transports#security-warning); present and foreign is 403,
// absent is fine since only browsers send it.
func checkOrigin(x *exchange) *answer {
	origin := x.r.Header.Get("Origin")
	if origin == "" || slices.Contains(x.s.origins, origin) {
		return nil
	}
	u, err := url.Parse(origin)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && (u.Host == x.r.Host || isLoopback(hostname(u.Host))) {
		return nil
	}
	return refuseText(http.StatusForbidden, "the origin %q is not allowed", origin)
}

func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// checkGet: a server without a stream says so by 405 (basic/transports#listening-for-messages-from-the-server).
func checkGet(x *exchange) *answer {
	if x.r.Method != http.MethodGet || x.s.profile.GET {
		return nil
	}
	return x.methodNotAllowed("this server has no stream to listen to")
}

// checkDelete: 405 tells that clients cannot end sessions (basic/transports#session-management).
func checkDelete(x *exchange) *answer {
	if x.r.Method != http.MethodDelete || x.s.profile.DELETE {
		return nil
	}
	return x.methodNotAllowed("clients cannot end sessions here")
}

func checkMethod(x *exchange) *answer {
	switch x.r.Method {
	case http.MethodPost, http.MethodGet, http.MethodDelete:
		return nil
	}
	return x.methodNotAllowed("the MCP endpoint takes POST, GET and DELETE")
}

func (x *exchange) methodNotAllowed(text string) *answer {
	allow := []string{http.MethodPost}
	if x.s.profile.GET {
		allow = append(allow, http.MethodGet)
	}
	if x.s.profile.DELETE {
		allow = append(allow, http.MethodDelete)
	}
	a := refuseText(http.StatusMethodNotAllowed, "%s", text)
	a.header.Set("Allow", strings.Join(allow, ", "))
	return a
}

// checkAccept: clients list both types on POST and text/event-stream on GET. Servers are given no duty; 406 is practice.
func checkAccept(x *exchange) *answer {
	var want []string
	switch x.r.Method {
	case http.MethodPost:
		want = []string{typeJSON, typeSSE}
	case http.MethodGet:
		want = []string{typeSSE}
	}
	for _, t := range want {
		if !accepts(x.r.Header.Values("Accept"), t) {
			return refuseText(http.StatusNotAcceptable, "Accept must list %s", strings.Join(want, " and "))
		}
	}
	return nil
}

// checkContentType keeps out what a foreign page can post without a preflight, such as text/plain.
func checkContentType(x *exchange) *answer {
	if x.r.Method != http.MethodPost {
		return nil
	}
	media, params, err := mime.ParseMediaType(x.r.Header.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || media != typeJSON || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return refuseText(http.StatusUnsupportedMediaType, "Content-Type must be %s in UTF-8", typeJSON)
	}
	return nil
}

func checkParsed(x *exchange) *answer {
	if !x.unread {
		return nil
	}
	return x.refuseRPC(http.StatusBadRequest, &rpcError{Code: codeParse, Message: "parse error: the body is not JSON"})
}

func checkEmptyBatch(x *exchange) *answer {
	if !x.batch || len(x.messages) > 0 {
		return nil
	}
	return x.refuseRPC(http.StatusBadRequest, &rpcError{Code: codeInvalidRequest, Message: "invalid request: an empty batch"})
}

// checkBatchedInitialize: initialize must not be part of a batch (2025-03-26: basic/lifecycle#initialization).
func checkBatchedInitialize(x *exchange) *answer {
	batched := x.batch && slices.ContainsFunc(x.messages, func(m message) bool { return m.method == methodInitialize })
	if !batched {
		return nil
	}
	return x.refuseRPC(http.StatusBadRequest, &rpcError{Code: codeInvalidRequest, Message: "invalid request: initialize in a batch"})
}

// checkSessionPresent: without the id that the server demands, 400 (basic/transports#session-management).
func checkSessionPresent(x *exchange) *answer {
	if !x.s.profile.Sessions || x.sid != "" || x.isInitialize() {
		return nil
	}
	return x.refuseRPC(http.StatusBadRequest, &rpcError{Code: codeInvalidRequest, Message: "invalid request: no " + headerSession})
}

// checkNotTerminated: 404 is how a client learns to initialize anew (basic/transports#session-management).
func checkNotTerminated(x *exchange) *answer { return x.checkNotEnded(terminated) }

// checkNotExpired: the same for a session that the server ended.
func checkNotExpired(x *exchange) *answer { return x.checkNotEnded(expired) }

func (x *exchange) checkNotEnded(how string) *answer {
	if x.session != nil || x.sid == "" || x.s.sessions.ended(x.sid) != how {
		return nil
	}
	return x.refuseRPC(http.StatusNotFound, &rpcError{Code: codeInvalidRequest, Message: "the session has ended"})
}

// checkSessionKnown: an id that was never issued cannot be told from one of long ago.
func checkSessionKnown(x *exchange) *answer {
	if x.session != nil || x.sid == "" || x.s.sessions.ended(x.sid) != "" {
		return nil
	}
	return x.refuseRPC(http.StatusNotFound, &rpcError{Code: codeInvalidRequest, Message: "no such session"})
}

// checkReinitialize: a session is initialized once. Nothing in the specification says what else to do.
func checkReinitialize(x *exchange) *answer {
	if x.session == nil || !x.isInitialize() {
		return nil
	}
	return x.refuseRPC(http.StatusBadRequest, &rpcError{Code: codeInvalidRequest, Message: "the session is initialized already"})
}

// checkVersion: an invalid or unsupported MCP-Protocol-Version is 400, an absent one is no offence, and who negotiated a
// revision without the header may send what they like (basic/transports#protocol-version-header).
func checkVersion(x *exchange) *answer {
	version := x.r.Header.Get(headerVersion)
	unaware := x.session != nil && x.session.revision < Rev20250618
	if version == "" || unaware || x.isInitialize() || x.s.profile.supports(version) {
		return nil
	}
	return x.refuseRPC(http.StatusBadRequest, &rpcError{
		Code:    codeInvalidRequest,
		Message: "invalid request: MCP-Protocol-Version names no supported revision",
		Data:    map[string]any{"supported": x.s.profile.revisions()},
	})
}

// checkBatch: batches are a feature of one revision, and gone from the next.
func checkBatch(x *exchange) *answer {
	if !x.batch || x.revision == Rev20250326 && !x.s.dev.on(switchRefuseBatches, x) {
		return nil
	}
	return x.refuseRPC(http.StatusBadRequest, &rpcError{Code: codeInvalidRequest, Message: "invalid request: no batches in this revision"})
}

// checkValid refuses JSON that is no message. In a batch the answer to such an element stands beside the others.
func checkValid(x *exchange) *answer {
	m := x.only()
	if x.batch || len(x.messages) == 0 || m.kind != kindInvalid {
		return nil
	}
	return x.refuseRPC(http.StatusBadRequest, &rpcError{Code: codeInvalidRequest, Message: "invalid request: " + m.why})
}
