package wire

import (
	"bytes"
	"errors"
	"strings"
	"time"
)

// maxLines bounds how many comments and unknown lines of one block are kept.
const maxLines = 64

// An Event is one block of an event stream: the lines up to an empty line (WHATWG HTML, "server-sent events").
type Event struct {
	// ID is the value of the last id field of the block; one with a NUL is kept here and ignored for LastID.
	ID    string
	HasID bool
	// Type is the event's type, "message" where no (or an empty) event field sets another.
	Type    string
	HasType bool
	// Data is the data lines joined by LF, as the bytes came; HasData tells an empty one from none.
	Data      string
	HasData   bool
	DataLines int
	Retry     string // as written; only ASCII digits have a meaning
	HasRetry  bool
	Comments  []string // without the colon; at most 64
	Unknown   []string // lines with other field names, raw; at most 64
	// Raw is the block with its empty line (of a CR LF its CR: a decoder may not wait for the LF).
	Raw Bytes
	// Offset and End are where the block lies in the body.
	Offset, End int64
	// At is when its last byte arrived, from the transcript's start.
	At time.Duration
	// Terminated tells that an empty line ended the block; otherwise the stream ended within it and a client drops it.
	Terminated bool
	// Dispatched tells that a WHATWG decoder hands it out: terminated and with a data field, even an empty one ("data:" puts
	// a line feed into the buffer, which is then not empty).
	Dispatched bool
	// LastID is the stream's last event id after this block.
	LastID string
}

// Message reads the data as JSON-RPC. It shares the bytes of Raw where the data are the last line.
func (e Event) Message() Message {
	end := len(bytes.TrimRight(e.Raw, "\r\n"))
	if from := end - len(e.Data); from >= 0 && string(e.Raw[from:end]) == e.Data {
		return ReadMessage(e.Raw[from:end:end])
	}
	return ReadMessage([]byte(e.Data))
}

// ErrEventTooLong is returned by Decoder.Feed for a block beyond Decoder.MaxEvent.
var ErrEventTooLong = errors.New("event exceeds the limit")

// DefaultMaxEvent bounds one block of an event stream.
const DefaultMaxEvent = 16 << 20

// A Decoder cuts an event stream into blocks while it arrives. Lines end with CR, LF or CR LF; how the bytes are cut over calls of
// Feed makes no difference. The zero Decoder is ready.
type Decoder struct {
	// MaxEvent bounds the bytes of one block; 0 means DefaultMaxEvent.
	MaxEvent int

	block    []byte // the block so far
	line     int    // where its current line begins
	lines    []span // its complete lines
	offset   int64  // of the block in the stream
	afterCR  bool   // an LF at this place belongs to the line end before
	begun    bool   // the first line is behind us
	lastID   string
	overflow bool
}

type span struct{ from, to int }

// Feed decodes p, which arrived at the given time, and returns the blocks it completes. After ErrEventTooLong the decoder
// takes nothing more.
func (d *Decoder) Feed(p []byte, at time.Duration) ([]Event, error) {
	if d.overflow {
		return nil, ErrEventTooLong
	}
	limit := d.MaxEvent
	if limit <= 0 {
		limit = DefaultMaxEvent
	}
	var events []Event
	for len(p) > 0 {
		if d.afterCR {
			d.afterCR = false
			if p[0] == '\n' {
				p = p[1:]
				if len(d.block) == 0 {
					d.offset++
				} else {
					d.block = append(d.block, '\n')
					d.line++
				}
				continue
			}
		}
		i := bytes.IndexAny(p, "\r\n")
		rest := len(p)
		if i >= 0 {
			rest = i + 1
		}
		if len(d.block)+rest > limit {
			d.overflow = true
			return events, ErrEventTooLong
		}
		d.block = append(d.block, p[:rest]...)
		p = p[rest:]
		if i < 0 {
			break
		}
		end := len(d.block) - 1
		d.afterCR = d.block[end] == '\r'
		if e, ok := d.endLine(end); ok {
			e.At = at
			events = append(events, e)
		}
	}
	return events, nil
}

// endLine takes the line that ends before the terminator at end; an empty one ends the block.
func (d *Decoder) endLine(end int) (Event, bool) {
	from := d.line
	if !d.begun {
		d.begun = true
		if bytes.HasPrefix(d.block[from:end], []byte("\xEF\xBB\xBF")) {
			from += 3
		}
	}
	if from < end {
		d.lines = append(d.lines, span{from, end})
		d.line = end + 1
		return Event{}, false
	}
	if len(d.lines) == 0 {
		d.offset += int64(len(d.block))
		d.block, d.line = d.block[:0], 0
		return Event{}, false
	}
	return d.cut(true), true
}

// Open is how many bytes of a block that is not complete the decoder holds.
func (d *Decoder) Open() int { return len(d.block) }

// Rest returns the block that the end of the stream left unfinished, if any. It is not dispatched.
func (d *Decoder) Rest(at time.Duration) (Event, bool) {
	if len(d.block) == 0 {
		return Event{}, false
	}
	if d.line < len(d.block) {
		from := d.line
		if !d.begun && bytes.HasPrefix(d.block[from:], []byte("\xEF\xBB\xBF")) {
			from += 3
		}
		if from < len(d.block) {
			d.lines = append(d.lines, span{from, len(d.block)})
		}
	}
	e := d.cut(false)
	e.At = at
	return e, true
}

// cut makes an event of the block and starts the next one.
func (d *Decoder) cut(terminated bool) Event {
	e := Event{Raw: bytes.Clone(d.block), Offset: d.offset, End: d.offset + int64(len(d.block)), Terminated: terminated}
	var data []string
	for _, l := range d.lines {
		line := string(e.Raw[l.from:l.to])
		if comment, ok := strings.CutPrefix(line, ":"); ok {
			if len(e.Comments) < maxLines {
				e.Comments = append(e.Comments, comment)
			}
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			data = append(data, value)
			e.HasData = true
			e.DataLines++
		case "event":
			e.Type, e.HasType = value, true
		case "id":
			e.ID, e.HasID = value, true
			if terminated && !strings.Contains(value, "\x00") {
				d.lastID = value
			}
		case "retry":
			e.Retry, e.HasRetry = value, true
		default:
			if len(e.Unknown) < maxLines {
				e.Unknown = append(e.Unknown, line)
			}
		}
	}
	e.Data = strings.Join(data, "\n") // one line is not copied
	if e.Type == "" {
		e.Type = "message"
	}
	e.Dispatched = terminated && e.HasData
	e.LastID = d.lastID
	d.offset = e.End
	d.block, d.line, d.lines = d.block[:0], 0, d.lines[:0]
	if cap(d.block) > inlineLimit {
		d.block, d.lines = nil, nil
	}
	return e
}

// Decode decodes a whole stream. A block that the end left unfinished comes last, with Terminated false.
func Decode(stream []byte) []Event {
	d := Decoder{MaxEvent: len(stream) + 1}
	events, _ := d.Feed(stream, 0)
	if e, ok := d.Rest(0); ok {
		events = append(events, e)
	}
	return events
}
