package refserver

import "net/http"

const methodInitialize = "initialize"

type initializeParams struct {
	ProtocolVersion *string             `json:"protocolVersion"`
	Capabilities    *clientCapabilities `json:"capabilities"`
	ClientInfo      *struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"clientInfo"`
}

type initializeResult struct {
	ProtocolVersion string         `json:"protocolVersion"`
	Capabilities    capabilities   `json:"capabilities"`
	ServerInfo      implementation `json:"serverInfo"`
	Instructions    string         `json:"instructions,omitempty"`
}

type implementation struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"` // from 2025-06-18
	Version     string `json:"version"`
	Description string `json:"description,omitempty"` // from 2025-11-25
	Icons       []icon `json:"icons,omitempty"`       // from 2025-11-25
}

type icon struct {
	Src      string   `json:"src"`
	MimeType string   `json:"mimeType,omitempty"`
	Sizes    []string `json:"sizes,omitempty"`
	Theme    string   `json:"theme,omitempty"`
}

// tick is an icon that needs no second request (basic/index#icons).
const tick = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Cpath d='M1 4l2 2 4-4'/%3E%3C/svg%3E"

type capabilities struct {
	Tools       *listCapability      `json:"tools,omitempty"`
	Resources   *resourcesCapability `json:"resources,omitempty"`
	Prompts     *listCapability      `json:"prompts,omitempty"`
	Logging     *empty               `json:"logging,omitempty"`
	Completions *empty               `json:"completions,omitempty"` // from 2025-03-26
	Tasks       *tasksCapability     `json:"tasks,omitempty"`       // from 2025-11-25
}

type listCapability struct {
	ListChanged bool `json:"listChanged,omitempty"`
}

type resourcesCapability struct {
	Subscribe   bool `json:"subscribe,omitempty"`
	ListChanged bool `json:"listChanged,omitempty"`
}

// requestedVersion reads the version that an initialize asks for; empty where it is unusable.
func (m message) requestedVersion() string {
	var params initializeParams
	if decodeParams(m, &params) != nil || params.ProtocolVersion == nil {
		return ""
	}
	return *params.ProtocolVersion
}

// initialize negotiates the revision, opens the session and presents the server (basic/lifecycle#initialization). The id of
// the session travels with the response (basic/transports#session-management).
func (s *Server) initialize(x *exchange, m message) {
	// An initialize that carries no session id is nobody's yet; the exchange has a session of its own until it is accepted.
	x.leave()
	c := &request{s: s, message: m, scene: x.scene(), session: x.session}
	params := c.initializeParams()
	if c.err != nil {
		x.sendMessages(newAnswer(outcomeOfError(c.err), http.StatusOK), c.response())
		return
	}
	if !s.dev.hang(x, switchHangHead) {
		return
	}
	header := http.Header{}
	if s.profile.Sessions {
		if s.dev.on(switchSingleSession, x) {
			s.sessions.endAll()
		}
		x.session = s.sessions.open(x.revision, s.dev.sessionID)
		header.Set(headerSession, x.session.id)
	} else {
		x.session = newSession(s.ctx, "", x.revision)
	}
	x.session.client = *params.Capabilities
	c.session = x.session
	c.result = s.present(x.session)

	if s.profile.SSE {
		s.serveStream(x, "served-sse", header, c)
		return
	}
	a := newAnswer("served-json", http.StatusOK)
	a.header = header
	x.sendMessages(a, c.response())
}

// initializeParams reads the parameters of the request; where they do not do it has an error afterwards.
func (c *request) initializeParams() (params initializeParams) {
	c.err = decodeParams(c.message, &params)
	if c.err == nil && (params.ProtocolVersion == nil || params.Capabilities == nil || params.ClientInfo == nil) {
		c.err = invalidParams("protocolVersion, capabilities and clientInfo are required")
	}
	return params
}

// present declares what the server really does in this profile: what nobody could be told is not declared.
func (s *Server) present(sess *session) initializeResult {
	pushes := s.profile.Sessions && s.profile.GET
	r := initializeResult{
		ProtocolVersion: sess.revision,
		ServerInfo:      implementation{Name: "mcpcheck-reference-server", Version: "1.0.0"},
		Capabilities: capabilities{
			Tools:     &listCapability{ListChanged: pushes},
			Resources: &resourcesCapability{Subscribe: pushes, ListChanged: pushes},
			Prompts:   &listCapability{ListChanged: pushes},
		},
		Instructions: "A server to check checkers with. Its tools with an effect are write-note and those that ask the model or the person.",
	}
	if s.profile.Sessions {
		r.Capabilities.Logging = &empty{} // a level needs a session to be kept in
	}
	if sess.revision >= Rev20250326 {
		r.Capabilities.Completions = &empty{}
	}
	if sess.revision >= Rev20250618 {
		r.ServerInfo.Title = "The mcpcheck reference server"
	}
	if (&request{s: s, session: sess}).offersTasks() {
		r.Capabilities.Tasks = &tasksCapability{}
	}
	if s.profile.ToolsOnly {
		r.Capabilities = capabilities{Tools: r.Capabilities.Tools, Tasks: r.Capabilities.Tasks}
	}
	if sess.revision >= Rev20251125 {
		r.ServerInfo.Description = "A conforming server, and every fault of one."
		r.ServerInfo.Icons = []icon{{Src: tick, MimeType: "image/svg+xml", Sizes: []string{"any"}, Theme: "light"}}
	}
	return r
}

// answered takes the client's response to a request of the server. One that nobody waits for is accepted as well.
func (s *session) answered(m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if waiting := s.pending[string(m.id)]; waiting != nil {
		delete(s.pending, string(m.id))
		waiting <- m // has room for one
	}
}
