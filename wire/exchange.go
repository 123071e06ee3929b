package wire

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"io"
	"mime"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"time"
)

// maxDecoded bounds the decoded view of a compressed body.
const maxDecoded = 16 << 20

// messageCache keeps what was derived from the body of an exchange; what takes more memory goes on a shelf, so that that stays bounded. The zero value is empty.
type messageCache struct {
	p    atomic.Pointer[derived]
	sent atomic.Pointer[Message]
}

type derived struct {
	events   []Event
	messages []Located
	size     int64  // its cost, once that is known
	excess   string // what is in it that a run has no room for; "": nothing
}

// Located is a message and where in the response it stood.
type Located struct {
	Message
	Event int           // index into Events, -1: the body itself
	Batch int           // index within a batch, -1: not part of one
	At    time.Duration // when it was complete, from the transcript's start
}

// Clone returns a copy that shares the bytes of bodies and nothing that was derived; change it freely before it is judged.
func (x *Exchange) Clone() *Exchange {
	y := &Exchange{Label: x.Label, Origin: x.Origin, Broken: x.Broken, Stream: x.Stream, Request: x.Request, Unparsed: x.Unparsed,
		EndedBy: x.EndedBy, Sent: x.Sent, Head: x.Head, End: x.End, Conn: x.Conn, Reused: x.Reused, stream: x.stream, listening: x.listening}
	y.Request.Header = x.Request.Header.Clone()
	if x.Response != nil {
		r := *x.Response
		r.Header = r.Header.Clone()
		y.Response = &r
	}
	if x.Error != nil {
		e := *x.Error
		y.Error = &e
	}
	return y
}

// Moved is a copy that happened so much later.
func (x *Exchange) Moved(by time.Duration) *Exchange {
	y := x.Clone()
	y.Sent, y.End = y.Sent+by, y.End+by
	if y.Response != nil {
		y.Head += by
		y.Response.Chunks = slices.Clone(y.Response.Chunks)
		for i := range y.Response.Chunks {
			y.Response.Chunks[i].At += by
		}
	}
	return y
}

