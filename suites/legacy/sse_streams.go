package legacy

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// sseStreams are the rules for what a stream as a whole does: how it begins, what it carries, how it ends.
func sseStreams(s *kit.Section) {
	s.Passive("sse.no-cache", func(t *kit.T) {
		t.Says("Cache-Control: no-cache or no-store")
		t.Unseen(kit.Unprovoked, judges.NoStream)
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
		// The quickest counts: one late head may be the fault of a busy machine.
		var quickest *wire.Exchange
		heads := slices.DeleteFunc(slices.Clone(t.Streams()), func(x *wire.Exchange) bool { return !plainGet(x) })
		if len(heads) > 0 {
			quickest = slices.MinFunc(heads, func(a, b *wire.Exchange) int { return cmp.Compare(a.Head-a.Sent, b.Head-b.Sent) })
		}
		get := t.In(inventory).IfSent("get")
		switch {
		case quickest == nil && get != nil && get.Response == nil && get.End-get.Sent > lateHead:
			t.Note(get, "no head came within %v of GET; proxies and clients may take the server for dead", (get.End - get.Sent).Round(100*time.Millisecond))
		case quickest == nil && t.Facts().Trait(traitGetStream) == kit.No:
			t.NotApplicable("%s", withGetStream.Otherwise)
		case quickest == nil && t.Facts().Trait(traitGetStream) == kit.Unknown:
			t.Lacks(withGetStream)
		case quickest == nil:
			t.NotObserved(kit.Unprovoked, "no GET stream was seen")
		case quickest.Head-quickest.Sent > lateHead:
			t.Note(quickest, "the head of a GET stream came after %v; proxies and clients may give up before",
				(quickest.Head - quickest.Sent).Round(100*time.Millisecond))
		default:
			t.OK(quickest, "the head of a GET stream came after %v", (quickest.Head - quickest.Sent).Round(time.Millisecond))
		}
	}, kit.Open, kit.Serves)

	s.Passive("sse.event-id", func(t *kit.T) {
		t.Says("ids on events, where the server wants to")
		without := false
		for _, x := range t.Streams() {
			switch id := firstEventID(x); {
			case id != "" && x.Request.Method == "GET":
				t.OK(x, "events on GET streams carry ids, such as %q", id)
			case id != "":
				t.OK(x, "events on POST streams carry ids, such as %q", id)
			case slices.ContainsFunc(x.Events(), func(e wire.Event) bool { return e.Dispatched }):
				without = true
			}
		}
		switch {
		case t.Observed():
		case without:
			t.NotApplicable("the server gives its events no ids")
		default:
			t.NotObserved(kit.Unprovoked, "no event was seen")
		}
	})

	s.Passive("sse.priming-event", func(t *kit.T) {
		const expected = "an event with an id and empty data at the start of a POST stream"
		t.Says(expected)
		ids := slices.ContainsFunc(t.Streams(), func(x *wire.Exchange) bool { return firstEventID(x) != "" })
		// The stream of initialize is left out: while it is answered nothing has been negotiated yet.
		for _, x := range postStreams(t) {
			switch first, ok := firstBlock(x); {
			case !ok || spokenAsOldest(x):
			case first.ID != "" && strings.TrimSpace(first.Data) == "":
				t.Saw()
			case !ids:
				// Ids are optional, and a server without them has nothing to prime with.
				t.Note(x, "the server gives its events no ids: a client that loses the connection has nothing to come back with")
				return
			case firstEventID(x) == "":
				t.Warn(x, expected, "a stream whose events have no ids: a client that loses the connection has nothing to come back with")
			default:
				t.Warn(x, expected, "a stream that starts with "+kit.Quote(first.Raw))
			}
		}
	})

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
		postStreams(t)
		for _, tr := range t.Transcripts() {
			for _, x := range tr.Exchanges {
				judgeIncluded(t, tr, x, expected)
			}
		}
	})

	s.Passive("sse.no-early-close", func(t *kit.T) {
		const expected = "the response before the stream is closed"
		t.Says(expected)
		for _, x := range postStreams(t) {
			switch {
			case responded(x):
				t.Saw()
			case x.Stray():
				// It came on a GET stream: sse.get-no-response's.
			case x.EndedBy == wire.ByServer && !excused(t, x):
				t.Breach(x, expected, "the end of the stream without it")
			}
		}
	})

	s.Passive("sse.session-expiry-ends-stream", func(t *kit.T) {
		t.Says("the end of a stream when its session ends")
		t.Unseen(kit.Unprovoked, "no stream was ended by the server together with its session")
		for _, x := range t.Streams() {
			unfinished := plainGet(x) || requestStream(x) && !responded(x)
			if unfinished && x.EndedBy == wire.ByServer && sessionOver(t, x) {
				t.OK(x, "a stream was ended together with its session")
			}
		}
	}, withGetStream)

	leftOpen := s.Script("sse/left-open", kit.Shared, func(c *kit.C) {
		c.Parallel(
			func() { c.Safe("first", client.Linger(judges.PatientLinger)) },
			func() { c.Safe("second", client.Linger(judges.PatientLinger)) },
		)
	}, kit.SSEAnswers)
	s.Check("sse.closes-after-response", leftOpen, func(t *kit.T) {
		afterResponse(t)
		judges.StreamsEnd(t, "first", "second")
	})

	sseMessages(s)
}

