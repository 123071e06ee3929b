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

// listening is how long the client kept the stream open after the request had come.
func (a ask) listening() time.Duration { return a.on.End - a.At }

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
		alive := slices.ContainsFunc(asked, func(o ask) bool { return o.on == a.on && o.Method == "ping" && len(o.answers) > 0 })
		if len(a.answers) == 0 {
			if alive && len(a.strays) == 0 && a.listening() >= patience {
				t.Warn(a.on, expected, "no answer, while a ping on the same stream was answered")
			}
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
}

// isOurs tells that a method was made up by us, so that no client knows it.
func isOurs(method string) bool { return strings.HasPrefix(method, "mcpcheck/") }

// batchReceive: what comes in an array is taken like what comes alone.
func batchReceive(t *kit.T) {
	const expected = "an answer to each ping in an array"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no array reached the client on a stream on which it answers pings: have it call a tool")
	asked := asks(t)
	for _, a := range asked {
		alive := slices.ContainsFunc(asked, func(o ask) bool { return o.on == a.on && o.Batch < 0 && o.Method == "ping" && len(o.answers) > 0 })
		switch {
		case a.Batch < 0 || a.Method != "ping" || !alive:
		case len(a.answers) > 0:
			t.Saw()
		case a.listening() >= patience:
			t.Breach(a.on, expected, "no answer to the ping "+kit.JSON(a.ID)+" in an array, while one that came alone was answered")
		}
	}
}
