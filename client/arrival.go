package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/mcpcheck/mcpcheck/wire"
)

// How an answer is read while it comes: its head, its bytes as they arrive, the events of its stream.

// takeHead records the response head and the session ids in it.
func (f *flight) takeHead(res *http.Response, t *tap) {
	c, x := f.c, f.x
	seen := t.snapshot()
	r := &wire.Response{Proto: res.Proto, Status: res.StatusCode, Header: c.client.redact.Response(res.Header)}
	r.RawHead = c.client.redact.Head(seen.final)
	size := len(r.RawHead)
	for _, head := range seen.interim {
		r.Interim = append(r.Interim, c.client.redact.Head(head))
		size += len(head)
	}
	c.client.budget.head(size)
	shareHead(r)
	x.Response = r
	for i, id := range res.Header.Values("Mcp-Session-Id") {
		if kept := r.Header.Values("Mcp-Session-Id")[i]; kept == id {
			id = kept
		}
		c.client.ledger.see(id, f.out.url, "")
		if f.out.rpc && f.out.method == "initialize" {
			c.opened(id)
		}
	}
}

// headSize is about how many bytes a head has.
func headSize(h http.Header) (n int64) {
	for name, values := range h {
		for _, v := range values {
			n += int64(len(name) + len(v))
		}
	}
	return n
}

// shareHead lets the long fields of a head share the bytes of the raw head: a run may keep thousands of them.
func shareHead(r *wire.Response) {
	if len(r.RawHead) < spareHead {
		return
	}
	// Recorded bytes are never changed.
	raw := unsafe.String(unsafe.SliceData(r.RawHead), len(r.RawHead))
	for _, values := range r.Header {
		for i, v := range values {
			if at := strings.Index(raw, v); len(v) > spareHead/16 && at >= 0 {
				values[i] = raw[at : at+len(v)]
			}
		}
	}
}

// read reads the body until the server, the script, a limit or the clock ends it.
func (f *flight) read(ctx context.Context, cancel context.CancelCauseFunc, res *http.Response) {
	c, x := f.c, f.x
	budget := &c.client.budget
	limits := budget.limits(c.client.config.Limits)
	sse := x.IsSSE()
	decode := sse && x.Response.Header.Get("Content-Encoding") == ""
	limit := limits.Body
	if sse {
		limit = limits.Stream
	}

	ok := x.Status() >= 200 && x.Status() <= 299
	endless := f.held && sse && ok && (f.out.httpMethod == http.MethodGet || f.out.keepOpen)
	var deadline *time.Timer
	if !endless {
		deadline = time.AfterFunc(f.out.timeout, func() { cancel(errBodyTimeout) })
		defer deadline.Stop()
	}
	waiting := wire.RequestIDs(wire.ReadMessage(f.out.body))
	var linger *time.Timer
	startLinger := func() {
		if f.out.keepOpen || endless || linger != nil {
			return
		}
		deadline.Stop()
		linger = time.AfterFunc(f.out.linger, func() { cancel(errLinger) })
	}
	defer func() {
		if linger != nil {
			linger.Stop()
		}
	}()
	if sse && len(waiting) == 0 {
		startLinger()
	}

	body := wire.NewBodyWriter(&c.client.scratch)
	masker := c.client.redact.Masker()
	decoder := wire.Decoder{MaxEvent: limits.Event}
	events := 0
	large := false // an event is being read that is
	leave := func() {
		if large {
			large = false
			budget.leave()
		}
	}
	defer leave()
	keep := func(p []byte, at time.Duration) error {
		if len(p) == 0 {
			return nil
		}
		if room := limit - body.Size(); int64(len(p)) > room {
			p = p[:room]
		}
		if _, err := body.Write(p); err != nil {
			return fmt.Errorf("%w: %v", errLimit, err)
		}
		x.Response.Chunks = addChunk(x.Response.Chunks, wire.Chunk{End: body.Size(), At: at})
		switch total := c.client.bodies.Add(int64(len(p))); {
		case body.Size() >= limit:
			return fmt.Errorf("%w: the body has more than %d bytes", errLimit, limit-1)
		case total > limits.Total:
			return fmt.Errorf("%w: all bodies together have more than %d bytes", errLimit, limits.Total)
		case !decode:
			return nil
		}
		list, err := decoder.Feed(p, at)
		for _, e := range list {
			if events++; events > limits.Events {
				return fmt.Errorf("%w: more than %d events", errLimit, limits.Events)
			}
			if !budget.event(events) {
				return fmt.Errorf("%w: more than %d events, in a run with very many", errLimit, freeMessages)
			}
			answered, err := f.event(e, &waiting)
			if err != nil {
				return err
			}
			if answered {
				startLinger()
			}
		}
		switch open := decoder.Open(); {
		case err != nil:
			return fmt.Errorf("%w: an event has more than %d bytes", errLimit, limits.Event)
		case open < largeEvent:
			leave()
		case !large:
			if err := budget.enter(ctx, f.out.timeout); err != nil {
				return err
			}
			large = true
		}
		return nil
	}

	buffer := make([]byte, 32<<10)
	for {
		n, err := res.Body.Read(buffer)
		at := c.since()
		over := keep(masker.Next(buffer[:n]), at)
		if err != nil && over == nil {
			over = keep(masker.Rest(), at)
		}
		if over != nil {
			cancel(over)
			err = over
		}
		if err != nil {
			x.End = c.since()
			if errors.Is(over, errLimit) {
				body.Cut(keptOfCut)
				x.Response.Chunks = cutChunks(x.Response.Chunks, body.Size())
			}
			x.Response.Body = body.Body()
			if over == nil && x.Response.Header.Get("Content-Encoding") != "" && x.Unpacked(limit) > limit {
				over = fmt.Errorf("%w: the body unpacks to more than %d bytes", errLimit, limit)
				cancel(over)
				err = over
			}
			// A server that notices that we close ends its body in turn, and we may still read that.
			if cause := context.Cause(ctx); errors.Is(over, errLimit) {
				f.fail(over, over, "body")
			} else if err == io.EOF && !errors.Is(cause, errClosed) && !errors.Is(cause, errLinger) && !errors.Is(cause, errMadeWay) {
				x.EndedBy = wire.ByServer
			} else {
				f.fail(err, context.Cause(ctx), "body")
			}
			excess := x.Excess()
			if excess == "" && !sse && !budget.batch(len(x.Messages())) {
				excess = fmt.Sprintf("more than %d messages, in a run with very many", freeMessages)
			}
			if excess != "" {
				over = fmt.Errorf("%w: %s", errLimit, excess)
				x.Response.Body = x.Response.Body.Beginning()
				x.Response.Chunks = cutChunks(x.Response.Chunks, x.Response.Body.Size())
				f.fail(over, over, "body")
			}
			if errors.Is(over, errLimit) {
				c.client.watch.cut(budget.cut(), limit)
			}
			return
		}
	}
}