// MediaType is the media type of the response in lower case without parameters, or "" (absent or unreadable).
func (x *Exchange) MediaType() string {
	if x.Response == nil {
		return ""
	}
	value := x.Response.Header.Get("Content-Type")
	switch value {
	case "application/json", "text/event-stream": // what nearly all are; rules ask again and again
		return value
	}
	media, _, err := mime.ParseMediaType(value)
	if err != nil {
		// A bad parameter does not make the type unreadable.
		media, _, _ = strings.Cut(value, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	return media
}

// IsSSE tells whether the response says that it is an event stream.
func (x *Exchange) IsSSE() bool { return x.MediaType() == "text/event-stream" }

// IsJSON tells whether the response says that it is JSON.
func (x *Exchange) IsJSON() bool {
	media := x.MediaType()
	return media == "application/json" || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")
}

// ResponseSession returns the values of Mcp-Session-Id in the response.
func (x *Exchange) ResponseSession() []string {
	if x.Response == nil {
		return nil
	}
	return x.Response.Header.Values("Mcp-Session-Id")
}

// RequestMessage is the message we sent, read from the request's body; of kind not-json for a request without body.
func (x *Exchange) RequestMessage() Message {
	if m := x.cache.sent.Load(); m != nil {
		return *m
	}
	m := ReadMessage(x.Request.Body.Bytes())
	if x.EndedBy != "" && !x.Request.Body.inFile() {
		x.cache.sent.Store(&m)
	}
	return m
}

// Events returns the blocks of an event stream, nil for any other response. The slice is shared: do not change it.
func (x *Exchange) Events() []Event { return x.derive().events }

// Messages returns every JSON-RPC message of the server in this response, batches flattened: the JSON body, or the data of
// dispatched events of type "message" that is not empty (an empty one primes a client for resuming and says nothing).
//
// Any kind of document counts in a 2xx answer with a JSON media type to a request. Any other body (HTTP errors, 202, answers to
// notifications, a body with another media type) counts only if it is a JSON object with the member jsonrpc, or an array with
// such an object. The slice is shared: do not change it.
func (x *Exchange) Messages() []Located { return x.derive().messages }

func (x *Exchange) derive() *derived {
	if d := x.cache.p.Load(); d != nil {
		return d
	}
	d := &derived{}
	if x.Response == nil {
		return d
	}
	shelf := x.Response.Body.shelf
	if shelf != nil && x.EndedBy != "" {
		if kept := shelf.get(x); kept != nil {
			return kept
		}
		if x.Response.Body.Size() > inlineLimit {
			// One at a time: to read it takes several times its size.
			shelf.reading.Lock()
			defer shelf.reading.Unlock()
			if kept := shelf.get(x); kept != nil {
				return kept
			}
		}
	}
	body, plain := x.Decoded()
	if x.IsSSE() {
		d.events = Decode(body)
		for i := range d.events {
			e := &d.events[i]
			e.At = x.End
			if plain {
				e.At = x.arrival(e.End)
			}
			if e.Dispatched && e.Type == "message" && e.Data != "" {
				d.messages = Locate(d.messages, e.Message(), i, e.At)
			}
		}
	} else if m := ReadMessage(body); x.counts(m) {
		d.messages = Locate(nil, m, -1, x.arrival(x.Response.Body.Size()))
	}
	if x.EndedBy == "" {
		return d
	}
	if d.excess = excess(d.messages, len(body)); d.excess == "" && shelf != nil && (x.Response.Body.inFile() || !plain) {
		d.excess = shelf.lighten(x, d, plain)
	}
	if d.excess != "" {
		return d // it is to be cut
	}
	if d.size = d.cost(); shelf != nil && d.size > ownLimit {
		shelf.put(x, d)
	} else if !x.Request.Body.inFile() {
		x.cache.p.Store(d)
	}
	return d
}

// counts decides whether a body that is no event stream is a message.
func (x *Exchange) counts(m Message) bool {
	if m.Kind == KindNotJSON && m.Problem == "empty" {
		return false
	}
	if status := x.Status(); status >= 200 && status <= 299 && status != 202 && x.IsJSON() && x.asksForAnswer() {
		return true
	}
	marked := func(m Message) bool { return TypeOf(m.raw) == "object" && m.Kind != KindNotJSON && m.Version != nil }
	if m.Kind == KindBatch {
		for _, e := range m.Elements {
			if marked(e) {
				return true
			}
		}
	}
	return marked(m)
}

// asksForAnswer tells that the request we sent is or contains a JSON-RPC request.
func (x *Exchange) asksForAnswer() bool { return len(RequestIDs(x.RequestMessage())) > 0 }

// RequestIDs returns the ids of the requests in a message: its own, or those of the elements of a batch.
func RequestIDs(m Message) []json.RawMessage {
	var ids []json.RawMessage
	if m.Kind == KindRequest {
		ids = append(ids, m.ID)
	}
	for _, e := range m.Elements {
		if e.Kind == KindRequest {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Locate appends a message to the list, one entry for each element of a batch.
func Locate(list []Located, m Message, event int, at time.Duration) []Located {
	if m.Kind != KindBatch || len(m.Elements) == 0 {
		return append(list, Located{m, event, -1, at})
	}
	for i, e := range m.Elements {
		list = append(list, Located{e, event, i, at})
	}
	return list
}

// arrival is when the first n bytes of the body were there.
func (x *Exchange) arrival(n int64) time.Duration {
	chunks := x.Response.Chunks
	i := sort.Search(len(chunks), func(i int) bool { return chunks[i].End >= n })
	if i < len(chunks) {
		return chunks[i].At
	}
	if x.End != 0 {
		return x.End
	}
	return x.Head
}

// Decoded returns the body without its content coding (gzip or deflate, up to 16 MiB of output), and whether it had none. A body
// that does not decode is returned as far as it did; of one that was cut off nothing is.
func (x *Exchange) Decoded() (body []byte, plain bool) {
	body = x.Response.Body.Bytes()
	coding := strings.ToLower(strings.TrimSpace(x.Response.Header.Get("Content-Encoding")))
	if coding != "" && x.EndedBy == ByLimit {
		return nil, false
	}
	r, err := unpack(coding, bytes.NewReader(body))
	switch {
	case r == nil && err == nil:
		return body, true
	case err != nil:
		return nil, false
	}
	out, _ := io.ReadAll(io.LimitReader(r, maxDecoded))
	return out, false
}

// Unpacked tells how many bytes a body has without its content coding; beyond limit it stops counting. It keeps nothing of them.
func (x *Exchange) Unpacked(limit int64) int64 {
	r, err := x.Response.Body.open()
	if err != nil {
		return 0
	}
	defer r.Close()
	coding := strings.ToLower(strings.TrimSpace(x.Response.Header.Get("Content-Encoding")))
	plain, err := unpack(coding, bufio.NewReader(r))
	if plain == nil || err != nil {
		return x.Response.Body.Size()
	}
	n, _ := io.Copy(io.Discard, io.LimitReader(plain, limit+1))
	return n
}

// unpack takes a content coding off; nil without an error: there is none that we know.
func unpack(coding string, packed io.Reader) (io.Reader, error) {
	switch coding {
	case "gzip", "x-gzip":
		return gzip.NewReader(packed)
	case "deflate":
		// Some send the bare stream. It does not begin like one with a header.
		in := bufio.NewReader(packed)
		head, _ := in.Peek(2)
		if len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
			return zlib.NewReader(in)
		}
		return flate.NewReader(in), nil
	}
	return nil, nil
}