// lateHead is from when a late head is worth a note.
const lateHead = 2 * time.Second

// postStreams are the streams that answer requests. Where there is none the rules about them have nothing to judge: they do not apply
// to a server that answers with JSON.
func postStreams(t *kit.T) []*wire.Exchange {
	var streams []*wire.Exchange
	for _, x := range t.Streams() {
		if requestStream(x) {
			streams = append(streams, x)
		}
	}
	if len(streams) == 0 {
		switch t.Facts().SSEAnswers {
		case kit.No:
			t.NotApplicable("%s", kit.SSEAnswers.Otherwise)
		case kit.Unknown:
			t.Lacks(kit.SSEAnswers)
		case kit.Yes:
			t.NotObserved(kit.Unprovoked, judges.NoStream)
		}
	}
	return streams
}

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
			done = (m.HasResult || m.HasError) && wire.SameID(m.ID, x.RequestMessage().ID)
		}
	}
}

// requestStream tells that a stream answers a well-formed request other than initialize, whose answer has an entry of its own.
func requestStream(x *wire.Exchange) bool {
	sent := x.RequestMessage()
	return x.IsSSE() && x.Status()/100 == 2 && x.Broken == "" && sent.Kind == wire.KindRequest && sent.Method != "initialize"
}

// responded tells that something came that is, or was meant to be, a response: what is wrong with it has entries of its own.
func responded(x *wire.Exchange) bool {
	for _, e := range x.Events() {
		if strings.TrimSpace(e.Data) == "" {
			continue
		}
		if m := e.Message(); !m.HasMethod || m.HasResult || m.HasError {
			return true
		}
	}
	return false
}

// cutStreams are the POST streams whose connection the server closed before the stream was over: the response came when the client
// resumed it.
func cutStreams(t *kit.T) []*wire.Exchange {
	var cut []*wire.Exchange
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			if !requestStream(x) || x.EndedBy != wire.ByServer || responded(x) {
				continue
			}
			id := x.RequestMessage().ID
			if slices.ContainsFunc(resumptionsOf(tr, x), func(r *wire.Exchange) bool { return judges.Carries(r, id) }) {
				cut = append(cut, x)
			}
		}
	}
	return cut
}

// spokenAsOldest tells that nothing in a request names a revision, neither a session nor a header, so that a server has to take it for one
// of 2025-03-26 (basic/transports#protocol-version-header).
func spokenAsOldest(x *wire.Exchange) bool {
	return kit.RequestHeader(x, "Mcp-Session-Id") == "" && kit.RequestHeader(x, "MCP-Protocol-Version") == ""
}

func hasRetry(x *wire.Exchange) bool {
	for _, e := range x.Events() {
		if e.Retry != "" {
			return true
		}
	}
	return false
}

