package wire

import (
	"encoding/json"
	"slices"
	"sort"
	"time"
)

// The answer to a request is the message with its id, wherever it came: in the response to the POST, on the event stream of HTTP+SSE, or,
// where a server puts it there, on a stream that the client listens on.

// answering returns the messages among which the answer to x should be: those of its own response, and on HTTP+SSE those of the
// event stream from the time it was sent.
func (x *Exchange) answering() []Located {
	list := x.Messages()
	if x.stream == nil {
		return list
	}
	if x.live != nil {
		return append(list[:len(list):len(list)], x.live...)
	}
	return append(list[:len(list):len(list)], since(x.stream, x)...)
}

// since returns the messages that a stream brought from the time on when a request was sent.
func since(stream, request *Exchange) []Located {
	all := stream.Messages()
	return all[sort.Search(len(all), func(i int) bool { return all[i].At >= request.Sent }):]
}

// strayed returns the responses with one of the ids that came on a stream which the client listens on instead of the request's own.
func (x *Exchange) strayed(ids []json.RawMessage) []Located {
	var found []Located
	for _, stream := range x.listening {
		for _, m := range since(stream, x) {
			if m.isResponse() && m.answers(ids) {
				found = append(found, m)
			}
		}
	}
	return found
}

func (m Message) isResponse() bool { return !m.HasMethod && (m.HasResult || m.HasError) }

// nameless tells that a message has no id, or null for one.
func (m Message) nameless() bool { return !m.HasID || TypeOf(m.ID) == "null" }

func (m Message) answers(ids []json.RawMessage) bool {
	return slices.ContainsFunc(ids, func(id json.RawMessage) bool { return SameID(id, m.ID) })
}

// askedIDs are the ids that an answer to x could carry: those of its requests, or else the one of a message that is none.
func (x *Exchange) askedIDs() []json.RawMessage {
	sent := x.RequestMessage()
	ids := RequestIDs(sent)
	if len(ids) == 0 && sent.Kind == KindInvalid && sent.HasID {
		ids = append(ids, sent.ID)
	}
	return ids
}

// Replies returns the messages that came in reply. Of the responses in its own answer those count that carry an id of the request or none;
// only where there are no such ones do others. On HTTP+SSE those of the event stream are added that carry one of the ids, or none where
// the request carried none that could be read. Where nothing else answers the request, a response that came on a stream which the client
// listens on does.
func (x *Exchange) Replies() []Located {
	own := x.Messages()
	all := x.answering()[len(own):]
	ids := x.askedIDs()
	replies := fitting(own, ids)
	// An invented id is told from a foreign one by what else came: a stream is full of others' responses.
	unread := len(RequestIDs(x.RequestMessage())) == 0
	for _, m := range all {
		if !m.HasMethod && (m.answers(ids) || m.nameless() && unread) {
			replies = append(replies, m)
		}
	}
	if !slices.ContainsFunc(replies, func(m Located) bool { return m.isResponse() }) {
		replies = append(replies, x.strayed(ids)...)
	}
	if !slices.ContainsFunc(replies, func(m Located) bool { return m.isResponse() }) {
		replies = append(replies, x.mistyped(ids)...)
	}
	return replies
}

// fitting leaves out the responses with ids that nobody asked for, unless no other came.
func fitting(list []Located, ids []json.RawMessage) []Located {
	fits := func(m Located) bool { return m.nameless() || m.answers(ids) }
	if !slices.ContainsFunc(list, func(m Located) bool { return m.isResponse() && fits(m) }) {
		return list[:len(list):len(list)]
	}
	return slices.DeleteFunc(slices.Clone(list), func(m Located) bool { return m.isResponse() && !fits(m) })
}

// Answer returns the first result or error with the id of the request (any of them, of a batch). An error with a null or
// absent id in a body that is not an event stream is an answer too: it is all a server can say to what it could not read. So is what a
// lenient client could go on with, whatever is to be said of it: the id in another JSON type, an event of another type than "message", and
// the only response to initialize.
func (x *Exchange) Answer() (Message, bool) {
	m, ok := x.AnswerAt()
	return m.Message, ok
}

