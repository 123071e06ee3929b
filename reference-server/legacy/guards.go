package legacy

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// headGuards need the head of the request only. The order matters to nobody who breaks one rule at a time, but who is not
// allowed to speak at all hears that first.
var headGuards = []web.Guard[*exchange]{
	{Name: "bad-host", Check: shared(web.CheckHost)},
	{Name: "bad-origin", Check: shared(web.CheckOrigin)},
	{Name: "malformed-token", Check: shared(web.CheckTokenForm)},
	{Name: "missing-token", Check: shared(web.CheckTokenPresent)},
	{Name: "invalid-token", Check: shared(web.CheckTokenValid)},
	{Name: "other-audience", Check: shared(web.CheckAudience)},
	{Name: "no-get", Check: checkGet},
	{Name: "delete-refused", Check: checkDelete},
	{Name: "method-not-allowed", Check: checkMethod},
	{Name: "not-acceptable", Check: shared(web.CheckAccept)},
	{Name: "unsupported-media-type", Check: shared(web.CheckContentType)},
}

// messageGuards follow once the body, if any, was read.
var messageGuards = []web.Guard[*exchange]{
	{Name: "insufficient-scope", Check: shared(web.CheckScope)},
	{Name: "parse-error", Check: shared(web.CheckParsed)},
	{Name: "empty-batch", Check: checkEmptyBatch},
	{Name: "initialize-in-batch", Check: checkBatchedInitialize},
	{Name: "missing-session", Check: checkSessionPresent},
	{Name: terminated, Check: checkNotTerminated},
	{Name: expired, Check: checkNotExpired},
	{Name: "unknown-session", Check: checkSessionKnown},
	{Name: "reinitialize", Check: checkReinitialize},
	{Name: "unsupported-version", Check: checkVersion},
	{Name: "batch-refused", Check: checkBatch},
	{Name: "invalid-request", Check: shared(web.CheckValid)},
}

// checkGet: a server without a stream says so by 405 (basic/transports#listening-for-messages-from-the-server).
func checkGet(x *exchange) *web.Answer {
	if x.R.Method != http.MethodGet || x.s.profile.GET {
		return nil
	}
	return x.methodNotAllowed("this server has no stream to listen to")
}

// checkDelete: 405 tells that clients cannot end sessions (basic/transports#session-management).
func checkDelete(x *exchange) *web.Answer {
	if x.R.Method != http.MethodDelete || x.s.profile.DELETE {
		return nil
	}
	return x.methodNotAllowed("clients cannot end sessions here")
}

func checkMethod(x *exchange) *web.Answer {
	switch x.R.Method {
	case http.MethodPost, http.MethodGet, http.MethodDelete:
		return nil
	}
	return x.methodNotAllowed("the MCP endpoint takes POST, GET and DELETE")
}

func (x *exchange) methodNotAllowed(text string) *web.Answer {
	allow := []string{http.MethodPost}
	if x.s.profile.GET {
		allow = append(allow, http.MethodGet)
	}
	if x.s.profile.DELETE {
		allow = append(allow, http.MethodDelete)
	}
	a := web.RefuseText(http.StatusMethodNotAllowed, "%s", text)
	a.Header.Set("Allow", strings.Join(allow, ", "))
	return a
}

func checkEmptyBatch(x *exchange) *web.Answer {
	if !x.Batch || len(x.Messages) > 0 {
		return nil
	}
	return x.RefuseRPC(http.StatusBadRequest, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "invalid request: an empty batch"})
}

// checkBatchedInitialize: initialize must not be part of a batch (2025-03-26: basic/lifecycle#initialization).
func checkBatchedInitialize(x *exchange) *web.Answer {
	batched := x.Batch && slices.ContainsFunc(x.Messages, func(m jsonrpc.Message) bool { return m.Method == methodInitialize })
	if !batched {
		return nil
	}
	return x.RefuseRPC(http.StatusBadRequest, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "invalid request: initialize in a batch"})
}

// checkSessionPresent: without the id that the server demands, 400 (basic/transports#session-management).
func checkSessionPresent(x *exchange) *web.Answer {
	if !x.s.profile.Sessions || x.sid != "" || x.isInitialize() {
		return nil
	}
	return x.RefuseRPC(http.StatusBadRequest, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "invalid request: no " + headerSession})
}

// checkNotTerminated: 404 is how a client learns to initialize anew (basic/transports#session-management).
func checkNotTerminated(x *exchange) *web.Answer { return x.checkNotEnded(terminated) }

// checkNotExpired: the same for a session that the server ended.
func checkNotExpired(x *exchange) *web.Answer { return x.checkNotEnded(expired) }

func (x *exchange) checkNotEnded(how string) *web.Answer {
	if x.session != nil || x.sid == "" || x.s.sessions.ended(x.sid) != how {
		return nil
	}
	return x.RefuseRPC(http.StatusNotFound, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the session has ended"})
}

// checkSessionKnown: an id that was never issued cannot be told from one of long ago.
func checkSessionKnown(x *exchange) *web.Answer {
	if x.session != nil || x.sid == "" || x.s.sessions.ended(x.sid) != "" {
		return nil
	}
	return x.RefuseRPC(http.StatusNotFound, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "no such session"})
}

// checkReinitialize: a session is initialized once. Nothing in the specification says what else to do.
func checkReinitialize(x *exchange) *web.Answer {
	if x.session == nil || !x.isInitialize() {
		return nil
	}
	return x.RefuseRPC(http.StatusBadRequest, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the session is initialized already"})
}

// checkVersion: an invalid or unsupported MCP-Protocol-Version is 400, an absent one is no offence, and who negotiated a
// revision without the header may send what they like (basic/transports#protocol-version-header).
func checkVersion(x *exchange) *web.Answer {
	version := x.R.Header.Get(headerVersion)
	unaware := x.session != nil && !revision.AtLeast(x.session.revision, revision.V20250618)
	if version == "" || unaware || x.isInitialize() || x.s.profile.Supports(version) {
		return nil
	}
	return x.RefuseRPC(http.StatusBadRequest, &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidRequest,
		Message: "invalid request: MCP-Protocol-Version names no supported revision",
		Data:    map[string]any{"supported": x.s.profile.Spoken()},
	})
}

var switchRefuseBatches = switches.Add("refuse-batches", "refuses batches in every revision")

// checkBatch: batches are a feature of one revision, and gone from the next.
func checkBatch(x *exchange) *web.Answer {
	if !x.Batch || x.Revision == revision.V20250326 && !x.On(switchRefuseBatches) {
		return nil
	}
	return x.RefuseRPC(http.StatusBadRequest, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "invalid request: no batches in this revision"})
}
