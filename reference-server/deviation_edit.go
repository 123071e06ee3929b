package refserver

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A deviator puts a Deviation into effect. Each method does nothing at all in a nil deviator, which is what a conforming
// server has.
type deviator struct {
	Deviation
	counts  []atomic.Int64 // how often each edit could have worked
	worker1 chan struct{}

	mu     sync.Mutex
	former map[*session][]outgoing // switchForeign: the last response of each session
	recent []time.Time             // switchRateLimit

	usedCursors sync.Map // generate cursor: those that are good for one use
}

func newDeviator(d *Deviation) (*deviator, error) {
	if d == nil {
		return nil, nil
	}
	if err := d.validate(); err != nil {
		return nil, err
	}
	return &deviator{
		Deviation: *d,
		counts:    make([]atomic.Int64, len(d.Edits)),
		worker1:   make(chan struct{}, 1),
		former:    map[*session][]outgoing{},
	}, nil
}

// holds tells whether a condition is met; a nil one always is.
func (c *Condition) holds(sc scene) bool {
	if c == nil {
		return true
	}
	if c.HTTP != "" && c.HTTP != sc.http || len(c.RPC) > 0 && !slices.Contains(c.RPC, sc.rpc) {
		return false
	}
	if c.Ready != nil && *c.Ready != sc.ready || c.Batch != "" && c.Batch != sc.batch {
		return false
	}
	for name, want := range c.Header {
		got := strings.Join(sc.header.Values(name), ", ")
		if want == "*" && got == "" || want != "*" && want != got {
			return false
		}
	}
	if len(c.Request) == 0 {
		return true
	}
	request, err := decodeAny(sc.request)
	if err != nil {
		return false
	}
	for pointer, want := range c.Request {
		got, ok := parsePath(pointer).get(request)
		switch {
		case want == nil && ok, want != nil && !ok:
			return false
		case want != nil && want != "*" && !bytes.Equal(encode(got), encode(want)):
			return false
		}
	}
	return true
}

func (v *deviator) applies(sc scene) bool {
	return (len(v.Revisions) == 0 || slices.Contains(v.Revisions, sc.revision)) && v.When.holds(sc) &&
		(v.Unless == nil || !v.Unless.holds(sc))
}

// matching returns the edits that work here and now.
func (v *deviator) matching(sc scene, selected func(on string) bool) []Edit {
	if v == nil || !v.applies(sc) {
		return nil
	}
	var edits []Edit
	for i, e := range v.Edits {
		ok := selected(e.On) && (len(e.Revisions) == 0 || slices.Contains(e.Revisions, sc.revision)) && e.When.holds(sc) &&
			(e.Unless == nil || !e.Unless.holds(sc))
		if !ok {
			continue
		}
		n := v.counts[i].Add(1)
		if e.Nth > 0 && n != int64(e.Nth) || e.Every > 0 && n%int64(e.Every) != 0 {
			continue
		}
		edits = append(edits, e)
	}
	return edits
}

func (out outgoing) selectedBy(on string) bool {
	kind, method, _ := strings.Cut(on, " ")
	group := out.kind
	if kind == "any" {
		kind, method = method, out.method
	}
	response := out.kind == outResult || out.kind == outError
	return method == out.method && (kind == group || kind == "response" && response || kind == "message")
}

// frames turns a message into what is sent for it: usually one frame, fewer or more by an edit.
func (v *deviator) frames(sc scene, out outgoing) []frame {
	data := encode(out.body)
	edits := v.matching(sc, out.selectedBy)
	f := frame{kind: frameMessage, data: data, edits: edits}
	if len(edits) == 0 {
		return []frame{f}
	}
	var before, after []frame
	keep := true
	for _, e := range edits {
		f.data = e.message(f.data)
		d, _ := e.delay() // was validated
		f.delay += d
		f.close = f.close || e.Close
		keep = keep && !e.Drop
		before = append(before, extra(e.Before, f.data)...)
		after = append(after, extra(e.After, f.data)...)
	}
	if keep {
		before = append(before, f)
	}
	return append(before, after...)
}

func extra(messages []any, same []byte) []frame {
	var frames []frame
	for _, m := range messages {
		data := same
		if m != "same" {
			data = encode(m)
		}
		frames = append(frames, frame{kind: frameMessage, data: data})
	}
	return frames
}

// message applies the part of the edit that concerns a message.
func (e Edit) message(data []byte) []byte {
	if e.Remove != "" || e.Set != nil {
		if doc, err := decodeAny(data); err == nil {
			data = encode(e.document(doc))
		}
	}
	if e.Raw != nil {
		data = []byte(*e.Raw)
	}
	for _, s := range e.Splice {
		replacement, _ := s.bytes() // was validated
		data = bytes.Replace(data, []byte(s.Find), replacement, 1)
	}
	return data
}

func (e Edit) document(doc any) any {
	var value any
	ok := true
	switch {
	case e.From != nil:
		value, ok = parsePath(*e.From).get(doc)
	case e.Text != nil:
		value, ok = parsePath(*e.Text).get(doc)
		value = fmt.Sprint(value)
	case e.Value != nil:
		value, _ = decodeAny(e.Value) // is JSON
	}
	if e.Remove != "" {
		doc = parsePath(e.Remove).remove(doc)
	}
	if e.Set != nil && ok {
		doc = parsePath(*e.Set).set(doc, value)
	}
	return doc
}

