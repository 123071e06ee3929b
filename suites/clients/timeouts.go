package clients

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// A hung call is one that the server meant to leave without an answer, for longer than the client means to wait.
type hung struct {
	tr *wire.Transcript
	x  *wire.Exchange
	// want is how long it was meant to wait: twice as long as the client.
	want time.Duration
	// patient tells that it did wait as long, and the client with it.
	patient bool
	// cancelled names it, nil without one; closed tells that the client closed its connection ahead of the answer.
	cancelled *kit.Seen
	closed    bool
	// left is when the client let go of it, by whatever; on tells that it did something afterwards, so that it had not just ended.
	left time.Duration
	on   bool
}

// nobodyHangs is why there is nothing to see where nobody asked for such calls.
const nobodyHangs = "no call was left without an answer: --client-timeout TIME has some wait, where TIME is the time-out of the client"

// hungCalls are those that the client was let wait for without a word. The recording says which were meant to hang, and for how long.
func hungCalls(t *kit.T) []hung {
	return slices.DeleteFunc(heldCalls(t), func(h hung) bool { return tellsProgress(h.x) })
}

// tellsProgress tells that the server said how far it was: a client may wait for longer then.
func tellsProgress(x *wire.Exchange) bool {
	return slices.ContainsFunc(x.Messages(), func(m wire.Located) bool { return m.Method == "notifications/progress" })
}

// heldCalls are all that were not answered for longer than the client means to wait.
func heldCalls(t *kit.T) []hung {
	t.Unseen(kit.Unprovoked, nobodyHangs)
	var all []hung
	for _, tr := range t.Transcripts() {
		for _, w := range tr.Windows {
			x := tr.Exchange(w.Stream)
			if x == nil {
				continue
			}
			if !tellsProgress(x) {
				t.Unseen(kit.Inconclusive, "the client was gone before it had shown how long it waits")
			}
			h := hung{tr: tr, x: x, want: w.Want, patient: w.Long(), closed: x.EndedBy == wire.ByClient && !w.Long()}
			h.left = w.To
			for _, m := range t.MessagesIn(tr) {
				if id, _ := m.Pointer("/params/requestId"); m.Method == methodCancelled && wire.SameID(id, x.RequestMessage().ID) && m.At >= x.Sent {
					h.cancelled = &m
					h.left = min(h.left, m.At)
				}
			}
			for _, o := range tr.Exchanges {
				if o.Request.Method == http.MethodDelete && o.Sent > x.Sent {
					h.left = min(h.left, o.Sent)
				}
			}
			h.on = slices.ContainsFunc(tr.Exchanges, func(o *wire.Exchange) bool {
				return o.Sent > h.left || o.Request.Method == http.MethodDelete && o.Sent == h.left
			})
			all = append(all, h)
		}
	}
	return all
}

// gaveUp tells that the client stopped waiting. One that was stopped itself shows that only by what it did before; one that was gone long
// before its time-out had something else in mind.
func (h hung) gaveUp() bool {
	switch {
	case h.cancelled != nil:
		return true
	case h.left-h.x.Sent < h.want/4:
		return false
	}
	return h.on && h.left < h.x.Sent+h.want || h.closed && h.tr.Aborted == ""
}

// waited says in a phrase how long the client waited.
func (h hung) waited() string { return (h.left - h.x.Sent).Round(10 * time.Millisecond).String() }

// onTwoTries tells that what a client left undone was seen in two conversations.
func onTwoTries(all []hung) bool {
	return slices.ContainsFunc(all, func(h hung) bool { return h.tr != all[0].tr })
}

// timesOut: a request that is never answered is not waited for for ever. How long is for the client to say.
func timesOut(t *kit.T) {
	const expected = "an end of the waiting within twice the time-out that was named for the client"
	t.Says(expected)
	var waiting []hung
	for _, h := range hungCalls(t) {
		switch {
		case h.gaveUp():
			t.OK(h.x, "it gave up after %s", h.waited())
		case h.patient:
			waiting = append(waiting, h)
		}
	}
	switch {
	case t.Observed() || len(waiting) == 0:
	case onTwoTries(waiting):
		t.Breach(waiting[0].x, expected, fmt.Sprintf("%s still waited for after %v, on two tries", what(waiting[0].x), waiting[0].want))
	default:
		t.Unseen(kit.Inconclusive, "the client waited for %v, once", waiting[0].want)
	}
}

