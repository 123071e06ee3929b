package wire

import (
	"fmt"
	"slices"
	"time"
)

// A Dialogue is a conversation as text that people read and write, one line for each thing:
//
//	script: transport/accept
//	session: a-session
//	== wildcard
//	broken: with Accept: */*
//	> POST
//	> Accept: */*
//	> {"jsonrpc":"2.0","id":3,"method":"ping"}
//	< 200 text/event-stream
//	<
//	< data: {"jsonrpc":"2.0","id":3,"result":{}}
//	<
//	. client
//
// Ahead of the first exchange stand lines about the transcript: script, subject (client), revision, transport, attempt, shared, session, negotiated,
// opened, started, duration, died, aborted, superseded, and window (as `window: "label" 0s to 300ms want 300ms after "marker"`).
//
// "== LABEL" begins an exchange. Lines about it come next: broken, origin, stream, host, conn, at (when it was sent, its head came
// and it ended), interim, unparsed, surplus, head (the raw one), sent-size and size (of a body of which not all bytes are here).
//
// "> " is the request: method, and the URL unless it is DefaultURL; header fields; an empty line; the body. "< " is the response: the
// protocol unless it is HTTP/1.1, the status and the Content-Type; and so on. A body that begins with { or [ needs no empty line before it.
// Every line of an event stream ends with a line feed, the lines of another body all but its last. A line `<"…"` is a part of the body
// as a Go string, without one. "@ 250ms" within a body says when the bytes so far were there.
//
// "." tells what ended it: server (which need not be said of a response), client, timeout, error or limit, and perhaps the error, as
// `. error reset "connection reset by peer" body`. Where no response came it is needed.
//
// An exchange of `origin: lender of "LABEL"` is one that the conversation rests on and did not hold itself (Transcript.Lent).
//
// A line that begins with # is a comment. Times are optional: without them an exchange begins a millisecond after the one before it
// ended, and takes two. Values that are no plain text, or begin with a quotation mark, are Go strings.
//
// A dialogue can tell how it differs from another (On): an exchange with the label of one of the other's stands for it, and what it
// does not say is as there: the request, the answer with its end, each line about it. A new exchange comes behind the one before it,
// or else at the end. A line "without: LABEL" ahead of the first exchange takes an exchange away.
type Dialogue struct {
	fields  []field
	without []string
	turns   []*turn
}

// DefaultURL is where requests of a dialogue go that do not say where.
const DefaultURL = "http://127.0.0.1:3000/mcp"

// DefaultStart is when a dialogue started that does not say.
var DefaultStart = time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)

// A field is a line of the form "name: value".
type field struct{ name, value string }

// A turn is an exchange of a dialogue.
type turn struct {
	label   string
	fields  []field
	request *Request
	answer  *turnAnswer
}

// A turnAnswer is what came back, and what ended it.
type turnAnswer struct {
	response *Response
	endedBy  EndedBy
	err      *NetError
}

// Script is the name of the conversation, "" where it does not say.
func (d *Dialogue) Script() string { return value(d.fields, "script") }

// value returns the last field of that name.
func value(fields []field, name string) string {
	for _, f := range slices.Backward(fields) {
		if f.name == name {
			return f.value
		}
	}
	return ""
}

// On returns the dialogue that differs from base in what d says. Errors name a label that base does not have.
func (d *Dialogue) On(base *Dialogue) (*Dialogue, error) {
	all := &Dialogue{fields: over(base.fields, d.fields), turns: slices.Clone(base.turns)}
	at := func(label string) int {
		return slices.IndexFunc(all.turns, func(t *turn) bool { return t.label == label })
	}
	for _, label := range d.without {
		i := at(label)
		if i < 0 {
			return nil, fmt.Errorf("no exchange %q to leave out", label)
		}
		all.turns = slices.Delete(all.turns, i, i+1)
	}
	next := len(all.turns)
	for _, t := range d.turns {
		if i := at(t.label); i >= 0 {
			all.turns[i] = t.on(all.turns[i])
			next = i + 1
			continue
		}
		if t.request == nil {
			return nil, fmt.Errorf("the exchange %q has no request, and there is none of that label to differ from", t.label)
		}
		all.turns = slices.Insert(all.turns, next, t)
		next++
	}
	return all, nil
}

func (t *turn) on(base *turn) *turn {
	n := &turn{label: t.label, fields: over(base.fields, t.fields), request: base.request, answer: base.answer}
	if t.request != nil {
		n.request = t.request
	}
	if t.answer != nil {
		n.answer = t.answer
	}
	return n
}

// over puts fields in the place of those of the same name.
func over(base, fields []field) []field {
	all := slices.DeleteFunc(slices.Clone(base), func(f field) bool {
		return slices.ContainsFunc(fields, func(g field) bool { return f.name == g.name })
	})
	return append(all, fields...)
}

// step is how far apart things happen of which nobody says when.
const step = time.Millisecond

// Transcript makes the transcript that the dialogue tells of. Nothing of it is shared with others.
func (d *Dialogue) Transcript() (*Transcript, error) {
	t := &Transcript{Attempt: 1, Started: DefaultStart}
	for _, f := range d.fields {
		if err := t.set(f); err != nil {
			return nil, err
		}
	}
	var now time.Duration
	for _, turn := range d.turns {
		x, err := turn.exchange(now)
		if err != nil {
			return nil, fmt.Errorf("exchange %q: %w", turn.label, err)
		}
		if t.Exchange(x.Label) != nil {
			return nil, fmt.Errorf("exchange %q: there are two of that label", x.Label)
		}
		now = max(now, x.Sent+step, x.End+step)
		if x.Origin.Kind == FromLender {
			t.Lent = append(t.Lent, x)
			continue
		}
		t.Exchanges = append(t.Exchanges, x)
	}
	t.tie()
	return t, nil
}

func (t *turn) exchange(now time.Duration) (*Exchange, error) {
	if t.request == nil {
		return nil, fmt.Errorf("it has no request")
	}
	if t.answer == nil {
		return nil, fmt.Errorf(`it has no response and does not say what ended it, as ". timeout" would`)
	}
	x := &Exchange{Label: t.label, Request: *t.request, EndedBy: t.answer.endedBy, Sent: now}
	x.Request.Header = t.request.Header.Clone()
	if r := t.answer.response; r != nil {
		response := *r
		response.Header, response.Chunks = r.Header.Clone(), slices.Clone(r.Chunks)
		x.Response = &response
	}
	if e := t.answer.err; e != nil {
		failure := *e
		x.Error = &failure
	}
	for _, f := range t.fields {
		if err := x.set(f); err != nil {
			return nil, err
		}
	}
	if value(t.fields, "at") == "" {
		x.times(nil)
	}
	return x, nil
}

// times sets when the exchange was sent, when its head came and when it ended, as far as it is said.
func (x *Exchange) times(said []time.Duration) {
	if len(said) > 0 {
		x.Sent = said[0]
	}
	x.Head, x.End = 0, x.Sent+2*step
	if x.Response != nil {
		x.Head = x.Sent + step
		for _, c := range x.Response.Chunks {
			x.End = max(x.End, c.At)
		}
	}
	if len(said) > 1 {
		x.Head = said[1]
		x.End = max(x.End, x.Head+step)
	}
	if len(said) > 2 {
		x.End = said[2]
	}
}
