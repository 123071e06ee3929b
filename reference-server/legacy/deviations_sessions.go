package legacy

import (
	"strings"
	"time"
)

// exchangeLife is after how many exchanges a session ends that expires too early.
const exchangeLife = 8

// The switches of sessions that end without a reason, or not at all.
var (
	switchExpire       = switches.Add("expire-sessions", "ends a session after eight exchanges")
	switchDieOnReinit  = switches.Add("reinitialize-ends-session", "ends the session whose client initializes again")
	switchDieOnInvalid = switches.Add("invalid-ends-session", "ends the session whose client sends something that is no message")
	switchDieOnCursor  = switches.Add("bad-cursor-ends-session", "ends the session whose client sends a cursor that is none")
	switchDieOnCancel  = switches.Add("cancellation-ends-session", "ends the session whose client cancels something that does not run")
	switchDieOnEarly   = switches.Add("early-list-ends-session", "ends the session whose client lists before it is ready")
	switchPingWaits    = switches.Add("ping-waits-for-ever", "waits for the answer to its ping without a time-out")
	switchPingSilent   = switches.Add("ping-times-out-silently", "gives up on its ping by closing the GET stream, without a cancellation")
)

// other is the id of a live session of the same revision that is not this one, "" without one: a log that tells tales.
func (ss *sessions) other(s *session) string {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	least := ""
	for id, o := range ss.live {
		if o != s && o.revision == s.revision && (least == "" || id < least) {
			least = id
		}
	}
	return least
}

// counted does what is due once an exchange of a session was counted.
func (x *exchange) counted() {
	if x.s.dev.Has(switchExpire) && x.session.idle != nil && x.session.worn(exchangeLife) && x.On(switchExpire) {
		x.s.sessions.end(x.session, expired)
	}
}

// refused does what is due after a refusal.
func (x *exchange) refused(guard string) {
	if x.session == nil {
		return
	}
	if guard == "reinitialize" && x.On(switchDieOnReinit) || guard == "invalid-request" && x.On(switchDieOnInvalid) {
		x.die()
	}
}

// ignored does what is due after a cancellation that had nothing to cancel.
func (x *exchange) ignored() {
	if x.On(switchDieOnCancel) {
		x.die()
	}
}

// die ends the session of the exchange, and the stream that it lives on over HTTP+SSE.
func (x *exchange) die() {
	x.s.sessions.end(x.session, expired)
	if x.link != nil {
		x.s.links.close(x.link)
	}
}

// badCursor does what is due after a cursor that is none.
func (c *request) badCursor() {
	if c.s.dev.On(switchDieOnCursor, c.scene) {
		c.s.sessions.end(c.session, expired)
	}
}

// hasty does what is due after a list of a client that is not ready yet.
func (c *request) hasty() {
	if strings.HasSuffix(c.Message.Method, "/list") && !c.session.isReady() && c.s.dev.On(switchDieOnEarly, c.scene) {
		c.s.sessions.end(c.session, expired)
	}
}

// pingTimeout is how long the server waits for the answer to its ping.
func (s *Server) pingTimeout() time.Duration {
	if s.dev.Has(switchPingWaits) {
		return 1 << 62
	}
	return pingTimeout
}

// hangsUp closes the GET stream in place of a cancellation.
func (s *Server) hangsUp(sess *session) bool {
	if !s.dev.Has(switchPingSilent) {
		return false
	}
	sess.log.mu.Lock()
	st := sess.log.standalone
	sess.log.mu.Unlock()
	if st != nil {
		st.finish()
	}
	return true
}
