package legacy

import (
	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// A request is one request of a client while it is being answered, and the line on which its method reaches that client.
type request struct {
	core.Request
	s       *Server
	session *session
	scene   deviation.Scene
	stream  *stream // where related messages go; nil for an answer in JSON
}

var _ core.Line = (*request)(nil)

// newRequest makes the request that a message is, in the session of the exchange.
func (x *exchange) newRequest(m jsonrpc.Message) *request {
	c := &request{s: x.s, scene: x.SceneOf(m)}
	c.Request = core.Request{Server: x.s.core, Message: m}
	c.enter(x.session)
	return c
}

// enter puts the request into a session, which tells who the caller is.
func (c *request) enter(sess *session) {
	c.session, c.Caller = sess, c.s.caller(sess, c)
}

// caller is what a method may know of the client of a session.
func (s *Server) caller(sess *session, line core.Line) core.Caller {
	return core.Caller{
		Revision: sess.revision,
		// Without sessions nothing tells a client of 2024-11-05, which sends no header, from one of the assumed revision.
		Guessed:      !s.profile.Sessions && sess.revision == revision.Assumed,
		Capabilities: sess.client,
		State:        sess.state,
		Keeps:        s.profile.Sessions,
		Pushes:       s.profile.Sessions && s.profile.GET,
		Line:         line,
	}
}

// prepare answers a request as far as that needs no time.
func (s *Server) prepare(x *exchange, m jsonrpc.Message) *request {
	c := x.newRequest(m)
	if m.Kind == jsonrpc.KindInvalid {
		// Only an element of a batch gets here; alone it was refused.
		if !x.Skips("invalid-request") {
			c.Err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "invalid request: " + m.Why}
			return c
		}
		c.Result = jsonrpc.Empty{}
		return c
	}
	c.Answer()
	c.hasty()
	if c.Err == core.NoSuchCursor {
		c.badCursor()
	}
	return c
}

// Notify sends a notification that belongs to this request on its stream. An answer in JSON has no place for any.
func (c *request) Notify(out jsonrpc.Outgoing) {
	if c.stream == nil || c.relatedOnGet(out) {
		return
	}
	c.s.emit(c.stream, c.scene, out)
}

// The switches of the log messages of calls.
var (
	switchLogSession  = switches.Add("log-session-id", "names the session id in the log messages of calls")
	switchLogOther    = switches.Add("log-other-session-id", "names the id of another session in the log messages of calls")
	switchIgnoreLevel = switches.Add("ignore-log-level", "sends log messages of calls whatever level was set")
)

// Log sends a log message of the request. Without sessions the capability is not declared, and nothing sent.
func (c *request) Log(level, text string) {
	if c.s.dev.On(switchLogSession, c.scene) {
		text += " in session " + c.session.id
	}
	if c.s.dev.On(switchLogOther, c.scene) {
		text += " in session " + c.s.sessions.other(c.session)
	}
	if c.s.profile.Sessions && (c.session.state.Wants(level) || c.s.dev.On(switchIgnoreLevel, c.scene)) {
		c.Notify(core.LogMessage(level, text))
	}
}

// Announce pushes to the session, where there can be a stream to push to.
func (c *request) Announce(out jsonrpc.Outgoing) {
	if c.s.profile.GET {
		c.s.push(c.session, out)
	}
}

// CanPark tells whether a connection may end before the answer: only from 2025-11-25, and only if it can be resumed.
func (c *request) CanPark() bool {
	return revision.AtLeast(c.session.revision, revision.V20251125) && c.s.profile.Store && c.s.profile.GET && c.session.log.link == nil
}

// Park sends a retry field and ends the connection, but not the stream
// (2025-11-25: basic/transports#sending-messages-to-the-server).
func (c *request) Park() {
	c.s.emitEvent(c.stream, deviation.Frame{Kind: deviation.FrameRetry, Retry: "50"})
	c.stream.park()
}