func (e Edit) delay() (time.Duration, error) {
	if e.Delay == "" {
		return 0, nil
	}
	return time.ParseDuration(e.Delay)
}

func (s Splice) bytes() ([]byte, error) { return base64.StdEncoding.DecodeString(s.Base64) }

// frame applies the edits that select by event; false drops it.
func (v *deviator) frame(sc scene, f frame) (frame, bool) {
	for _, e := range v.matching(sc, func(on string) bool { return on == "event "+f.kind || on == "any event" }) {
		f.edits = append(f.edits[:len(f.edits):len(f.edits)], e)
		if e.Drop {
			return f, false
		}
		d, _ := e.delay()
		f.delay += d
		f.close = f.close || e.Close
	}
	return f, true
}

// format writes an event, with the edits of its frame.
func (v *deviator) format(e eventFields, f frame) []byte {
	edits := slices.DeleteFunc(slices.Clone(f.edits), func(e Edit) bool { return e.Event == nil })
	if len(edits) == 0 {
		return e.format()
	}
	var b []byte
	for _, edit := range edits {
		b = edit.Event.apply(&e)
	}
	return b
}

func (edit *EventEdit) apply(e *eventFields) []byte {
	replace(&e.name, edit.Type)
	replace(&e.id, edit.ID)
	replace(&e.retry, edit.Retry)
	if edit.Data != nil {
		e.data = []byte(*edit.Data)
	}
	if edit.Break != nil {
		e.data = bytes.Replace(e.data, []byte(","), []byte(","+*edit.Break), 1)
	}
	if edit.Raw != nil {
		return []byte(*edit.Raw)
	}
	text := strings.TrimSuffix(string(e.format()), "\n\n")
	head, _, _ := strings.Cut(text, "data: ")
	lines := slices.Clone(edit.Before)
	if edit.NoData {
		lines = append(lines, strings.TrimSuffix(head, "\n"))
	} else {
		lines = append(lines, text)
	}
	lines = append(lines, edit.After...)
	end, terminator := "\n", "\n"
	replace(&end, edit.LineEnd)
	if edit.LineEnd != nil {
		terminator = end
	}
	replace(&terminator, edit.Terminator)
	return []byte(strings.ReplaceAll(strings.Join(lines, "\n")+"\n", "\n", end) + terminator)
}

func replace(field *string, by *string) {
	if by != nil {
		*field = *by
	}
}

// streamOutcomes are those of answers that are streams.
var streamOutcomes = []string{"served-sse", "get-stream", "resumed-stream", "sse-open"}

// answer applies the edits of the HTTP answer; false means that there will be none.
func (v *deviator) answer(x *exchange, a *answer) bool {
	if v == nil {
		return true
	}
	edits := v.matching(x.scene(), func(on string) bool { return on == a.outcome || on == "any answer" })
	for _, e := range edits {
		if a.body != nil {
			a.body = e.message(a.body)
		}
		if e.Drop {
			panic(http.ErrAbortHandler) // net/http breaks the connection
		}
		if d, _ := e.delay(); d > 0 && !x.wait(d) {
			return false
		}
		if slices.Contains(streamOutcomes, a.outcome) {
			e.Prefix, e.Suffix = "", "" // these go into the stream: see opening and ending
		}
		e.http(a)
	}
	for _, e := range a.edits {
		e.http(a)
	}
	return v.sendHalf(x, a)
}

// wait is false where the client or the server goes first.
func (x *exchange) wait(d time.Duration) bool {
	ctx, cancel := context.WithCancel(x.r.Context())
	defer cancel()
	defer context.AfterFunc(x.s.ctx, cancel)()
	return sleep(ctx.Done(), d)
}

// http applies the part of the edit that concerns the answer.
func (e Edit) http(a *answer) {
	if e.Status != 0 {
		a.status = e.Status
	}
	for name, value := range e.Header {
		key := http.CanonicalHeaderKey(name)
		if value == nil {
			a.header[key] = nil // a nil entry also keeps net/http from guessing a media type
			continue
		}
		a.header[key] = []string{*value}
	}
	for name, value := range e.AddHeader {
		a.header.Add(name, value)
	}
	if e.Body != nil {
		a.body = []byte(*e.Body)
	}
	if e.Prefix+e.Suffix != "" {
		a.body = slices.Concat([]byte(e.Prefix), a.body, []byte(e.Suffix))
	}
}

// opening and ending are raw bytes at the ends of a stream.
func (v *deviator) opening(x *exchange, outcome string) (raw string) {
	v.eachAffix(x, outcome, func(e Edit) { raw += e.Prefix })
	return raw
}

func (v *deviator) ending(x *exchange, outcome string) (raw string) {
	v.eachAffix(x, outcome, func(e Edit) { raw += e.Suffix })
	return raw
}

func (v *deviator) eachAffix(x *exchange, outcome string, f func(Edit)) {
	if v == nil {
		return
	}
	sc := x.scene()
	if !v.applies(sc) {
		return
	}
	for _, e := range v.Edits {
		if e.On == outcome && (len(e.Revisions) == 0 || slices.Contains(e.Revisions, sc.revision)) && e.When.holds(sc) &&
			(e.Unless == nil || !e.Unless.holds(sc)) {
			f(e)
		}
	}
}
