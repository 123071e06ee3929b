package clients

import (
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// An ask is a request of the server, and how the client answered it.
type ask struct {
	wire.Located
	// on is the stream that brought it.
	on *wire.Exchange
	tr *wire.Transcript
	// answers are the client's responses with its id; strays those whose id is the same but for its JSON type.
	answers, strays []kit.Seen
	// cancelled is when the server took it back, 0 where it did not: who does not answer then does as they should.
	cancelled time.Duration
}

// asks are the requests that servers sent to the client.
func asks(t *kit.T) []ask {
	var all []ask
	for _, tr := range t.Transcripts() {
		said := t.MessagesIn(tr)
		for _, x := range tr.Exchanges {
			for _, m := range x.Messages() {
				if m.Kind != wire.KindRequest {
					continue
				}
				a := ask{Located: m, on: x, tr: tr}
				a.cancelled = takenBack(tr, m)
				for _, r := range said {
					switch {
					case !isResponse(r.Message) || r.At < m.At:
					case wire.SameID(r.ID, m.ID):
						a.answers = append(a.answers, r)
					case wire.SameSpelling(r.ID, m.ID):
						a.strays = append(a.strays, r)
					}
				}
				all = append(all, a)
			}
		}
	}
	return all
}

// wanted tells that the answer, if there is one, is that of a client that was still asked: whoever is told to stop may say so by any error.
func (a ask) wanted() bool {
	return a.cancelled == 0 || len(a.answers) > 0 && a.answers[0].At < a.cancelled
}

// takenBack is when the server cancelled a request of its own, 0 where it did not.
func takenBack(tr *wire.Transcript, request wire.Located) time.Duration {
	for _, x := range tr.Exchanges {
		for _, m := range x.Messages() {
			id, _ := m.Pointer("/params/requestId")
			if m.Kind == wire.KindNotification && m.Method == methodCancelled && m.At >= request.At && wire.SameID(id, request.ID) {
				return m.At
			}
		}
	}
	return 0
}

// silent tells that the client did not answer, though it kept the stream open for as long as one can wait for it.
func (a ask) silent() bool {
	return len(a.answers) == 0 && len(a.strays) == 0 && a.on.End-a.At >= deadline && a.tr.Aborted == ""
}

// deadline is how long a client has to answer what it was asked on an open stream before that counts as silence.
const deadline = 2 * time.Second

// silence is a request that the client did not answer; nil where it answered one of the kind, or was not asked it on two streams: a
// client that is slow once is not silent.
func silence(asked []ask, kind func(ask) bool) *ask {
	var found []ask
	for _, a := range asked {
		if !kind(a) || a.cancelled > 0 {
			continue
		}
		if !a.silent() {
			return nil
		}
		found = append(found, a)
	}
	if !slices.ContainsFunc(found, func(a ask) bool { return a.on != found[0].on }) {
		return nil
	}
	return &found[0]
}

// responseID: a response carries the id of the request, in its JSON type.
func responseID(t *kit.T) {
	const expected = "the id of the server's request, in the same JSON type"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client was asked nothing, or answered nothing")
	asked := asks(t)
	for _, m := range t.Messages() {
		if !isResponse(m.Message) {
			continue
		}
		mine := slices.IndexFunc(asked, func(a ask) bool { return a.tr == m.Transcript && a.At <= m.At && wire.SameID(a.ID, m.ID) })
		like := slices.IndexFunc(asked, func(a ask) bool { return a.tr == m.Transcript && a.At <= m.At && wire.SameSpelling(a.ID, m.ID) })
		switch {
		case mine >= 0:
			t.Saw()
		case like >= 0:
			t.BreachAt(m, expected, "the "+kit.JSONType(m.ID)+" "+kit.JSON(m.ID)+" in answer to "+asked[like].Method+" with the "+kit.JSONType(asked[like].ID)+" "+kit.JSON(asked[like].ID))
		case slices.ContainsFunc(asked, func(a ask) bool { return a.tr == m.Transcript && a.At <= m.At && len(a.answers) == 0 }):
			t.BreachAt(m, expected, "id "+kit.JSON(m.ID)+", which no request of the server has")
		}
	}
}

// noResponseToNotification: what wants no answer gets none.
func noResponseToNotification(t *kit.T) {
	const expected = "no response to a notification"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no notification reached the client")
	asked := asks(t)
	for _, tr := range t.Transcripts() {
		var notified []wire.Located
		for _, x := range tr.Exchanges {
			for _, m := range x.Messages() {
				if m.Kind == wire.KindNotification {
					notified = append(notified, m)
				}
			}
		}
		if len(notified) == 0 {
			continue
		}
		before := len(notified)
		for _, m := range t.MessagesIn(tr) {
			fits := slices.ContainsFunc(asked, func(a ask) bool {
				return a.tr == tr && (wire.SameID(a.ID, m.ID) || wire.SameSpelling(a.ID, m.ID) || len(a.answers) == 0)
			})
			if isResponse(m.Message) && !fits && notified[0].At <= m.At {
				t.BreachAt(m, expected, "a response with id "+kit.JSON(m.ID)+" after "+notified[0].Method)
				before = 0
			}
		}
		for range before {
			t.Saw()
		}
	}
}

// unknownMethod: a request that a client does not know is refused with the code for that.
func unknownMethod(t *kit.T) {
	const expected = "the error -32601"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no server sent a request that the client cannot know")
	asked := asks(t)
	for _, a := range asked {
		if !isOurs(a.Method) {
			continue
		}
		if len(a.answers) == 0 {
			continue
		}
		r := a.answers[0]
		code, _ := r.ErrorCode()
		switch {
		case r.HasResult:
			t.BreachAt(r, expected, "a result")
		case code == judges.CodeMethodNotFound:
			t.Saw()
		default:
			t.WarnAt(r, expected, "the error "+kit.JSON(r.Error))
		}
	}
	if a := silence(asked, func(a ask) bool { return isOurs(a.Method) && answersPingBeside(asked, a) }); a != nil {
		t.Warn(a.on, expected, "no answer, while a ping on the same stream was answered")
	}
}

// answersPingBeside tells that a ping which came alone on the same stream was answered.
func answersPingBeside(asked []ask, a ask) bool {
	return slices.ContainsFunc(asked, func(o ask) bool { return o.on == a.on && o.Batch < 0 && o.Method == "ping" && len(o.answers) > 0 })
}

// isOurs tells that a method was made up by us, so that no client knows it.
func isOurs(method string) bool { return strings.HasPrefix(method, "mcpcheck/") }

// batchReceive: what comes in an array is taken like what comes alone.
func batchReceive(t *kit.T) {
	const expected = "an answer to each ping in an array"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no array reached the client on a stream on which it answers pings: have it call a tool")
	asked := asks(t)
	inArray := func(a ask) bool { return a.Batch >= 0 && a.Method == "ping" && answersPingBeside(asked, a) }
	for _, a := range asked {
		if inArray(a) && len(a.answers) > 0 {
			t.Saw()
		}
	}
	if a := silence(asked, inArray); a != nil {
		t.Breach(a.on, expected, "no answer to the ping "+kit.JSON(a.ID)+" in an array, while one that came alone was answered")
	}
}
