package judges

import (
	"strconv"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// StreamLines judges the lines of event streams.
func StreamLines(t *kit.T) {
	const expected = "comments and the fields data, event, id and retry"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, NoStream)
	eachEvent(t, func(at kit.Seen, e wire.Event) {
		// A line that goes on with torn JSON is for MultilineData.
		if tornData(e) {
			return
		}
		for _, line := range e.Unknown {
			if meant(line) {
				t.WarnAt(at, expected, "the line "+kit.Quote([]byte(line)))
			} else {
				t.NoteAt(at, "the line %s has a field that no client knows, and is ignored", kit.Quote([]byte(line)))
			}
		}
		t.Saw()
	})
}

// meant tells that an unknown line was meant to be read: a field in odd case or with a space before its colon, or JSON without data: in
// front. Others are legal, and ignored.
func meant(line string) bool {
	name, _, _ := strings.Cut(line, ":")
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "data", "event", "id", "retry":
		return true
	}
	return strings.ContainsAny(line[:1], `{["}]`)
}

// EventsTerminated judges the end of the last event of a stream.
func EventsTerminated(t *kit.T) {
	const expected = "an empty line after every event"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, NoStream)
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
}

// MultilineData judges messages that are spread over several lines.
func MultilineData(t *kit.T) {
	const expected = "data: in front of every line of a message"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, NoStream)
	eachEvent(t, func(at kit.Seen, e wire.Event) {
		switch {
		case tornData(e):
			t.BreachAt(at, expected, "JSON that goes on in a line without it: "+kit.Quote([]byte(e.Unknown[0])))
		case e.HasData:
			t.Saw()
		}
	})
}

// EventIDFields judges the ids of events.
func EventIDFields(t *kit.T) {
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
}

// RetryFields judges the reconnection times that streams ask for.
func RetryFields(t *kit.T) {
	const expected = "retry in milliseconds, digits only"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no retry field was seen")
	eachEvent(t, func(at kit.Seen, e wire.Event) {
		if !e.HasRetry {
			return
		}
		ms, err := strconv.ParseUint(e.Retry, 10, 64)
		switch {
		case err != nil:
			t.WarnAt(at, expected, "retry: "+kit.Quote([]byte(e.Retry)))
		case ms == 0 || ms > 3_600_000:
			t.NoteAt(at, "retry: %d ms", ms)
		default:
			t.Saw()
		}
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

// tornData tells that the data of an event is the beginning of a JSON text whose rest stands in lines without data: in front.
func tornData(e wire.Event) bool {
	return len(e.Unknown) > 0 && strings.HasPrefix(strings.TrimSpace(e.Data), "{") && e.Message().Kind == wire.KindNotJSON
}
