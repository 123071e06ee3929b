package legacy

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// sseFields are the rules for the bytes of a stream, as the WHATWG's decoder reads them.
func sseFields(s *kit.Section) {
	s.Passive("sse.content-type", func(t *kit.T) {
		const expected = "HTTP 200 with text/event-stream"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noStream)
		for _, x := range t.Exchanges() {
			switch {
			case x.Status()/100 != 2:
			case x.IsSSE() && x.Status() != 200 && x.Request.Method == "GET":
				t.Breach(x, expected, kit.Describe(x))
			case x.IsSSE() && x.Status() != 200:
				t.Warn(x, expected, kit.Describe(x))
			case x.IsSSE():
				t.Saw()
			case looksLikeStream(x):
				t.Breach(x, expected, "data in the form of an event stream under the media type "+strconv.Quote(x.MediaType()))
			}
		}
	})

	s.Passive("sse.utf8", func(t *kit.T) {
		const expected = "UTF-8"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noStream)
		for _, x := range t.Streams() {
			// What we cut off ourselves may end within a character.
			body, _ := x.Decoded()
			switch at := judges.InvalidUTF8(body); {
			case len(body) == 0:
			case at >= 0 && (x.EndedBy == wire.ByServer || utf8.FullRune(body[at:])):
				t.Breach(x, expected, fmt.Sprintf("byte 0x%02x at position %d, which is no UTF-8", body[at], at))
			case bytes.HasPrefix(body, []byte("\uFEFF")):
				t.Note(x, "the stream begins with a byte order mark")
			default:
				t.Saw()
			}
		}
	})

	s.Passive("sse.line-format", func(t *kit.T) {
		const expected = "comments and the fields data, event, id and retry"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noStream)
		eachEvent(t, func(at kit.Seen, e wire.Event) {
			for _, line := range e.Unknown {
				// A line that goes on with torn JSON is sse.multiline-data's.
				if tornData(e) {
					return
				}
				t.WarnAt(at, expected, "the line "+kit.Quote([]byte(line)))
			}
			if len(e.Unknown) == 0 {
				t.Saw()
			}
		})
	})

	s.Passive("sse.event-terminated", func(t *kit.T) {
		const expected = "an empty line after every event"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noStream)
		for _, x := range t.Streams() {
			if x.EndedBy != wire.ByServer {
				continue
			}
			events := x.Events()
			if n := len(events); n > 0 && !events[n-1].Terminated && events[n-1].HasData {
				t.BreachAt(kit.Seen{Located: wire.Located{Event: n - 1}, Exchange: x}, expected, "the end of the stream after the data")
				continue
			}
			t.Saw()
		}
	})

	s.Passive("sse.multiline-data", func(t *kit.T) {
		const expected = "data: in front of every line of a message"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noStream)
		eachEvent(t, func(at kit.Seen, e wire.Event) {
			switch {
			case tornData(e):
				t.BreachAt(at, expected, "JSON that goes on in a line without it: "+kit.Quote([]byte(e.Unknown[0])))
			case e.HasData:
				t.Saw()
			}
		})
	})

	s.Passive("sse.id-field", func(t *kit.T) {
		const expected = "an id without NUL"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no event carried an id")
		eachEvent(t, func(at kit.Seen, e wire.Event) {
			switch {
			case !e.HasID:
			case strings.ContainsRune(e.ID, 0):
				t.BreachAt(at, expected, "the id "+strconv.Quote(e.ID))
			case e.ID == "":
				t.NoteAt(at, "an empty id, which resets what the client would resume from")
			case strings.ContainsFunc(e.ID, func(r rune) bool { return r < 0x20 || r > 0x7e }):
				t.NoteAt(at, "the id %q has characters that do not fit into a Last-Event-ID header unchanged", e.ID)
			default:
				t.Saw()
			}
		})
	})

	s.Passive("sse.retry-field", func(t *kit.T) {
		const expected = "retry in milliseconds, digits only"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no retry field was seen")
		eachEvent(t, func(at kit.Seen, e wire.Event) {
			if !e.HasRetry {
				return
			}
			ms, err := strconv.ParseUint(e.Retry, 10, 64)
			switch {
			case err != nil || strings.Trim(e.Retry, "0123456789") != "":
				t.WarnAt(at, expected, "retry: "+kit.Quote([]byte(e.Retry)))
			case ms == 0 || ms > 3_600_000:
				t.NoteAt(at, "retry: %d ms", ms)
			default:
				t.Saw()
			}
		})
	})

	s.Passive("sse.comments", func(t *kit.T) {
		t.Says("comments at any time")
		t.Unseen(kit.Unprovoked, "no comment was seen on a stream")
		eachEvent(t, func(at kit.Seen, e wire.Event) {
			if len(e.Comments) > 0 {
				first, interval := comments(at.Exchange)
				t.OK(at.Exchange, "comments on a stream, the first %q%s", first, interval)
			}
		})
	})

	s.Passive("sse.data-jsonrpc", func(t *kit.T) {
		const expected = "one JSON-RPC message as the data of an event"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no event with data was seen")
		eachEvent(t, func(at kit.Seen, e wire.Event) {
			if !e.Dispatched || e.Type != "message" || strings.TrimSpace(e.Data) == "" || tornData(e) || !utf8.Valid(e.Raw) {
				return
			}
			switch m := e.Message(); {
			case !utf8.ValidString(e.Data):
				// sse.utf8 reports it.
			case m.Kind == wire.KindNotJSON, m.Kind == wire.KindNotObject:
				t.BreachAt(at, expected, "the data "+kit.Quote([]byte(e.Data)))
			case m.Kind == wire.KindBatch:
				t.Saw() // jsonrpc.batch.none-sent judges arrays
			case !m.HasMethod && !m.HasResult && !m.HasError && !m.HasID:
				t.BreachAt(at, expected, "the data "+kit.Quote([]byte(e.Data))+", which is no message")
			default:
				t.Saw()
			}
		})
	})

	s.Passive("sse.event-type", func(t *kit.T) {
		t.Says("the type message, written out or left at its default")
		t.Unseen(kit.Unprovoked, "no event with data was seen")
		eachEvent(t, func(at kit.Seen, e wire.Event) {
			switch {
			case !e.Dispatched || strings.TrimSpace(e.Data) == "":
			case e.Type != "message" && e.Message().Version != nil:
				t.NoteAt(at, "a JSON-RPC message in an event of type %q: clients built on EventSource or the official SDKs skip it", e.Type)
			default:
				t.Saw()
			}
		})
	})
}

