package clients

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func resumability(s *kit.Section) {
	s.Passive("resumability.client.last-event-id", lastEventID)
	s.Passive("resumability.client.polls", polls)
	s.Passive("resumability.client.retry", waitsRetry)
	s.Passive("resumability.client.reconnect-pace", pacesItself)
	s.Passive("resumability.client.empty-data", func(t *kit.T) {
		goesOn(t, "the client goes on behind an event with an id and no data", emptyEvents)
	})
	s.Passive("resumability.client.transient-error", transientError)
}

// An early end is a stream that the server closed ahead of what it was opened for, and that can be resumed.
type earlyEnd struct {
	tr *wire.Transcript
	x  *wire.Exchange
	// last is the id of the last event, retry the pause that was asked for, 0 for none.
	last  string
	retry time.Duration
	// back is the GET that came for the rest of it, nil without one.
	back *wire.Exchange
}

// earlyEnds are the streams that ended so; resumptions that ended again are others.
func earlyEnds(t *kit.T) []earlyEnd {
	var all []earlyEnd
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			if !x.IsSSE() || x.Status() != http.StatusOK || x.EndedBy == wire.ByClient || x.EndedBy == wire.ByLimit {
				continue
			}
			e := earlyEnd{tr: tr, x: x}
			for _, event := range x.Events() {
				if event.HasID && event.Terminated {
					e.last = event.ID
				}
				if ms, err := strconv.Atoi(event.Retry); err == nil {
					e.retry = time.Duration(ms) * time.Millisecond
				}
			}
			if e.last == "" && e.retry == 0 || e.ofCall() && answersIn(e) {
				continue
			}
			// A stream that the server ended because it was closed down is no early end.
			if !slices.ContainsFunc(tr.Exchanges, func(o *wire.Exchange) bool { return o.End > x.End }) && !e.ofCall() && x.End > tr.Duration-time.Second {
				continue
			}
			i := slices.IndexFunc(tr.Exchanges, func(o *wire.Exchange) bool {
				return o != x && o.Request.Method == http.MethodGet && o.Sent >= x.End && e.last != "" && kit.RequestHeader(o, headerEventID) == e.last
			})
			if i >= 0 {
				e.back = tr.Exchanges[i]
			}
			all = append(all, e)
		}
	}
	return all
}

// ofCall tells that the stream was opened for a request, or resumes one that was.
func (e earlyEnd) ofCall() bool {
	return e.x.Request.Method == http.MethodPost || has(e.x, headerEventID)
}

// answersIn tells that a stream brought a response, which is the end of what it was opened for.
func answersIn(e earlyEnd) bool {
	return slices.ContainsFunc(e.x.Messages(), func(m wire.Located) bool { return m.Kind == wire.KindResult || m.Kind == wire.KindError })
}

// lastEventID: who comes back says how far it had got.
func lastEventID(t *kit.T) {
	const expected = "GET with the id of the last event in Last-Event-ID"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client did not come back for a stream that had ended early, which is its choice")
	for _, e := range earlyEnds(t) {
		if e.back != nil {
			t.Saw()
			continue
		}
		if e.x.Request.Method != http.MethodPost {
			continue
		}
		body := string(e.x.Request.Body.Bytes())
		for _, x := range e.tr.Exchanges[slices.Index(e.tr.Exchanges, e.x)+1:] {
			if x.Sent < e.x.End {
				continue
			}
			if x.Request.Method == http.MethodPost && string(x.Request.Body.Bytes()) == body && !sharesID(e) {
				t.Warn(x, expected, what(x)+" once more, with the same id")
				break
			}
			if got := kit.RequestHeader(x, headerEventID); x.Request.Method == http.MethodGet && got != "" && got != e.last && !knownEvent(e.tr, got) {
				t.Warn(x, expected, "GET with Last-Event-ID: "+kit.Quote([]byte(got))+", which no event had")
				break
			}
		}
	}
}

// sharesID tells that the request has its id in common with others of the conversation, so that one that looks the same is a new one:
// jsonrpc.client.id-unique has it.
func sharesID(e earlyEnd) bool {
	own := e.x.RequestMessage()
	return slices.ContainsFunc(e.tr.Exchanges, func(x *wire.Exchange) bool {
		m := x.RequestMessage()
		return m.Kind == wire.KindRequest && wire.SameID(m.ID, own.ID) && !bytes.Equal(x.Request.Body.Bytes(), e.x.Request.Body.Bytes())
	})
}

// knownEvent tells that an event of the conversation had an id.
func knownEvent(tr *wire.Transcript, id string) bool {
	return slices.ContainsFunc(tr.Exchanges, func(x *wire.Exchange) bool {
		return x.IsSSE() && slices.ContainsFunc(x.Events(), func(e wire.Event) bool { return e.HasID && e.ID == id })
	})
}

// polls: a stream that ends before it is over is one to come back to.
func polls(t *kit.T) {
	const expected = "GET with Last-Event-ID once the stream of a request has ended ahead of its response"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no stream of a request ended early while the client was there to come back")
	var left []earlyEnd
	for _, e := range earlyEnds(t) {
		if e.x.Request.Method != http.MethodPost || e.retry == 0 {
			continue
		}
		if e.back != nil {
			t.Saw()
		} else if e.tr.Duration-e.x.End >= 10*e.retry {
			left = append(left, e)
		}
	}
	if !t.Observed() && len(left) > 1 {
		t.Warn(left[0].x, expected, fmt.Sprintf("no GET within %v, ten times what retry says, on two tries", 10*left[0].retry))
	}
}

// early is how much earlier than retry says a GET may come: clocks are not that exact.
const early = 50 * time.Millisecond

// waitsRetry: a client does not come back before its time.
func waitsRetry(t *kit.T) {
	const expected = "a pause as long as retry says"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client did not come back for a stream that had named a pause")
	var hasty []earlyEnd
	calm := map[bool]bool{}
	for _, e := range earlyEnds(t) {
		back := e.back
		if back == nil && !e.ofCall() { // without the id it is the next stream, and has to wait as long
			i := slices.IndexFunc(e.tr.Exchanges, func(o *wire.Exchange) bool {
				return o != e.x && o.Request.Method == http.MethodGet && o.Sent >= e.x.End && !has(o, headerEventID) && kit.RequestHeader(o, headerSession) == kit.RequestHeader(e.x, headerSession)
			})
			if i >= 0 {
				back = e.tr.Exchanges[i]
			}
		}
		switch {
		case e.retry == 0 || back == nil:
		case back.Sent-e.x.End < e.retry-early:
			e.back = back
			hasty = append(hasty, e)
		default:
			calm[e.ofCall()] = true
		}
	}
	for _, e := range hasty {
		again := 0
		for _, o := range hasty {
			if o.ofCall() == e.ofCall() {
				again++
			}
		}
		if again > 1 && !calm[e.ofCall()] {
			t.Breach(e.back, expected, fmt.Sprintf("GET %v after the end of a stream whose retry was %v, on two tries", (e.back.Sent-e.x.End).Round(time.Millisecond), e.retry))
			return
		}
		t.Unseen(kit.Unconfirmed, "the client came back %v after a stream whose retry was %v, once", (e.back.Sent - e.x.End).Round(time.Millisecond), e.retry)
	}
	for range calm {
		t.Saw()
	}
}
