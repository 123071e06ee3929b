package legacy

import (
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
)

// swapWait is how long a response waits for another to change places with.
const swapWait = 20 * time.Millisecond

// The switches of messages on streams where they do not belong.
var (
	switchSwap           = switches.Add("swap-answers", "exchanges the responses of two requests that run at the same time")
	switchResponsesOnGet = switches.Add("responses-on-get", "sends a copy of each response on the GET stream")
	switchAnswersOnGet   = switches.Add("answers-on-get", "sends responses on the GET stream only, where there is one")
	switchForeign        = switches.Add("foreign-responses", "sends a copy of the former response of the session on the next POST stream")
	switchRelatedOnGet   = switches.Add("related-on-get", "sends the notifications of a call on the GET stream, where there is one")
	switchBroadcast      = switches.Add("broadcast",
		"sends a copy of each message of the server on every open stream of the session, and of log messages of calls on the GET stream")
)

// The switches of calls that nobody waits for any more.
var (
	switchForget          = switches.Add("forget-unattended", "loses the response of a call whose connection has gone")
	switchDisconnect      = switches.Add("cancel-on-disconnect", "takes a lost connection for a cancellation")
	switchAnswerCancelled = switches.Add("answer-cancelled", "answers a cancelled call after all, once it would have been done")
	switchErrorCancelled  = switches.Add("error-for-cancelled", "answers a cancelled call with an error at once")
)

// A swapped response waits for that of another request.
type swapped struct {
	out  jsonrpc.Outgoing
	back chan jsonrpc.Outgoing
}

func (c *request) swapped(out jsonrpc.Outgoing) jsonrpc.Outgoing {
	if !c.s.dev.On(switchSwap, c.scene) {
		return out
	}
	mine := swapped{out, make(chan jsonrpc.Outgoing, 1)}
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
func (x *exchange) respondOnGet(out jsonrpc.Outgoing) {
	if !x.On(switchResponsesOnGet) {
		return
	}
	if st, reading := x.session.log.listener(); reading {
		x.s.emitEvent(st, deviation.Frame{Kind: deviation.FrameMessage, Data: jsonrpc.Encode(out.Body)})
	}
}

// answeredOnGet sends a response to the standalone stream only; false where nobody reads one.
func (x *exchange) answeredOnGet(out jsonrpc.Outgoing) bool {
	if !x.On(switchAnswersOnGet) {
		return false
	}
	st, reading := x.session.log.listener()
	if reading {
		x.s.emitEvent(st, deviation.Frame{Kind: deviation.FrameMessage, Data: jsonrpc.Encode(out.Body)})
	}
	return reading
}

// former holds the last response of each session, where they are sent again.
type former struct {
	mu        sync.Mutex
	responses map[*session]jsonrpc.Outgoing
}

// respondElsewhere copies the former response of the session to this stream.
func (x *exchange) respondElsewhere(st *stream, out jsonrpc.Outgoing) {
	if !x.On(switchForeign) {
		return
	}
	f := &x.s.former
	f.mu.Lock()
	last, ok := f.responses[x.session]
	if f.responses == nil {
		f.responses = map[*session]jsonrpc.Outgoing{}
	}
	f.responses[x.session] = out
	f.mu.Unlock()
	if ok {
		x.s.emitEvent(st, deviation.Frame{Kind: deviation.FrameMessage, Data: jsonrpc.Encode(last.Body)})
	}
}

// relatedOnGet sends a notification of a call on the GET stream, where it does not belong; false sends it on its own stream
// (too).
func (c *request) relatedOnGet(out jsonrpc.Outgoing) bool {
	instead := c.s.dev.On(switchRelatedOnGet, c.scene)
	also := c.s.dev.On(switchBroadcast, c.scene) && out.Method == "notifications/message"
	if !instead && !also {
		return false
	}
	st, reading := c.session.log.listener()
	if reading {
		c.s.emit(st, st.scene, out)
	}
	return reading && instead
}

// listener returns the standalone stream, and whether anybody reads it.
func (l *eventLog) listener() (st *stream, reading bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.standalone, l.standalone != nil && l.standalone.attached
}

// broadcast copies a message of the server to further streams.
func (s *Server) broadcast(streams []*stream, out jsonrpc.Outgoing) {
	for _, st := range streams {
		if s.dev.On(switchBroadcast, st.scene) {
			s.emit(st, st.scene, out)
		}
	}
}

// answersCancelled tells whether a cancelled call is answered all the same.
func (x *exchange) answersCancelled(c *request) bool {
	if x.On(switchErrorCancelled) {
		c.Result, c.Err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternal, Message: "request cancelled"}
		return true
	}
	return x.On(switchAnswerCancelled)
}

// gone does what is due when the connection of a POST stream was lost.
func (x *exchange) gone(st *stream, calls []*request) {
	if x.R.Context().Err() == nil {
		return
	}
	if x.On(switchForget) {
		st.finish()
	}
	if x.On(switchDisconnect) {
		for _, c := range calls {
			x.session.cancelCall(c.Message.ID)
		}
	}
}
