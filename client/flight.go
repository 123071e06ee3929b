package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A flight is one exchange under way. Its goroutine alone writes the exchange; others read it once head or done is closed.
type flight struct {
	c    *Conversation
	out  outgoing
	held bool    // a script holds it as a Stream
	turn *ticket // of a GET for a stream

	ctx    context.Context
	entry  context.Context // while this is alive the request may be sent
	cancel context.CancelCauseFunc
	head   chan struct{} // closed when the head is there, or there will be none
	done   chan struct{} // closed when nothing more is written
	begun  sync.Once

	mu     sync.Mutex
	x      *wire.Exchange
	tap    *tap
	phase  string
	stuck  bool          // the request was still being written when the deadline passed
	events []wire.Event  // of a held stream
	kept   int64         // what they take of the budget
	wake   chan struct{} // closed and replaced at each event
}

// launch sends a request from a goroutine of its own.
func (c *Conversation) launch(o outgoing, held bool) *flight {
	f := &flight{c: c, out: o, held: held, head: make(chan struct{}), done: make(chan struct{}), wake: make(chan struct{})}
	f.ctx, f.cancel, f.entry = c.lifetime(&o)
	f.x = &wire.Exchange{Broken: o.broken}
	c.name(f.x, o.label, o.origin)
	f.out.label = f.x.Label
	if !c.enlist(f) {
		f.x.Request = wire.Request{Method: o.httpMethod, URL: o.url, Body: wire.NewBody(o.body)}
		f.x.Error, f.x.EndedBy = &wire.NetError{Kind: wire.ErrCancelled, Message: "the conversation or the client has ended"}, wire.ByClient
		close(f.head)
		close(f.done)
		f.cancel(nil)
		return f
	}
	go f.run()
	return f
}

// initializeGrace is how long an initialize under way may go on when the run is interrupted: the session it opens can only be
// deleted once its id is known.
const initializeGrace = 500 * time.Millisecond

// lifetime returns the context of an exchange, and the one that must be alive when it begins.
func (c *Conversation) lifetime(o *outgoing) (ctx context.Context, cancel context.CancelCauseFunc, entry context.Context) {
	if !o.rpc || o.method != "initialize" {
		ctx, cancel = context.WithCancelCause(c.ctx)
		return ctx, cancel, ctx
	}
	ctx, end := context.WithCancelCause(context.WithoutCancel(c.ctx))
	stop := context.AfterFunc(c.ctx, func() {
		time.AfterFunc(initializeGrace, func() { end(errAbandoned) })
	})
	return ctx, func(cause error) { stop(); end(cause) }, c.ctx
}

// leaveHeadless ends an exchange whose head has not come.
func (f *flight) leaveHeadless() {
	select {
	case <-f.head:
	default:
		f.cancel(errClosed)
	}
}