func addChunk(chunks []wire.Chunk, c wire.Chunk) []wire.Chunk {
	if len(chunks) >= maxChunks {
		chunks[len(chunks)-1] = c
		return chunks
	}
	return append(chunks, c)
}

// cutChunks leaves out what arrived beyond so many bytes.
func cutChunks(chunks []wire.Chunk, size int64) []wire.Chunk {
	for i, c := range chunks {
		if c.End >= size {
			return append(slices.Clone(chunks[:i]), wire.Chunk{End: size, At: c.At})
		}
	}
	return chunks
}

// event takes one event of the stream; it is true when all that the request waits for has arrived. An error says that there is no room
// for it.
func (f *flight) event(e wire.Event, waiting *[]json.RawMessage) (answered bool, err error) {
	if f.held {
		cost := eventCost(e)
		if !f.c.client.budget.hold(cost) {
			return false, fmt.Errorf("%w: the streams that are open have more than %d MiB of events", errLimit, heldEvents>>20)
		}
		f.mu.Lock()
		f.kept += cost
		f.events = append(f.events, e)
		close(f.wake)
		f.wake = make(chan struct{})
		f.mu.Unlock()
	}
	if !e.Dispatched || e.Type != "message" || strings.TrimSpace(e.Data) == "" {
		return false, nil
	}
	had := len(*waiting) > 0
	for _, m := range wire.Locate(nil, e.Message(), 0, e.At) {
		switch m.Kind {
		case wire.KindRequest:
			f.c.asked(f, m.Message)
		case wire.KindResult, wire.KindError:
			for i, id := range *waiting {
				if wire.SameID(id, m.ID) {
					*waiting = append((*waiting)[:i:i], (*waiting)[i+1:]...)
					break
				}
			}
			f.c.answered(f, m)
		}
	}
	return had && len(*waiting) == 0, nil
}

// forget lets go of the events that were kept for the script.
func (f *flight) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.c.client.budget.release(f.kept)
	f.events, f.kept = nil, 0
}
