package legacy

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// sseStreams are the rules for what a stream as a whole does: how it begins, what it carries, how it ends.
func sseStreams(s *kit.Section) {
	s.Passive("sse.no-cache", func(t *kit.T) {
		t.Says("Cache-Control: no-cache or no-store")
		t.Unseen(noStream)
		for _, x := range t.Streams() {
			value := strings.ToLower(strings.Join(x.Response.Header.Values("Cache-Control"), ","))
			if strings.Contains(value, "no-cache") || strings.Contains(value, "no-store") {
				t.Saw()
				continue
			}
			t.Note(x, "a stream without Cache-Control: no-cache: a proxy may keep it")
		}
	})

	s.Passive("sse.headers-flushed", func(t *kit.T) {
		t.Says("the head of a stream at once")
		for _, x := range t.Streams() {
			switch late := x.Head - x.Sent; {
			case x.Request.Method != "GET":
			case late > lateHead:
				t.Note(x, "the head of a GET stream came after %v; proxies and clients may give up before", late.Round(100*time.Millisecond))
			default:
				t.Saw()
			}
		}
	}, kit.GetStream)

	s.Passive("sse.event-id", func(t *kit.T) {
		t.Says("ids on events, where the server wants to")
		for _, x := range t.Streams() {
			if id := firstEventID(x); id != "" {
				t.OK(x, "events carry ids, the first %q", id)
			}
		}
		if !t.Observed() {
			t.NotApplicable("the server gives its events no ids")
		}
	})

	s.Passive("sse.priming-event", func(t *kit.T) {
		const expected = "an event with an id and empty data at the start of a POST stream"
		t.Says(expected)
		for _, x := range t.Streams() {
			// While initialize is answered nothing has been negotiated yet.
			if !requestStream(x) || x.Broken != "" {
				continue
			}
			switch first, ok := firstBlock(x); {
			case !ok:
			case first.HasID && first.ID != "" && strings.TrimSpace(first.Data) == "":
				t.Saw()
			default:
				t.Warn(x, expected, "a stream that starts with "+kit.Quote(first.Raw))
			}
		}
	}, kit.SSEAnswers)

	s.Passive("sse.retry-before-close", func(t *kit.T) {
		const expected = "a retry field before the server closes the connection"
		t.Says(expected)
		for _, x := range cutStreams(t) {
			if hasRetry(x) {
				t.Saw()
				continue
			}
			t.Breach(x, expected, "the end of the connection without one")
		}
		if !t.Observed() {
			t.NotApplicable("no POST stream was closed before its response")
		}
	})

	s.Passive("sse.get-retry-before-close", func(t *kit.T) {
		t.Says("a retry field before the server closes a GET stream")
		t.Unseen("no GET stream was closed by the server, or it may just have been ended")
		for _, x := range t.Streams() {
			if x.Request.Method == "GET" && x.EndedBy == client.ByServer && hasRetry(x) {
				t.OK(x, "the server sent retry before it closed the stream")
			}
		}
	}, kit.GetStream)

	s.Passive("sse.early-close", func(t *kit.T) {
		t.Says("a closed connection once an event with an id was sent")
		for _, x := range cutStreams(t) {
			t.OK(x, "the server closed the connection after an event id, for the client to come back")
		}
		if !t.Observed() {
			t.NotApplicable("no POST stream was closed before its response")
		}
	})

	s.Passive("sse.response-included", func(t *kit.T) {
		const expected = "the response on the stream of its request, or on its resumption"
		t.Says(expected)
		for _, tr := range t.Transcripts() {
			for _, x := range tr.Exchanges {
				judgeIncluded(t, tr, x, expected)
			}
		}
	}, kit.SSEAnswers, uniqueIDs)

	s.Passive("sse.no-early-close", func(t *kit.T) {
		const expected = "the response before the stream is closed"
		t.Says(expected)
		for _, x := range t.Streams() {
			switch {
			case !requestStream(x):
			case responded(x):
				t.Saw()
			case x.EndedBy == client.ByServer && !sessionRefused(t, x):
				t.Breach(x, expected, "the end of the stream without it")
			}
		}
	}, kit.SSEAnswers)

	s.Passive("sse.session-expiry-ends-stream", func(t *kit.T) {
		t.Says("the end of a stream when its session ends")
		t.Unseen("no stream was ended by the server together with its session")
		for _, x := range t.Streams() {
			if x.Request.Method == "GET" && x.EndedBy == client.ByServer && kit.RequestHeader(x, "Last-Event-ID") == "" {
				t.OK(x, "the server ended a GET stream")
			}
		}
	}, kit.GetStream)

	leftOpen := s.Script("sse/left-open", kit.Shared, func(c *kit.C) {
		c.Parallel(
			func() { c.Safe("first", client.Linger(patientLinger)) },
			func() { c.Safe("second", client.Linger(patientLinger)) },
		)
	}, kit.SSEAnswers)
	s.Check("sse.closes-after-response", leftOpen, func(t *kit.T) {
		const expected = "the end of the stream after the response"
		t.Says(expected)
		open := 0
		for _, label := range []string{"first", "second"} {
			x := t.Exchange(label)
			switch {
			case !x.IsSSE() || !answeredAll(x):
				t.NotObservedAt(x, "no stream with a response: %s", kit.Describe(x))
			case x.EndedBy == client.ByClient:
				open++
			default:
				t.OK(x, "the stream ended after the response")
			}
		}
		if open == 2 {
			t.Breach(t.Exchange("first"), expected, fmt.Sprintf("a stream still open %v later, on two streams", patientLinger))
		}
		afterResponse(t)
	})

	sseMessages(s)
}

