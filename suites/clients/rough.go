package clients

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// nobodyRough is why there is nothing to see where every server did what servers do.
const nobodyRough = "every server did what servers do: --rough has some that do not"

// wentWrong tells that a request of the client was refused, or not answered at all: whoever gives up on it may give up altogether.
func wentWrong(x *wire.Exchange) bool {
	_, answered := x.Answer()
	return x.Status() >= http.StatusBadRequest || x.Request.Method == http.MethodPost && isRequest(x.RequestMessage()) && !answered
}

// unexpectedAnswer: what is no answer ends the wait for one.
func unexpectedAnswer(t *kit.T) {
	t.Says("an end of the waiting for a request that was answered with what is no message")
	t.Unseen(kit.Unprovoked, nobodyRough)
	for _, tr := range t.Transcripts() {
		i := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool {
			_, answered := x.Answer()
			return isRequest(x.RequestMessage()) && x.Status() == http.StatusOK && !x.IsSSE() && !answered && x.EndedBy == wire.ByServer
		})
		if i < 0 {
			continue
		}
		x := tr.Exchanges[i]
		on := slices.ContainsFunc(tr.Exchanges[i+1:], func(o *wire.Exchange) bool { return o.Sent >= x.End })
		switch {
		case on || tr.Aborted == "":
			t.Saw()
		case tr.Aborted != wire.ByPerson:
			t.Note(x, "%s was answered with %s, and the client waited until it was stopped", what(x), kit.Describe(x))
		}
	}
}

// transientError: one refusal of a stream is not the end.
func transientError(t *kit.T) {
	t.Says("a session that goes on where a stream was refused with 503, once")
	t.Unseen(kit.Unprovoked, nobodyRough+"; the client has to open a stream again that has ended")
	planned := plan(t)
	for _, tr := range t.Transcripts() {
		i := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool {
			return x.Request.Method == http.MethodGet && x.Status() == http.StatusServiceUnavailable
		})
		if i < 0 {
			continue
		}
		x := tr.Exchanges[i]
		on := slices.ContainsFunc(tr.Exchanges[i+1:], func(o *wire.Exchange) bool { return o.Sent >= x.End && o.Request.Method != http.MethodDelete })
		switch left := missing(tr, planned); {
		case on:
			t.Saw()
		case left != "" && tr.Aborted != wire.ByPerson:
			t.Note(x, "a stream was refused with 503, and nothing more came of the client: no %s, which it sends to other servers", left)
		}
	}
}

// failedInitialize: where there is no session there is no stream of it. On HTTP errors a client may look for HTTP+SSE.
func failedInitialize(t *kit.T) {
	t.Says("no stream of a session that was refused")
	t.Unseen(kit.Unprovoked, nobodyRough)
	for _, tr := range t.Transcripts() {
		var refused *wire.Exchange
		for _, x := range tr.Exchanges {
			if x.RequestMessage().Method != methodInitialize {
				continue
			}
			answer, ok := x.Answer()
			if !ok || !answer.HasError || x.Status() != http.StatusOK {
				refused = nil
				break
			}
			refused = x
		}
		if refused == nil {
			continue
		}
		i := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool {
			return x.Request.Method == http.MethodGet && x.Sent >= refused.End && plainPath(x) == plainPath(refused)
		})
		if i >= 0 {
			t.Note(tr.Exchanges[i], "a stream was asked for, though initialize was refused with an error")
			continue
		}
		t.Saw()
	}
}

// waitsWhenAsked: who is asked to come back later comes back later.
func waitsWhenAsked(t *kit.T) {
	t.Says("no second try before the time that Retry-After names")
	t.Unseen(kit.Unprovoked, nobodyRough+"; the client has to call a tool")
	for _, tr := range t.Transcripts() {
		for i, x := range tr.Exchanges {
			if x.Status() != http.StatusTooManyRequests {
				continue
			}
			seconds, err := strconv.Atoi(x.Response.Header.Get("Retry-After"))
			if err != nil {
				continue
			}
			m := x.RequestMessage()
			j := slices.IndexFunc(tr.Exchanges[i+1:], func(o *wire.Exchange) bool {
				n := o.RequestMessage()
				return o.Sent >= x.End && o.Sent < x.End+time.Duration(seconds)*time.Second && n.Method == m.Method && wire.SameID(n.ID, m.ID)
			})
			if j >= 0 {
				o := tr.Exchanges[i+1+j]
				t.Note(o, "%s came again %v after 429, and Retry-After said %d s", what(o), (o.Sent - x.End).Round(time.Millisecond), seconds)
				continue
			}
			t.Saw()
		}
	}
}
