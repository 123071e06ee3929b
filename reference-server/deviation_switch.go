package refserver

import (
	"net/http"
	"slices"
	"time"
)

const (
	swapWait     = 20 * time.Millisecond
	exchangeLife = 8 // switchExpire: exchanges of a session
	ratePerSec   = 5 // switchRateLimit
)

func (v *deviator) has(name string, sc scene) bool {
	return v != nil && slices.Contains(v.Switches, name) && v.applies(sc)
}

// on tells whether a switch is set for the exchange.
func (v *deviator) on(name string, x *exchange) bool {
	return v != nil && slices.Contains(v.Switches, name) && v.applies(x.scene())
}

// skips tells whether a guard is left out.
func (v *deviator) skips(guard string, x *exchange) bool { return v.on("skip "+guard, x) }

// hang waits for the client to give up where the switch is set; true means go on.
func (v *deviator) hang(x *exchange, name string) bool {
	if !v.on(name, x) {
		return true
	}
	if name == switchHangEvent {
		_ = http.NewResponseController(x.w).Flush()
	}
	select {
	case <-x.r.Context().Done():
	case <-x.s.ctx.Done():
	}
	return false
}

// sendHalf is the hang in the middle of a JSON answer; true means go on.
func (v *deviator) sendHalf(x *exchange, a *answer) bool {
	if a.outcome != "served-json" || !v.on(switchHangBody, x) {
		return true
	}
	x.writeHead(*a)
	x.write(a.body[:len(a.body)/2])
	return v.hang(x, switchHangBody)
}

// served does what is due once an exchange of a session was counted.
func (v *deviator) served(x *exchange) {
	if v == nil || x.session.idle == nil {
		return
	}
	if x.session.worn(exchangeLife) && v.on(switchExpire, x) {
		x.s.sessions.end(x.session, expired)
	}
}

// refused does what is due after a refusal.
func (v *deviator) refused(x *exchange, guard string) {
	if x.session == nil {
		return
	}
	if guard == "reinitialize" && v.on(switchDieOnReinit, x) || guard == "invalid-request" && v.on(switchDieOnInvalid, x) {
		x.s.sessions.end(x.session, expired)
		if x.link != nil {
			x.s.links.close(x.link)
		}
	}
}

// ignored does what is due after a cancellation that had nothing to cancel.
func (v *deviator) ignored(x *exchange) {
	if !v.on(switchDieOnCancel, x) {
		return
	}
	x.s.sessions.end(x.session, expired)
	if x.link != nil {
		x.s.links.close(x.link)
	}
}

// answersCancelled tells whether a cancelled call is answered all the same.
func (v *deviator) answersCancelled(x *exchange, c *request) bool {
	if v.on(switchErrorCancelled, x) {
		c.result, c.err = nil, &rpcError{Code: codeInternal, Message: "request cancelled"}
		return true
	}
	return v.on(switchAnswerCancelled, x)
}

// limited refuses what exceeds the rate.
func (v *deviator) limited(x *exchange) bool {
	if !v.on(switchRateLimit, x) {
		return false
	}
	v.mu.Lock()
	now := time.Now()
	v.recent = slices.DeleteFunc(v.recent, func(t time.Time) bool { return now.Sub(t) > time.Second })
	over := len(v.recent) >= ratePerSec
	if !over {
		v.recent = append(v.recent, now)
	}
	v.mu.Unlock()
	if over {
		a := plain("rate-limited", http.StatusTooManyRequests, "too many requests")
		a.header.Set("Retry-After", "1")
		x.send(a)
	}
	return over
}

// worker waits for the one worker, where there is only one.
func (v *deviator) worker(x *exchange) (release func(), ok bool) {
	if !v.on(switchOneWorker, x) {
		return func() {}, true
	}
	select {
	case v.worker1 <- struct{}{}:
		return func() { <-v.worker1 }, true
	case <-x.r.Context().Done():
	case <-x.s.ctx.Done():
	}
	return nil, false
}

// A swapped response waits for that of another request.
type swapped struct {
	out  outgoing
	back chan outgoing
}

