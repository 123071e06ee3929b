package modern

import (
	"encoding/json"
	"net/http"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// Keys of _meta (basic/index#meta).
const (
	// KeyVersion is what tells the era of a request.
	KeyVersion      = "io.modelcontextprotocol/protocolVersion"
	keyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	keyLogLevel     = "io.modelcontextprotocol/logLevel"
	keyServerInfo   = "io.modelcontextprotocol/serverInfo"
	keySubscription = "io.modelcontextprotocol/subscriptionId"
)

// An exchange is one HTTP request and the answer to it.
type exchange struct {
	web.Exchange
	s      *Server
	params params
}

// params are what every request may have in its params; what its method wants is for core to read.
type params struct {
	Meta      map[string]json.RawMessage `json:"_meta"`
	Name      *string                    `json:"name"`
	URI       *string                    `json:"uri"`
	Arguments json.RawMessage            `json:"arguments"`
	Responses json.RawMessage            `json:"inputResponses"`
	State     *string                    `json:"requestState"`
}

// newExchange makes one of a request that was not read yet.
func (s *Server) newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	return &exchange{Exchange: web.Exchange{Site: s.site, W: w, R: r, Revision: revision.V20260728}, s: s}
}

// readBody reads the message of a POST and what its params say of the client.
func (x *exchange) readBody() bool {
	if !x.ReadBody() {
		return false
	}
	// Each member is read on its own: that one is of the wrong type hides no other.
	var members map[string]json.RawMessage
	if jsonrpc.DecodeParams(x.Only(), &members) != nil {
		return true
	}
	for name, into := range map[string]any{
		"_meta": &x.params.Meta, "name": &x.params.Name, "uri": &x.params.URI, "requestState": &x.params.State,
	} {
		_ = json.Unmarshal(members[name], into) // what is no string is for the method to refuse
	}
	x.params.Arguments, x.params.Responses = members["arguments"], members["inputResponses"]
	return true
}

// isRequest tells whether the body is one request.
func (x *exchange) isRequest() bool { return x.Only().Kind == jsonrpc.KindRequest }

// pass runs the guards and answers with the first refusal.
func (x *exchange) pass(guards []web.Guard[*exchange]) bool {
	return web.Refused(&x.Exchange, x, guards) == ""
}

// text reads a member of _meta that is a string; false where it is absent or none.
func (x *exchange) text(key string) (value string, ok bool) {
	raw, there := x.params.Meta[key]
	return value, there && len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &value) == nil
}

// capabilities are what the client declares in this request, which says nothing about any other.
func (x *exchange) capabilities() (declared core.ClientCapabilities) {
	_ = json.Unmarshal(x.params.Meta[keyCapabilities], &declared) // was looked at by a guard
	return x.assumed(declared)
}