// eachEvent visits the blocks of every stream. One that was cut off in its middle, by us or by a broken connection, says nothing.
func eachEvent(t *kit.T, visit func(kit.Seen, wire.Event)) {
	for _, x := range t.Streams() {
		for i, e := range x.Events() {
			if !e.Terminated && x.EndedBy != wire.ByServer {
				continue
			}
			visit(kit.Seen{Located: wire.Located{Event: i}, Exchange: x}, e)
		}
	}
}

// looksLikeStream tells that a body of another media type, read as an event stream, has JSON-RPC messages in it.
func looksLikeStream(x *wire.Exchange) bool {
	body := bytes.TrimSpace(x.Response.Body.Prefix(streamPrefix))
	if len(body) == 0 || body[0] == '{' || body[0] == '[' || body[0] == '<' {
		return false
	}
	for _, e := range wire.Decode(body) {
		if e.HasData && e.Message().Version != nil {
			return true
		}
	}
	return false
}

// streamPrefix is how much of a body is read to see whether it is an event stream.
const streamPrefix = 64 << 10

// comments returns the first comment of a stream and, where more follow, a phrase about the time between them.
func comments(x *wire.Exchange) (first, interval string) {
	var times []time.Duration
	for _, e := range x.Events() {
		if len(e.Comments) > 0 {
			if len(times) == 0 {
				first = e.Comments[0]
			}
			times = append(times, e.At)
		}
	}
	if n := len(times) - 1; n > 0 {
		interval = fmt.Sprintf(", about every %v", ((times[n] - times[0]) / time.Duration(n)).Round(100*time.Millisecond))
	}
	return first, interval
}

// tornData tells that the data of an event is the beginning of a JSON text whose rest stands in lines without data: in front.
func tornData(e wire.Event) bool {
	if len(e.Unknown) == 0 || !e.HasData {
		return false
	}
	data := strings.TrimSpace(e.Data)
	return strings.HasPrefix(data, "{") && e.Message().Kind == wire.KindNotJSON
}