// uniqueIDs: an id that names several streams resumes any of them.
var uniqueIDs = kit.VoidIf("sse.event-id-unique")

const (
	// lateHead is from when a late head is worth a note.
	lateHead = 2 * time.Second
	// patientLinger is how long a stream may stay open after its response before that is a finding.
	patientLinger = 5 * time.Second
)

// afterResponse notes messages that come after the response on a POST stream.
func afterResponse(t *kit.T) {
	for _, x := range t.Streams() {
		if !requestStream(x) {
			continue
		}
		done := false
		for _, m := range x.Messages() {
			if done {
				t.NoteAt(kit.Seen{Located: m, Exchange: x}, "%s after the response on its stream", kit.DescribeMessage(m.Message))
				return
			}
			done = (m.HasResult || m.HasError) && client.SameID(m.ID, x.RequestMessage().ID)
		}
	}
}

// requestStream tells that a stream answers a well-formed request other than initialize, whose answer has an entry of its own.
func requestStream(x *client.Exchange) bool {
	sent := x.RequestMessage()
	return x.Response != nil && x.IsSSE() && x.Status()/100 == 2 && x.Request.Method == "POST" && sent.Kind == client.KindRequest && sent.Method != "initialize"
}

func answeredAll(x *client.Exchange) bool {
	_, ok := x.Answer()
	return ok
}

// responded tells that something came that is, or was meant to be, a response: what is wrong with it has entries of its own.
func responded(x *client.Exchange) bool {
	for _, e := range x.Events() {
		if m := e.Message(); e.HasData && strings.TrimSpace(e.Data) != "" && (m.HasResult || m.HasError || m.Kind == client.KindNotJSON) {
			return true
		}
	}
	return false
}

// cutStreams are the POST streams whose connection the server closed before the stream was over: the response came when the client
// resumed it.
func cutStreams(t *kit.T) []*client.Exchange {
	var cut []*client.Exchange
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			resumed := tr.Exchange(resumedLabel(x.Label))
			if requestStream(x) && x.EndedBy == client.ByServer && !responded(x) && resumed != nil && carries(resumed, x.RequestMessage().ID) {
				cut = append(cut, x)
			}
		}
	}
	return cut
}

func hasRetry(x *client.Exchange) bool {
	for _, e := range x.Events() {
		if e.HasRetry && e.Retry != "" {
			return true
		}
	}
	return false
}

// firstBlock is the first block of a stream that is more than comments.
func firstBlock(x *client.Exchange) (client.Event, bool) {
	for _, e := range x.Events() {
		if e.HasID || e.HasData || e.HasRetry || e.HasType {
			return e, true
		}
	}
	return client.Event{}, false
}

// sessionRefused tells that requests in the session of an exchange were refused afterwards: it has ended.
func sessionRefused(t *kit.T, x *client.Exchange) bool {
	id := kit.RequestHeader(x, "Mcp-Session-Id")
	if id == "" {
		return false
	}
	for _, other := range t.Exchanges() {
		if other.Broken == "" && other.Status()/100 == 4 && kit.RequestHeader(other, "Mcp-Session-Id") == id && other.Request.Method != "DELETE" {
			return true
		}
	}
	return false
}

// judgeIncluded looks for the response to a request that was answered by a stream.
func judgeIncluded(t *kit.T, tr *client.Transcript, x *client.Exchange, expected string) {
	if !requestStream(x) || strings.HasPrefix(x.Label, "auto/") {
		return
	}
	resumed := tr.Exchange(resumedLabel(x.Label))
	switch {
	case responded(x), resumed != nil && carries(resumed, x.RequestMessage().ID):
		t.Saw()
	case resumed != nil && responded(resumed):
		// The resumption brought another stream's response: resumability.same-stream-only's, or the event id's.
	case x.EndedBy == client.ByServer && t.Revision() < "2025-11-25":
		// sse.no-early-close reports it.
	case x.EndedBy == client.ByServer && firstEventID(x) != "" && resumed == nil:
		// It may come by resumption, which this script did not try.
	case sessionRefused(t, x):
		// Its session ended, and the stream with it.
	case x.EndedBy == client.ByServer, x.EndedBy == client.ByTimeout:
		t.Breach(x, expected, "no response: "+string(x.EndedBy)+" ended it")
	}
}

// resumedLabel is the label of the GET that resumes the stream of an exchange.
func resumedLabel(label string) string { return "resume " + label }

// carries tells that a stream carries a response with an id.
func carries(x *client.Exchange, id json.RawMessage) bool {
	for _, m := range x.Messages() {
		if (m.HasResult || m.HasError) && client.SameID(m.ID, id) {
			return true
		}
	}
	return false
}