func (f *flight) run() {
	defer f.c.flights.Done()
	defer f.c.client.flying.Done()
	defer f.cancel(nil)
	defer close(f.done)
	defer func() {
		if f.x.EndedBy == wire.ByTimeout {
			f.c.silent()
		}
	}()
	defer f.begun.Do(func() { close(f.head) })
	var waiter *waiter
	if f.out.httpMethod == http.MethodPost {
		if inbox := f.c.inboxFor(f.out.url); inbox != nil {
			f.x.AnsweredOn(inbox.x)
			if waiter = f.c.await(f.out.body); waiter != nil {
				defer f.c.unwait(waiter)
			}
		}
	}
	var patience []*time.Timer
	calm := func() {
		for _, t := range patience {
			t.Stop()
		}
		patience = nil
	}
	defer calm()
	stale, capped, collided, sent := 0, 0, 0, time.Now()
	var busy tries
	defer func() { f.c.client.watch.saw(f, sent) }()
	listen := &f.c.client.listen
	if f.listens() {
		f.turn = listen.enter(f.entry, f)
		defer listen.leave(f.turn)
	}
	for {
		release, leave := func() {}, func() {}
		if f.opens() {
			f.makeRoom()
			f.c.client.hold.wait(f.entry)
			leave = f.c.client.cap.enter(f.entry, f.c.client.ledger.count, f.c.holds())
		}
		// Nothing more is sent while it is being found out whether anybody still listens.
		f.c.client.watch.settle()
		if !f.out.urgent {
			var err error
			if release, err = f.c.client.gate.enter(f.entry); err != nil {
				leave()
				f.x.Sent = f.c.since()
				f.x.End = f.x.Sent
				_, f.x.Request, _ = f.out.request(f.ctx, f.c)
				f.x.Error, f.x.EndedBy = netError(err, context.Cause(f.entry), "dial")
				return
			}
		}
		if f.opens() && f.c.client.hold.lasts() && f.entry.Err() == nil {
			// It began while this one waited for a slot.
			release()
			leave()
			continue
		}
		// Waiting for a slot is not the server's fault.
		if f.out.patience > 0 && patience == nil {
			patience = append(patience, time.AfterFunc(f.out.patience, func() { f.cancel(errClosed) }))
		}
		if f.out.headWithin > 0 && patience == nil {
			patience = append(patience, time.AfterFunc(f.out.headWithin, f.leaveHeadless))
		}
		sent = time.Now()
		f.attempt(release, busy)
		release()
		x := f.x
		// Who is refused counts as under way until it is known why.
		again := f.opens() && x.Response != nil && f.entry.Err() == nil && f.tooMany(capped)
		leave()
		if f.isStale() && stale < 2 && f.entry.Err() == nil {
			stale++
			f.again(wire.Origin{Kind: wire.FromStale, Of: f.out.label, Number: stale})
			continue
		}
		if again {
			capped++
			f.again(wire.Origin{Kind: wire.FromBusy, Of: f.out.label, Number: busy.all() + capped})
			continue
		}
		if f.collides() && f.entry.Err() == nil && listen.refused(f, collided) {
			calm()
			listen.wait(f.entry, f.turn)
			_ = sleep(f.entry, collisionPause<<collided)
			collided++
			f.again(wire.Origin{Kind: wire.FromBusy, Of: f.out.label, Number: busy.all() + capped + collided})
			continue
		}
		if collided > 0 && x.Response != nil && !f.collides() {
			listen.served()
			f.c.client.watch.exclude()
		}
		if d, ok := retryAfter(x.Response, time.Now()); ok && !f.sessionsRefused() && f.c.client.gate.worth(&busy, sent) && f.entry.Err() == nil {
			f.c.client.gate.pause(d, x.Response.Header.Get("Retry-After") != "")
			f.again(wire.Origin{Kind: wire.FromBusy, Of: f.out.label, Number: busy.all() + capped + collided})
			continue
		}
		break
	}
	if waiter != nil && f.x.Status() >= 200 && f.x.Status() <= 299 {
		f.waitOnStream(waiter)
	}
}

// isStale tells that a kept connection turned out to be closed: the request was sent on it and not one byte came back. A browser
// would send it again, and so do we, on the record.
func (f *flight) isStale() bool {
	x := f.x
	if !x.Reused || x.Response != nil || x.Error == nil || f.tap == nil || f.tap.snapshot().seen > 0 {
		return false
	}
	return x.Error.Kind == wire.ErrClosed || x.Error.Kind == wire.ErrReset
}

// again files the exchange as a refused attempt and starts a new one.
func (f *flight) again(refused wire.Origin) {
	f.c.replace(f, refused, f.x.Again())
}