// AnswerAt is Answer with the place where it stood; that is in the exchange itself unless Elsewhere tells another.
func (x *Exchange) AnswerAt() (Located, bool) {
	ids := RequestIDs(x.RequestMessage())
	list := x.answering()
	for _, m := range list {
		if (m.Kind == KindResult || m.Kind == KindError) && m.answers(ids) {
			return m, true
		}
	}
	for _, m := range x.strayed(ids) {
		if m.Kind == KindResult || m.Kind == KindError {
			return m, true
		}
	}
	for _, m := range list {
		if m.Event < 0 && m.Kind == KindError && m.nameless() {
			return m, true
		}
	}
	return x.lenient(list, ids)
}

// mistyped returns the responses with one of the ids in events of the own stream whose type is another than "message".
func (x *Exchange) mistyped(ids []json.RawMessage) []Located {
	if !x.IsSSE() || len(ids) == 0 {
		return nil
	}
	var found []Located
	for i, e := range x.Events() {
		if !e.Dispatched || e.Type == "message" || e.Data == "" {
			continue
		}
		if m := e.Message(); m.Version != nil && m.isResponse() && m.answers(ids) {
			found = append(found, Located{m, i, -1, e.At})
		}
	}
	return found
}

// lenient finds the answer whose id is the request's but for its JSON type, and that to initialize whatever its id: before it there is
// nothing else that a server could answer.
func (x *Exchange) lenient(list []Located, ids []json.RawMessage) (Located, bool) {
	var only []Located
	for _, m := range list {
		if m.Kind != KindResult && m.Kind != KindError {
			continue
		}
		if slices.ContainsFunc(ids, func(id json.RawMessage) bool { return SameSpelling(id, m.ID) }) {
			return m, true
		}
		only = append(only, m)
	}
	for _, m := range x.mistyped(ids) {
		if m.Kind == KindResult || m.Kind == KindError {
			return m, true
		}
	}
	if len(only) == 1 && x.stream == nil && x.RequestMessage().Method == "initialize" {
		return only[0], true
	}
	return Located{}, false
}

// SameSpelling tells that two ids are the same but for their JSON type, such as 7 and "7". Null is none of them.
func SameSpelling(a, b json.RawMessage) bool {
	plain := func(id json.RawMessage) string {
		switch TypeOf(id) {
		case "string":
			return Unquote(id)
		case "number":
			return string(trimJSON(id))
		}
		return ""
	}
	return plain(a) != "" && plain(a) == plain(b)
}

// Elsewhere is the exchange that brought the answer to x, where that is not its own response: the event stream of HTTP+SSE, or a stream
// that the client listens on. Otherwise it is nil.
func (x *Exchange) Elsewhere() *Exchange {
	ids := x.askedIDs()
	answered := func(list []Located) bool {
		return slices.ContainsFunc(list, func(m Located) bool { return m.isResponse() && m.answers(ids) })
	}
	if answered(x.Messages()) {
		return nil
	}
	if x.stream != nil && answered(x.answering()) {
		return x.stream
	}
	for _, stream := range x.listening {
		if answered(since(stream, x)) {
			return stream
		}
	}
	return nil
}

// Stray tells that the answer came on a stream that the client listens on, where none belongs.
func (x *Exchange) Stray() bool {
	e := x.Elsewhere()
	return e != nil && e != x.stream
}

// AnsweredAt is when the answer of the exchange was complete.
func (x *Exchange) AnsweredAt() time.Duration {
	ids := RequestIDs(x.RequestMessage())
	if m, ok := x.AnswerAt(); ok && m.answers(ids) {
		return m.At
	}
	return x.End
}

// AnsweredOn says that the answer comes on another exchange, the event stream of HTTP+SSE, which is still open.
func (x *Exchange) AnsweredOn(stream *Exchange) {
	x.Stream, x.stream, x.live = stream.Label, stream, []Located{}
}

// Arrived keeps what that stream has brought for the request, until the transcript settles.
func (x *Exchange) Arrived(list []Located) { x.live = append([]Located{}, list...) }

// Again returns an exchange for another attempt at the same request, with nothing sent yet.
func (x *Exchange) Again() *Exchange {
	return &Exchange{Label: x.Label, Origin: x.Origin, Broken: x.Broken, Stream: x.Stream, stream: x.stream, live: x.live}
}

// Served tells that the request was answered with 2xx and a result with its id.
func (x *Exchange) Served() bool {
	if x.Status() < 200 || x.Status() > 299 {
		return false
	}
	m, ok := x.Answer()
	return ok && m.Kind == KindResult
}
