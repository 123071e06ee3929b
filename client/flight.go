package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

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
	excluded := false // a stream of another conversation was in the way
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
			if release, err = f.c.client.gate.enter(f.entry, f.c.script.Hurry); err != nil {
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
		crowded := f.opens() && x.Response != nil && f.entry.Err() == nil && f.tooMany(capped)
		leave()
		if f.isStale() && stale < 2 && f.entry.Err() == nil {
			stale++
			f.again(wire.Origin{Kind: wire.FromStale, Of: f.out.label, Number: stale})
			continue
		}
		if crowded {
			capped++
			f.again(wire.Origin{Kind: wire.FromBusy, Of: f.out.label, Number: busy.all() + capped})
			continue
		}
		again, lags := false, false
		if f.collides() && f.entry.Err() == nil {
			again, lags = listen.refused(f, collided)
		}
		if again {
			calm()
			listen.wait(f.entry, f.turn)
			_ = sleep(f.entry, collisionPause<<collided)
			collided++
			excluded = excluded || !lags
			f.again(wire.Origin{Kind: wire.FromBusy, Of: f.out.label, Number: busy.all() + capped + collided})
			continue
		}
		if excluded && x.Response != nil && !f.collides() {
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
		res, err = c.transport(&f.out).RoundTrip(req)
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