// resetByProgress: whether progress has the clock of a request start anew is for the client to say. That there is an end to it is worth
// knowing, since a server may be busy for ever.
func resetByProgress(t *kit.T) {
	t.Says("an end of the waiting, whatever progress is told")
	all := heldCalls(t)
	t.Unseen(kit.Unprovoked, "no call was told to make progress for longer than the client means to wait: that takes --client-timeout, and a progress token of the client")
	for _, h := range all {
		switch {
		case !tellsProgress(h.x):
		case h.gaveUp():
			t.OK(h.x, "it gave up after %s, though progress was told", h.waited())
		case h.patient:
			t.Note(h.x, "progress has the client wait on: for %v, four times its time-out, and an overall maximum should end that at some time", h.want)
		default:
			t.Unseen(kit.Inconclusive, "the client was gone before it had shown how long it waits")
		}
	}
}

// cancelsTimedOut: what is no longer waited for is cancelled. A client that ended with the call may have ended for another reason.
func cancelsTimedOut(t *kit.T) {
	const expected = "notifications/cancelled for what is no longer waited for"
	t.Says(expected)
	silent := uncancelled(t)
	if !t.Observed() && onTwoTries(silent) {
		t.Breach(silent[0].x, expected, fmt.Sprintf("the client let go of %s after %s without it, on two tries", what(silent[0].x), silent[0].waited()))
	}
}

// uncancelled are the calls that the client let go of without a word; those that it cancelled count as seen.
func uncancelled(t *kit.T) []hung {
	var silent []hung
	waits := false
	for _, h := range hungCalls(t) {
		switch {
		case h.cancelled != nil:
			t.Saw()
		case h.gaveUp() && h.on:
			silent = append(silent, h)
		case h.patient:
			waits = true
		}
	}
	switch {
	case waits:
		t.Unseen(kit.Unprovoked, "the client did not give up: name its own time-out with --client-timeout")
	case len(silent) > 0:
		t.Unseen(kit.Inconclusive, "the client gave up without it, once")
	}
	return silent
}

// cancelsByNotification sees what cancelsTimedOut sees, which reports what is wrong.
func cancelsByNotification(t *kit.T) {
	t.Says("notifications/cancelled, not the end of the connection alone")
	if silent := uncancelled(t); !t.Observed() && onTwoTries(silent) {
		t.Blocked("lifecycle.client.timeout-cancels", "it only closed the connection, or did something else", silent[0].x)
	}
}

// closesToCancel: over HTTP the end of the stream is the cancellation, and nothing else has to come.
func closesToCancel(t *kit.T) {
	const expected = "the end of the response stream, which is the cancellation"
	t.Says(expected)
	waits := false
	for _, h := range hungCalls(t) {
		switch {
		case h.cancelled != nil && h.x.End-h.cancelled.At > h.want/4 && h.tr.Aborted == "":
			t.Warn(h.x, expected, methodCancelled+" alone, and the stream was kept open")
		case h.closed && h.cancelled != nil:
			t.NoteAt(*h.cancelled, "%s came too: over HTTP the end of the stream says it all", methodCancelled)
		case h.closed && h.gaveUp():
			t.Saw()
		default:
			waits = waits || h.patient
		}
	}
	if waits {
		t.Unseen(kit.Unprovoked, "the client did not give up: name its own time-out with --client-timeout")
	}
}

// leftHanging tells that a call of a conversation was meant to hang: what the client leaves undone behind it is no habit of its.
func leftHanging(tr *wire.Transcript) bool { return len(tr.Windows) > 0 }

// cancelledBefore tells that the client had cancelled a request by then, and does not wait for it any more.
func cancelledBefore(tr *wire.Transcript, request kit.Seen, by time.Duration) bool {
	return slices.ContainsFunc(tr.Exchanges, func(o *wire.Exchange) bool {
		m := o.RequestMessage()
		id, _ := m.Pointer("/params/requestId")
		return m.Method == methodCancelled && o.Sent <= by && o.Sent >= request.Exchange.Sent && wire.SameID(id, request.ID)
	})
}
