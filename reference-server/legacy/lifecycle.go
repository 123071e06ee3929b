package legacy

import (
	"net/http"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

const methodInitialize = "initialize"

var switchSingleSession = switches.Add("single-session", "ends every session when a new one begins")

type initializeParams struct {
	ProtocolVersion *string                  `json:"protocolVersion"`
	Capabilities    *core.ClientCapabilities `json:"capabilities"`
	ClientInfo      *struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"clientInfo"`
}

type initializeResult struct {
	ProtocolVersion string              `json:"protocolVersion"`
	Capabilities    core.Capabilities   `json:"capabilities"`
	ServerInfo      core.Implementation `json:"serverInfo"`
	Instructions    string              `json:"instructions,omitempty"`
}

// requestedVersion reads the version that an initialize asks for; empty where it is unusable.
func requestedVersion(m jsonrpc.Message) string {
	var params initializeParams
	if jsonrpc.DecodeParams(m, &params) != nil || params.ProtocolVersion == nil {
		return ""
	}
	return *params.ProtocolVersion
}

// initialize negotiates the revision, opens the session and presents the server (basic/lifecycle#initialization). The id of
// the session travels with the response (basic/transports#session-management).
func (s *Server) initialize(x *exchange, m jsonrpc.Message) {
	// An initialize that carries no session id is nobody's yet; the exchange has a session of its own until it is accepted.
	x.leave()
	c := x.newRequest(m)
	params := c.initializeParams()
	if c.Err != nil {
		x.SendMessages(web.NewAnswer(web.OutcomeOfError(c.Err), http.StatusOK), c.Response())
		return
	}
	if x.HangsBeforeHead() {
		return
	}
	header := http.Header{}
	if s.profile.Sessions {
		if x.On(switchSingleSession) {
			s.sessions.endAll()
		}
		x.session = s.sessions.open(x.Revision, s.sessionID)
		header.Set(headerSession, x.session.id)
	} else {
		x.session = newSession(s.ctx, "", x.Revision)
	}
	x.session.client = *params.Capabilities
	c.enter(x.session)
	c.Result = s.present(c)

	if s.profile.SSE {
		s.serveStream(x, "served-sse", header, c)
		return
	}
	a := web.NewAnswer(web.ServedJSON, http.StatusOK)
	a.Header = header
	x.SendMessages(a, c.Response())
}

// initializeParams reads the parameters of the request; where they do not do it has an error afterwards.
func (c *request) initializeParams() (params initializeParams) {
	c.Err = jsonrpc.DecodeParams(c.Message, &params)
	if c.Err == nil && (params.ProtocolVersion == nil || params.Capabilities == nil || params.ClientInfo == nil) {
		c.Err = jsonrpc.InvalidParams("protocolVersion, capabilities and clientInfo are required")
	}
	return params
}

// present is the answer to initialize.
func (s *Server) present(c *request) initializeResult {
	return initializeResult{
		ProtocolVersion: c.Caller.Revision,
		Capabilities:    s.core.Capabilities(c.Caller),
		ServerInfo:      s.core.Info(c.Caller),
		Instructions:    core.Instructions,
	}
}

// answered takes the client's response to a request of the server. One that nobody waits for is accepted as well.
func (s *session) answered(m jsonrpc.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if waiting := s.pending[string(m.ID)]; waiting != nil {
		delete(s.pending, string(m.ID))
		waiting <- m // has room for one
	}
}