// attempt sends the request once and reads the answer.
func (f *flight) attempt(release func(), before tries) {
	c, x, limits := f.c, f.x, f.c.client.budget.limits(f.c.client.config.Limits)
	ctx, cancel := context.WithCancelCause(f.ctx)
	defer cancel(nil)
	t := &tap{method: f.out.httpMethod, headLimit: int(limits.Header), extraLimit: limits.Surplus}
	for _, line := range f.out.lines {
		t.lines = append(append(t.lines, line...), "\r\n"...)
	}
	f.mu.Lock()
	f.tap, f.phase = t, "dial"
	f.mu.Unlock()
	trace := &httptrace.ClientTrace{
		TLSHandshakeStart: func() { f.setPhase("tls") },
		GotConn: func(info httptrace.GotConnInfo) {
			if conn, ok := info.Conn.(*tapConn); ok {
				conn.bind(t)
				f.mu.Lock()
				x.Conn, x.Reused = conn.number, info.Reused
				f.mu.Unlock()
			}
			f.setPhase("write")
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil {
				f.setPhase("head")
			}
		},
	}
	req, recorded, err := f.out.request(httptrace.WithClientTrace(ctx, trace), c)
	x.Request = recorded
	if f.out.httpMethod == http.MethodDelete {
		defer c.client.ledger.leave(f.session())()
	}
	x.Sent = c.since()
	timer := time.AfterFunc(f.out.timeout, func() {
		f.mu.Lock()
		f.stuck = t.writing.Load()
		f.mu.Unlock()
		cancel(errHeadTimeout)
	})
	defer timer.Stop()
	var res *http.Response
	var answered func()
	tells := false // how long it took says something of the pace
	if err == nil {
		c.client.requests.Add(1)
		over := c.client.still.sent(f, req.Header)
		answered = c.client.pending.begin(cmp.Or(f.out.method, f.out.httpMethod))
		defer answered()
		res, err = c.client.transport(f.out.http2 || c.script.HTTP2).RoundTrip(req)
		tells = over(err == nil)
	}
	if err != nil {
		x.End = c.since()
		f.fail(err, context.Cause(ctx), f.getPhase())
		seen := t.snapshot()
		if stray := seen.final; stray != nil {
			x.Unparsed = c.client.redact.Head(stray)
		} else if len(seen.stray) > 0 {
			x.Unparsed = c.client.redact.All(c.client.redact.Head(seen.stray))
		}
		return
	}
	timer.Stop()
	defer res.Body.Close()
	// net/http does not end the body of every answer with the context: that of 101 is a connection of its own.
	defer context.AfterFunc(ctx, func() { res.Body.Close() })()
	x.Head = c.since()
	if size := headSize(res.Header); size > limits.Header {
		// The transport knows only the limit of a single answer.
		over := fmt.Errorf("%w: the head has more than %d bytes, in a run with many such heads", errLimit, limits.Header)
		for _, id := range res.Header.Values("Mcp-Session-Id") {
			if len(id) < spareHead {
				c.client.ledger.see(id, f.out.url, "")
			}
		}
		x.End = x.Head
		cancel(over)
		f.fail(over, over, "head")
		c.client.watch.cut(c.client.budget.cut(), limits.Header)
		return
	}
	f.takeHead(res, t)
	if f.out.httpMethod == http.MethodDelete && settled(x.Status()) {
		c.client.ended(f.session())
	}
	f.c.client.gate.answered(x.Status(), c.started.Add(x.Sent), before, f.opens())
	if tells {
		f.c.client.gate.took(x.Head-x.Sent, x.Status()/100 == 2 && x.Broken == "" && (harmless(f.out.method) || f.opens()))
	}
	if f.out.httpMethod == http.MethodGet && x.IsSSE() && x.Status()/100 == 2 && f.c.script.Transport != "http-sse" {
		defer f.c.client.watch.closed()
		defer f.c.client.still.opened(f)()
		if f.turn != nil {
			f.c.client.listen.opened(f.turn)
		}
	}
	if _, busy := retryAfter(x.Response, time.Now()); !busy && !f.collides() {
		// One that collided may be sent again.
		f.begun.Do(func() { close(f.head) })
		if f.held {
			release()
			answered()
		}
	}
	f.read(ctx, cancel, res)
}

func (f *flight) setPhase(p string) {
	f.mu.Lock()
	f.phase = p
	f.mu.Unlock()
}

func (f *flight) getPhase() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.phase == "head" && f.stuck {
		return "write"
	}
	return f.phase
}

// fail records why the exchange ended early.
func (f *flight) fail(err, cause error, phase string) {
	f.x.Error, f.x.EndedBy = netError(err, cause, phase)
	if f.x.Error != nil {
		f.x.Error.Message = f.c.client.redact.Text(f.x.Error.Message)
	}
}

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
