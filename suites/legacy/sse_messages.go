package legacy

import (
	"encoding/json"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// sseMessages are the rules for which message goes on which stream.
func sseMessages(s *kit.Section) {
	s.Passive("sse.post-related", func(t *kit.T) {
		const expected = "messages that belong to the request of the stream"
		t.Says(expected)
		tokens := progressTokens(t)
		for _, m := range t.Messages() {
			own := m.Exchange.RequestMessage()
			if m.Event < 0 || m.Exchange.Request.Method != "POST" || !m.HasMethod {
				continue
			}
			token, _ := m.Pointer("/params/progressToken")
			switch {
			case m.Method == "notifications/cancelled" && elsewhere(t, m):
				t.WarnAt(m, expected, "the cancellation of a request that went on another stream")
			case m.Method == "notifications/progress" && !sameToken(own, token) && tokens[string(token)]:
				t.WarnAt(m, expected, "progress for the token "+kit.JSON(token)+" of another request")
			case strings.HasSuffix(m.Method, "/list_changed"), m.Method == "notifications/resources/updated":
				t.NoteAt(m, "%s on the stream of a request: it belongs on the GET stream", m.Method)
			default:
				t.Saw()
			}
		}
		t.Unseen(kit.Unprovoked, "nothing but responses came on POST streams")
	}, kit.SSEAnswers)

	s.Passive("sse.post-foreign-response", func(t *kit.T) {
		const expected = "responses to the request of the stream"
		t.Says(expected)
		asked := askedIDs(t)
		for _, x := range t.Streams() {
			if !requestStream(x) {
				continue
			}
			own := x.RequestMessage().ID
			for _, m := range x.Messages() {
				switch {
				case m.HasMethod || !m.HasResult && !m.HasError:
				case wire.SameID(m.ID, own):
					t.Saw()
				case asked.Has(m.ID) && !judges.OnlyResponse(x):
					t.BreachAt(kit.Seen{Located: m, Exchange: x}, expected, "the response to another request, id "+kit.JSON(m.ID))
				}
			}
		}
	}, kit.SSEAnswers)

	s.Passive("sse.get-unrelated", func(t *kit.T) {
		const expected = "nothing on a GET stream that belongs to a running request"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no call reported progress")
		tokens := progressTokens(t)
		for _, m := range t.Messages() {
			token, _ := m.Pointer("/params/progressToken")
			switch {
			case m.Method != "notifications/progress" || !tokens[string(token)]:
			case plainGet(m.Exchange):
				t.BreachAt(m, expected, "progress for the token "+kit.JSON(token)+" of a request that is running")
			default:
				t.Saw()
			}
		}
		for _, m := range t.Messages() {
			if m.Kind == wire.KindRequest && m.Method != "ping" && plainGet(m.Exchange) && calling(m) {
				t.NoteAt(m, "a request %q on the GET stream while a call is running: if it belongs to the call, it belongs on its stream", m.Method)
				return
			}
		}
	}, withGetStream)

	s.Passive("sse.no-broadcast", func(t *kit.T) {
		const expected = "each message on one stream only"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "the server sent no message of its own while two streams were open")
		for _, tr := range t.Transcripts() {
			judgeBroadcast(t, tr, expected)
		}
	}, withGetStream)
}

// plainGet tells that an exchange is a GET that resumes nothing.
func plainGet(x *wire.Exchange) bool {
	return x.Request.Method == "GET" && kit.RequestHeader(x, "Last-Event-ID") == ""
}

// calling tells that a tool call of the same conversation was running when a message came.
func calling(m kit.Seen) bool {
	for _, x := range m.Transcript.Exchanges {
		if x.RequestMessage().Method == "tools/call" && x.Sent < m.At && (x.Response == nil || m.At < x.End) {
			return true
		}
	}
	return false
}

// elsewhere tells that a cancelled notification is about a request which the server sent on another stream of the conversation.
func elsewhere(t *kit.T, cancelled kit.Seen) bool {
	id, _ := cancelled.Pointer("/params/requestId")
	found := false
	for _, m := range t.MessagesIn(cancelled.Transcript) {
		if m.Kind != wire.KindRequest || !wire.SameID(m.ID, id) {
			continue
		}
		if m.Exchange == cancelled.Exchange {
			return false
		}
		found = true
	}
	return found
}

// progressTokens are those that requests of ours carried, as JSON.
func progressTokens(t *kit.T) map[string]bool {
	tokens := map[string]bool{}
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			if token, ok := x.RequestMessage().Pointer("/params/_meta/progressToken"); ok {
				tokens[string(token)] = true
			}
		}
	}
	return tokens
}

func sameToken(request wire.Message, token json.RawMessage) bool {
	own, _ := request.Pointer("/params/_meta/progressToken")
	return string(own) == string(token)
}

// judgeBroadcast looks for copies among the streams of one conversation: the same request id or event id on two of them, or, since
// two equal notifications can be two messages, several notifications of calls that come equally on the GET stream.
func judgeBroadcast(t *kit.T, tr *wire.Transcript, expected string) {
	type origin struct {
		exchange *wire.Exchange
		event    int
	}
	first := map[string]origin{}
	copies := 0
	for _, m := range t.MessagesIn(tr) {
		if m.Event < 0 || !m.HasMethod || kit.RequestHeader(m.Exchange, "Last-Event-ID") != "" {
			continue
		}
		t.Saw()
		event := m.Exchange.Events()[m.Event]
		// Sessions number their requests and events each for itself.
		session := " in " + kit.SessionOf(tr, m.Exchange)
		var keys []string
		// Without params two notifications are equal by nature, such as those of changed lists.
		if m.Params != nil {
			keys = append(keys, "message "+m.Digest()+session)
		}
		if m.HasID {
			keys = append(keys, "request "+string(m.ID)+session)
		}
		if event.ID != "" {
			keys = append(keys, "event "+event.ID+" "+m.Digest()+session)
		}
		for _, key := range keys {
			before, seen := first[key]
			switch {
			case !seen:
				first[key] = origin{m.Exchange, m.Event}
			// A copy comes while the other stream is open; later it is another message, or the same id used again.
			case before.exchange == m.Exchange || before.exchange.End <= m.At || m.Exchange.Sent >= before.exchange.End:
			case !strings.HasPrefix(key, "message "):
				t.BreachAt(m, expected, "a copy on the stream "+m.Exchange.Label+" of what came on "+before.exchange.Label)
			case (before.exchange.Request.Method == "GET") != (m.Exchange.Request.Method == "GET"):
				if copies++; copies == minCopies {
					t.BreachAt(m, expected, "notifications of calls on the stream "+m.Exchange.Label+" that came equally on "+before.exchange.Label)
				}
			}
		}
	}
}

// minCopies is how many equal notifications are no coincidence.
const minCopies = 2
