package clients

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const methodCancelled = "notifications/cancelled"

// A cancel is a notification that cancels, and the request of the client that it names, nil where there is none.
type cancel struct {
	kit.Seen
	id      json.RawMessage
	request *kit.Seen
}

// cancels are those of all conversations.
func cancels(t *kit.T) []cancel {
	var all []cancel
	for _, tr := range t.Transcripts() {
		said := t.MessagesIn(tr)
		for _, m := range said {
			if m.Method != methodCancelled {
				continue
			}
			c := cancel{Seen: m}
			c.id, _ = m.Pointer("/params/requestId")
			for i, r := range said {
				if r.Kind == wire.KindRequest && r.At <= m.At && wire.SameID(r.ID, c.id) {
					c.request = &said[i]
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// late is how long after its answer a cancellation can still have crossed it.
const late = 2 * time.Second

// cancelsOwn: who cancels names a request of its own that it believes to be running. Both eras have the rule.
func cancelsOwn(t *kit.T) {
	const expected = "requestId of a request that the client sent and has no answer to"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client cancelled nothing")
	for _, c := range cancels(t) {
		switch {
		case c.id == nil:
			if _, task := c.Pointer("/params/taskId"); !task {
				t.BreachAt(c.Seen, expected, methodCancelled+" without requestId")
			}
		case c.request == nil:
			t.BreachAt(c.Seen, expected, "requestId "+kit.JSON(c.id)+", which no request had")
		case hasAnswer(c.request.Exchange) && c.At-c.request.Exchange.AnsweredAt() > late:
			t.WarnAt(c.Seen, expected, "requestId "+kit.JSON(c.id)+" long after "+c.request.Method+" was answered")
		default:
			t.Saw()
		}
	}
}

// hasAnswer tells that a request was answered, or refused: a stream that ended without the answer leaves the client to wait for it.
func hasAnswer(x *wire.Exchange) bool {
	_, ok := x.Answer()
	return ok || x.Status() >= http.StatusBadRequest
}

// cancelsNotInitialize: initialize is never cancelled.
func cancelsNotInitialize(t *kit.T) {
	const expected = "no cancellation of initialize"
	t.Says(expected)
	t.Unseen(kit.Raced, "initialize was answered before it could have been cancelled")
	slow := slices.ContainsFunc(t.Transcripts(), func(tr *wire.Transcript) bool {
		x := firstOf(tr, methodInitialize)
		return x != nil && x.AnsweredAt()-x.Sent >= patience
	})
	for _, c := range cancels(t) {
		if c.request != nil && c.request.Method == methodInitialize {
			t.BreachAt(c.Seen, expected, methodCancelled+" with the id of initialize")
		}
	}
	if slow {
		t.Saw()
	}
}

// cancelsTasks: what runs as a task is cancelled by tasks/cancel.
func cancelsTasks(t *kit.T) {
	const expected = "tasks/cancel for what runs as a task"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client called nothing as a task that it cancelled")
	for _, c := range cancels(t) {
		if c.request == nil {
			continue
		}
		if _, task := c.request.Pointer("/params/task"); task {
			t.BreachAt(c.Seen, expected, methodCancelled+" for "+c.request.Method+" as a task")
		}
	}
	for _, m := range t.Messages() {
		if m.Method == "tasks/cancel" {
			t.Saw()
		}
	}
}

// withCancellation is the form of a stream on which the server takes back what it has asked.
var withCancellation = form{"the cancellation of a request of the server", func(x *wire.Exchange) bool {
	return asStream.shows(x) && slices.ContainsFunc(x.Messages(), func(m wire.Located) bool {
		return m.Kind == wire.KindNotification && m.Method == methodCancelled
	})
}}

// survivesCancellation: a cancellation may cross the answer, so that what it names is long settled.
func survivesCancellation(t *kit.T) {
	goesOn(t, "the client goes on behind a cancellation that its answer crosses", withCancellation)
}

// stopsCancelled: what the server has taken back is not answered any more. A model or a person takes a while, so that there is something to stop.
func stopsCancelled(t *kit.T) {
	const expected = "no response to what the server has cancelled"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "nothing was cancelled that takes a model or a person: of clients that declare them, --provoke sampling or elicitation has that done")
	for _, a := range asks(t) {
		if a.cancelled == 0 || a.Method != methodSample && a.Method != methodElicit {
			continue
		}
		if len(a.answers) == 0 {
			if a.tr.Aborted == "" && a.on.End-a.cancelled >= deadline {
				t.Saw()
			}
			continue
		}
		switch r := a.answers[0]; {
		case r.At <= a.cancelled:
			t.Unseen(kit.Raced, "the client answered before it was cancelled")
		case r.At-a.cancelled >= late:
			t.WarnAt(r, expected, "a response "+(r.At-a.cancelled).Round(10*time.Millisecond).String()+" later")
		default:
			t.NoteAt(r, "a response came %v behind the cancellation, which it may have crossed", (r.At - a.cancelled).Round(time.Millisecond))
		}
	}
}