func (v *deviator) swapped(c *request, out outgoing) outgoing {
	if !v.has(switchSwap, c.scene) {
		return out
	}
	mine := swapped{out, make(chan outgoing, 1)}
	wait := time.NewTimer(swapWait)
	defer wait.Stop()
	select {
	case other := <-c.session.swap:
		other.back <- out
		return other.out
	case c.session.swap <- mine:
		return <-mine.back
	case <-wait.C:
		return out
	}
}

// respondOnGet copies a response to the standalone stream, if anybody reads it.
func (v *deviator) respondOnGet(x *exchange, out outgoing) {
	if !v.on(switchResponsesOnGet, x) {
		return
	}
	log := x.session.log
	log.mu.Lock()
	st := log.standalone
	reading := st != nil && st.attached
	log.mu.Unlock()
	if reading {
		x.s.emitEvent(st, frame{kind: frameMessage, data: encode(out.body)})
	}
}

// respondElsewhere copies the former response of the session to this stream.
func (v *deviator) respondElsewhere(x *exchange, st *stream, out outgoing) {
	if !v.on(switchForeign, x) {
		return
	}
	v.mu.Lock()
	former := v.former[x.session]
	v.former[x.session] = []outgoing{out}
	v.mu.Unlock()
	for _, f := range former {
		x.s.emitEvent(st, frame{kind: frameMessage, data: encode(f.body)})
	}
}

// relatedOnGet sends a notification of a call on the GET stream, where it does not belong; false sends it on its own stream
// (too).
func (v *deviator) relatedOnGet(c *request, out outgoing) bool {
	instead := v.has(switchRelatedOnGet, c.scene)
	also := v.has(switchBroadcast, c.scene) && out.method == "notifications/message"
	if !instead && !also {
		return false
	}
	c.session.log.mu.Lock()
	st := c.session.log.standalone
	reading := st != nil && st.attached
	c.session.log.mu.Unlock()
	if reading {
		c.s.emit(st, st.scene, out)
	}
	return reading && instead
}

// pingTimeout is how long the server waits for the answer to its ping.
func (v *deviator) pingTimeout(usual time.Duration) time.Duration {
	if v != nil && slices.Contains(v.Switches, switchPingWaits) {
		return 1 << 62
	}
	return usual
}

// hangsUp closes the GET stream in place of a cancellation.
func (v *deviator) hangsUp(sess *session) bool {
	if v == nil || !slices.Contains(v.Switches, switchPingSilent) {
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

// broadcast copies a message of the server to further streams.
func (v *deviator) broadcast(s *Server, streams []*stream, out outgoing) {
	for _, st := range streams {
		if v.has(switchBroadcast, st.scene) {
			s.emit(st, st.scene, out)
		}
	}
}

// gone does what is due when the connection of a POST stream was lost.
func (v *deviator) gone(x *exchange, st *stream, calls []*request) {
	if x.r.Context().Err() == nil {
		return
	}
	if v.on(switchForget, x) {
		st.finish()
	}
	if v.on(switchDisconnect, x) {
		for _, c := range calls {
			x.session.cancelCall(c.message.id)
		}
	}
}

// find looks for the event that a client names in Last-Event-ID.
func (v *deviator) find(x *exchange, id string) (*stream, int) {
	st, next := x.session.log.find(id)
	if st != nil || !v.on(switchReplayForeign, x) {
		return st, next
	}
	for _, other := range x.s.OpenSessions() {
		if sess := x.s.sessions.get(other); sess != nil {
			if st, _ := sess.log.find(id); st != nil {
				return st, 0
			}
		}
	}
	return nil, 0
}

// resume finds what a GET with Last-Event-ID goes on with; nil is a fresh stream.
func (v *deviator) resume(x *exchange, id string) (*stream, int) {
	st, next := v.find(x, id)
	switch {
	case v == nil || st == nil:
		return st, next
	case v.on(switchReplayNothing, x):
		return nil, 0
	case v.on(switchReplayStart, x):
		return st, 0
	case v.on(switchReplayInclusive, x):
		return st, next - 1
	case v.on(switchReplayGap, x):
		return st, next + 1
	case v.on(switchReplayAll, x):
		x.session.log.pour(st)
	}
	return st, next
}

// pour adds the events of the finished streams of the log to st, finished or not.
func (l *eventLog) pour(st *stream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, other := range l.streams {
		if other != st && other.finished {
			st.events = append(st.events, other.events...)
		}
	}
	st.wake()
}