// firstBlock is the first block of a stream with an id or data: comments, and a retry field alone, make no event.
func firstBlock(x *wire.Exchange) (wire.Event, bool) {
	for _, e := range x.Events() {
		if e.HasID || e.HasData {
			return e, e.Terminated || x.EndedBy == wire.ByServer
		}
	}
	return wire.Event{}, false
}

// excused tells that nobody can expect a response: the request was cancelled, or its session has ended.
func excused(t *kit.T, x *wire.Exchange) bool {
	for _, other := range t.Exchanges() {
		sent := other.RequestMessage()
		sameSession := kit.RequestHeader(other, "Mcp-Session-Id") == kit.RequestHeader(x, "Mcp-Session-Id")
		if sameSession && cancels(sent, x.RequestMessage().ID) {
			return true
		}
	}
	return sessionOver(t, x)
}

// sessionOver tells that the session of an exchange has ended: we deleted it, or what the server serves elsewhere was refused in it.
func sessionOver(t *kit.T, x *wire.Exchange) bool {
	id := kit.RequestHeader(x, "Mcp-Session-Id")
	if id == "" {
		return false
	}
	for _, other := range t.Exchanges() {
		if other.Broken != "" || kit.RequestHeader(other, "Mcp-Session-Id") != id {
			continue
		}
		refused := other.Status() == 404 || other.Status() == 400 || other.Status() == 410
		switch other.Request.Method {
		case "DELETE":
			// Our own clean-up comes when all else is over.
			if other.Status()/100 == 2 && !other.Origin.Automatic() {
				return true
			}
		case "GET":
			if refused && t.Facts().Trait(traitGetStream) == kit.Yes && kit.RequestHeader(other, "Last-Event-ID") == "" {
				return true
			}
		case "POST":
			if refused && servedMethod(t.Facts(), other.RequestMessage().Method) {
				return true
			}
		}
	}
	return false
}

// servedMethod tells that the server serves a method, or has to: a refusal is not for the method then.
func servedMethod(f *kit.Facts, method string) bool {
	if method == f.Safe || method == f.List || method == "notifications/initialized" {
		return true
	}
	return slices.ContainsFunc(kit.ListMethods, func(l struct{ Capability, Method, Member string }) bool {
		return l.Method == method && f.Capability(l.Capability) == kit.Yes
	})
}

// judgeIncluded looks for the response to a request that was answered by a stream.
func judgeIncluded(t *kit.T, tr *wire.Transcript, x *wire.Exchange, expected string) {
	if !requestStream(x) || x.Origin.Automatic() {
		return
	}
	resumed := resumptionsOf(tr, x)
	id := x.RequestMessage().ID
	switch {
	case responded(x), slices.ContainsFunc(resumed, func(r *wire.Exchange) bool { return judges.Carries(r, id) }):
		t.Saw()
	case x.EndedBy != wire.ByServer:
		// jsonrpc.request.answered reports a silence. A stream that we left, or that broke off, says nothing.
	case x.Stray():
		// It came on a GET stream: sse.get-no-response's.
	case slices.ContainsFunc(resumed, responded):
		// The resumption brought another stream's response: resumability.same-stream-only's, or the event id's.
	case t.Before("2025-11-25"):
		// sse.no-early-close reports it.
	case excused(t, x), sharesIDs(tr, x):
		// An id that names several streams resumes any of them: sse.event-id-unique's.
	case len(resumed) > 0:
		judgeResumption(t, tr, x, resumed[len(resumed)-1], expected)
	case firstEventID(x) == "":
		t.Breach(x, expected, "the end of the stream without it, and without an event id to come back with")
	}
	// With an event id it may come by resumption, which the script did not try.
}

// judgeResumption judges a stream that ended without its response, and so did the last resumption of it.
func judgeResumption(t *kit.T, tr *wire.Transcript, x, last *wire.Exchange, expected string) {
	switch {
	case last.Status() >= 500:
		// A failing gateway says nothing about the stream.
	case last.Status()/100 == 4 && besideStream(tr, last):
		// Some servers allow one stream, and the conversation was listening.
	case last.EndedBy == wire.ByClient:
		// We left before the server brought it: the call may take longer.
	default:
		t.Breach(x, expected, "the end of the stream without it, and not by Last-Event-ID either: "+kit.Describe(last))
	}
}
