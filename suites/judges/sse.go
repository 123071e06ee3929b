package judges

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// NoStream is why nothing can be said of streams.
const NoStream = "no event stream was seen"

// StreamTypes judges status and media type of event streams.
func StreamTypes(t *kit.T) {
	const expected = "HTTP 200 with text/event-stream"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, NoStream)
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
}

// StreamEncoding judges the encoding of event streams.
func StreamEncoding(t *kit.T) {
	const expected = "UTF-8"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, NoStream)
	for _, x := range t.Streams() {
		// What we cut off ourselves may end within a character.
		body, _ := x.Decoded()
		switch at := InvalidUTF8(body); {
		case len(body) == 0:
		case at >= 0 && (x.EndedBy == wire.ByServer || utf8.FullRune(body[at:])):
			t.Breach(x, expected, fmt.Sprintf("byte 0x%02x at position %d, which is no UTF-8", body[at], at))
		case bytes.HasPrefix(body, []byte("\uFEFF")):
			t.Note(x, "the stream begins with a byte order mark")
		default:
			t.Saw()
		}
	}
}

// EventMessages judges that the data of events are messages.
func EventMessages(t *kit.T) {
	const expected = "one JSON-RPC message as the data of an event"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no event with data was seen")
	eachEvent(t, func(at kit.Seen, e wire.Event) {
		// What is torn is for MultilineData, and what is no UTF-8 for StreamEncoding.
		if !e.Dispatched || e.Type != "message" || strings.TrimSpace(e.Data) == "" || tornData(e) || !utf8.Valid(e.Raw) {
			return
		}
		switch m := e.Message(); {
		case m.Kind == wire.KindNotJSON, m.Kind == wire.KindNotObject:
			t.BreachAt(at, expected, "the data "+kit.Quote([]byte(e.Data)))
		case m.Kind == wire.KindBatch:
			t.Saw() // arrays are for the rules about batches
		case !m.HasMethod && !m.HasResult && !m.HasError && !m.HasID:
			t.BreachAt(at, expected, "the data "+kit.Quote([]byte(e.Data))+", which is no message")
		default:
			t.Saw()
		}
	})
}

// EventTypes notes messages in events of another type.
func EventTypes(t *kit.T) {
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
}

// looksLikeStream tells that a body of another media type, read as an event stream, has JSON-RPC messages in it.
func looksLikeStream(x *wire.Exchange) bool {
	body := bytes.TrimSpace(x.Response.Body.Prefix(streamPrefix))
	if len(body) == 0 || body[0] == '{' || body[0] == '[' || body[0] == '<' {
		return false
	}
	for _, e := range wire.Decode(body) {
		if e.Message().Version != nil {
			return true
		}
	}
	return false
}

// streamPrefix is how much of a body is read to see whether it is an event stream.
const streamPrefix = 64 << 10

// StreamComments tells of comments on streams.
func StreamComments(t *kit.T) {
	t.Says("comments at any time")
	t.Unseen(kit.Unprovoked, "no comment was seen on a stream")
	eachEvent(t, func(at kit.Seen, e wire.Event) {
		if len(e.Comments) > 0 {
			first, interval := comments(at.Exchange)
			t.OK(at.Exchange, "comments on a stream, the first %q%s", first, interval)
		}
	})
}

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
