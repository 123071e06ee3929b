package modern

import (
	"encoding/json"
	"net/http"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// headGuards need the head of the request only. Those that every era has are named as in the others.
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

// messageGuards follow once the body was read. What is wrong with the message comes before what its headers say of it, and a version
// that is not spoken before whatever another version may see in another way.
var messageGuards = []web.Guard[*exchange]{
	{Name: "insufficient-scope", Check: shared(web.CheckScope)},
	{Name: "parse-error", Check: shared(web.CheckParsed)},
	{Name: "batch-refused", Check: checkBatch},
	{Name: "invalid-request", Check: shared(web.CheckValid)},
	{Name: "stray-response", Check: checkResponse},
	{Name: "notification-refused", Check: checkNotification},
	{Name: "handshake", Check: checkHandshake},
	{Name: "meta-missing", Check: checkMeta},
	{Name: "meta-version-missing", Check: checkMetaVersion},
	{Name: "meta-mistyped", Check: checkMetaTypes},
	{Name: "header-version-missing", Check: checkVersionHeader},
	{Name: "header-version-mismatch", Check: checkVersionsAgree},
	{Name: "unsupported-version", Check: checkVersion},
	{Name: "meta-capabilities-missing", Check: checkMetaCapabilities},
	{Name: "header-method-missing", Check: checkMethodHeader},
	{Name: "header-method-mismatch", Check: checkMethodsAgree},
	{Name: "header-name-missing", Check: checkNameHeader},
	{Name: "header-name-mismatch", Check: checkNamesAgree},
	{Name: "header-param-missing", Check: checkParamHeaders},
	{Name: "header-param-mismatch", Check: checkParamsAgree},
	{Name: "bad-log-level", Check: checkLogLevel},
	{Name: "bad-input-responses", Check: checkResponses},
	{Name: "bad-request-state", Check: checkState},
}

// shared makes a check of this era from one that every era has.
func shared(check func(*web.Exchange) *web.Answer) func(*exchange) *web.Answer {
	return func(x *exchange) *web.Answer { return check(&x.Exchange) }
}

// checkGet: there is no stream to listen to but that of subscriptions/listen, and 405 tells clients of other revisions so
// (basic/transports/streamable-http#earlier-streamable-http-revisions).
func checkGet(x *exchange) *web.Answer { return x.only(x.R.Method == http.MethodGet) }

// checkDelete: nor is there a session to end.
func checkDelete(x *exchange) *web.Answer { return x.only(x.R.Method == http.MethodDelete) }

func checkMethod(x *exchange) *web.Answer {
	return x.only(x.R.Method != http.MethodPost && x.R.Method != http.MethodGet && x.R.Method != http.MethodDelete)
}

// only refuses what is no POST.
func (x *exchange) only(refuse bool) *web.Answer {
	if !refuse {
		return nil
	}
	a := web.RefuseText(http.StatusMethodNotAllowed, "the MCP endpoint takes POST only")
	a.Header.Set("Allow", http.MethodPost)
	return a
}

// refuse is a refusal under 400.
func (x *exchange) refuse(code int, why string) *web.Answer {
	return x.RefuseRPC(http.StatusBadRequest, &jsonrpc.Error{Code: code, Message: why})
}

// checkBatch: the body is one message (basic/transports/streamable-http#sending-messages).
func checkBatch(x *exchange) *web.Answer {
	if !x.Batch {
		return nil
	}
	return x.refuse(jsonrpc.CodeInvalidRequest, "invalid request: no batches in this revision")
}

// checkResponse: the server asks nothing that could be answered by a message.
func checkResponse(x *exchange) *web.Answer {
	if x.Only().Kind != jsonrpc.KindResponse {
		return nil
	}
	return x.refuse(jsonrpc.CodeInvalidRequest, "invalid request: nobody waits for a response")
}

// checkNotification: a server may refuse what means nothing to it, and says so by an HTTP error and no id
// (basic/transports/streamable-http#sending-messages).
func checkNotification(x *exchange) *web.Answer {
	if x.Only().Kind != jsonrpc.KindNotification || !x.s.profile.Deaf {
		return nil
	}
	return x.refuse(jsonrpc.CodeInvalidRequest, "invalid request: no notification means anything here")
}

// checkHandshake tells a client of an older era which versions there are: "SHOULD name the protocol versions it supports in any error it
// returns to an initialize request" (basic/versioning#backward-compatibility-with-initialization-based-versions).
func checkHandshake(x *exchange) *web.Answer {
	if _, modern := x.params.Meta[KeyVersion]; !x.isRequest() || modern || x.Only().Method != "initialize" {
		return nil
	}
	var asked struct {
		Version string `json:"protocolVersion"`
	}
	_ = jsonrpc.DecodeParams(x.Only(), &asked)
	return x.unsupported(asked.Version)
}

// checkMeta: every request says in _meta who sends it (basic/index#meta).
func checkMeta(x *exchange) *web.Answer {
	if !x.isRequest() || x.params.Meta != nil {
		return nil
	}
	return x.refuse(jsonrpc.CodeInvalidParams, "invalid params: _meta is missing")
}

func checkMetaVersion(x *exchange) *web.Answer { return x.checkKey(KeyVersion) }

func checkMetaCapabilities(x *exchange) *web.Answer {
	if refusal := x.checkKey(keyCapabilities); refusal != nil && !x.remembers() {
		return refusal
	}
	return nil
}

func (x *exchange) checkKey(key string) *web.Answer {
	if _, there := x.params.Meta[key]; !x.isRequest() || x.params.Meta == nil || there {
		return nil
	}
	return x.refuse(jsonrpc.CodeInvalidParams, "invalid params: "+key+" is missing in _meta")
}

func checkMetaTypes(x *exchange) *web.Answer {
	if !x.isRequest() {
		return nil
	}
	if _, ok := x.text(KeyVersion); !ok && x.params.Meta[KeyVersion] != nil {
		return x.refuse(jsonrpc.CodeInvalidParams, "invalid params: "+KeyVersion+" is no string")
	}
	var members map[string]json.RawMessage
	if raw := x.params.Meta[keyCapabilities]; raw != nil && (json.Unmarshal(raw, &members) != nil || members == nil) {
		return x.refuse(jsonrpc.CodeInvalidParams, "invalid params: "+keyCapabilities+" is no object")
	}
	return nil
}

// checkVersion: "UnsupportedProtocolVersionError listing its supported versions" (basic/transports/streamable-http#protocol-version-header).
func checkVersion(x *exchange) *web.Answer {
	version, ok := x.text(KeyVersion)
	if !x.isRequest() || !ok || revision.IsModern(version) && !x.On(switchSpeaksOld) {
		return nil
	}
	return x.unsupported(version)
}

func (x *exchange) unsupported(requested string) *web.Answer {
	versions := x.s.profile.Versions()
	if x.On(switchSpeaksOld) {
		versions = []string{"1900-01-01"}
	}
	return x.RefuseRPC(http.StatusBadRequest, &jsonrpc.Error{
		Code:    jsonrpc.CodeUnsupportedVersion,
		Message: "unsupported protocol version; this server speaks " + versions[0],
		Data:    map[string]any{"supported": versions, "requested": requested},
	})
}

// checkLogLevel: "Invalid log level: -32602" (server/utilities/logging#error-handling).
func checkLogLevel(x *exchange) *web.Answer {
	raw, there := x.params.Meta[keyLogLevel]
	level, ok := x.text(keyLogLevel)
	if !x.isRequest() || !there || raw == nil || ok && core.IsLevel(level) {
		return nil
	}
	return x.RefuseRPC(http.StatusBadRequest, core.NoSuchLevel)
}
