package legacy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// cancelByServer is about the cancellations that the server sends.
func cancelByServer(s *kit.Section) {
	s.Passive("utilities.cancel.references", func(t *kit.T) {
		const expected = "a cancellation of a request that the server sent and that is still open"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "the server sent no cancellation, or none that could be told to be right or wrong")
		dialogue := dialogues(t)
		for _, m := range t.Messages() {
			if m.Method != cancelMethod {
				continue
			}
			id, named := m.Pointer("/params/requestId")
			asked := dialogue.request(m)
			switch {
			case !named:
				// The schema of 2025-11-25 lets the id be absent for tasks, which a notification does not cancel.
				t.BreachAt(m, expected, "a cancellation without requestId")
			case asked != nil && asked.done(m):
				t.BreachAt(m, expected, fmt.Sprintf("a cancellation of %s, which was answered more than %v before", kit.JSON(id), grace))
			case asked != nil:
				t.OK(m.Exchange, "the server cancels a request of its own that is still open")
			case gapless(m):
				t.BreachAt(m, expected, "a cancellation of "+kit.JSON(id)+", which no request of the server has as its id")
			}
		}
	})

	s.Passive("utilities.cancel.tasks", func(t *kit.T) {
		const expected = "tasks/cancel for a request that the server augmented with a task"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "the server neither cancelled a request nor augmented one with a task")
		dialogue := dialogues(t)
		for _, m := range t.Messages() {
			if m.Method == "tasks/cancel" && m.Kind == wire.KindRequest {
				t.OK(m.Exchange, "the server cancels a task by tasks/cancel")
			}
			if m.Method != cancelMethod {
				continue
			}
			switch asked := dialogue.request(m); {
			case asked == nil:
			case asked.augmented():
				t.BreachAt(m, expected, cancelMethod+" for "+kit.DescribeMessage(asked.Message)+" with a task")
			default:
				t.OK(m.Exchange, "the server sends notifications/cancelled for requests without a task only")
			}
		}
	})
}

// grace is how long before a cancellation a request may have been answered: the two cross.
const grace = 2 * time.Second

// A serverRequest is a request of the server: when it came, when we began to answer it, when that answer was accepted, and when the
// server cancelled it; zero where it did not happen.
type serverRequest struct {
	kit.Seen
	came, replied, answered, cancelled time.Time
}

// done tells that the request had been answered long before a message came.
func (r *serverRequest) done(m kit.Seen) bool {
	return !r.answered.IsZero() && m.Transcript.Started.Add(m.At).Sub(r.answered) > grace
}

// augmented tells that the client is to answer with a task (2025-11-25).
func (r *serverRequest) augmented() bool {
	task, _ := r.Pointer("/params/task")
	return kit.JSONType(task) == "object"
}

// A dialogue holds the requests of the server by the session or, without ids, the conversation that they belong to.
type dialogue struct {
	sessions map[string][]*serverRequest
	// byID has the requests by session and id; one id serves once, so that few are kept.
	byID map[string][]*serverRequest
}

func dialogues(t *kit.T) dialogue {
	d := dialogue{map[string][]*serverRequest{}, map[string][]*serverRequest{}}
	// Streams that are open side by side are told of one after another.
	messages := slices.Clone(t.Messages())
	when := func(m kit.Seen) time.Time { return m.Transcript.Started.Add(m.At) }
	slices.SortStableFunc(messages, func(a, b kit.Seen) int { return when(a).Compare(when(b)) })
	for _, m := range messages {
		session := kit.SessionOf(m.Transcript, m.Exchange)
		key := session + " " + tokenKey(m.ID)
		if m.Kind != wire.KindRequest || len(d.byID[key]) == maxOpen {
			continue
		}
		r := &serverRequest{Seen: m, came: when(m)}
		d.sessions[session] = append(d.sessions[session], r)
		d.byID[key] = append(d.byID[key], r)
	}
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			sent := x.RequestMessage()
			if sent.Kind != wire.KindResult && sent.Kind != wire.KindError {
				continue
			}
			began, ended := tr.Started.Add(x.Sent), tr.Started.Add(x.End)
			for _, r := range d.byID[kit.SessionOf(tr, x)+" "+tokenKey(sent.ID)] {
				if began.Before(r.came) || !r.replied.IsZero() {
					continue
				}
				r.replied = began
				if x.Status()/100 == 2 {
					r.answered = ended
				}
			}
		}
	}
	for _, m := range messages {
		if m.Method != cancelMethod {
			continue
		}
		if r := d.request(m); r != nil && r.cancelled.IsZero() {
			r.cancelled = when(m)
		}
	}
	return d
}

// request finds the latest request of the server that a cancellation can mean: one of the same session that came before it.
func (d dialogue) request(cancellation kit.Seen) (found *serverRequest) {
	id, _ := cancellation.Pointer("/params/requestId")
	at := cancellation.Transcript.Started.Add(cancellation.At)
	for _, r := range d.byID[kit.SessionOf(cancellation.Transcript, cancellation.Exchange)+" "+tokenKey(id)] {
		if !r.came.After(at) {
			found = r
		}
	}
	return found
}

// gapless tells that nothing the server sent in the session of a message can have escaped us: its stream was opened before
// notifications/initialized, ahead of which only pings may come, and nothing else was given up on which the server may have asked.
func gapless(m kit.Seen) bool {
	tr, session := m.Transcript, kit.SessionOf(m.Transcript, m.Exchange)
	if tr.Shared || strings.HasPrefix(session, "conversation ") && tr.Transport != kit.HTTPSSE {
		return false
	}
	ready := slices.IndexFunc(tr.Exchanges, func(x *wire.Exchange) bool {
		return x.RequestMessage().Method == "notifications/initialized" && kit.SessionOf(tr, x) == session
	})
	opened := slices.Index(tr.Exchanges, m.Exchange)
	if m.Exchange.Request.Method != "GET" || kit.RequestHeader(m.Exchange, "Last-Event-ID") != "" || opened > ready {
		return false
	}
	return !slices.ContainsFunc(tr.Exchanges, func(x *wire.Exchange) bool {
		return x != m.Exchange && x.EndedBy != wire.ByServer
	})
}
