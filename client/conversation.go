package client

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A Script says what a conversation is for.
type Script struct {
	// Name is recorded and sent in the User-Agent.
	Name string
	// Revision is recorded, and asked for in initialize.
	Revision string
	// Dialect is how requests are sent; there is no default.
	Dialect Dialect
	// Transport is "streamable-http" (also where empty) or "http-sse".
	Transport string
	// Attempt counts from 1 (also where 0).
	Attempt int
	// Shared is a session opened by another conversation; Finish leaves it alone.
	Shared *Session
	// KeepSession leaves the session that Open opens to others: Finish does not delete it, CleanUp or EndSession does.
	KeepSession bool
	// Borrowed is a session that another conversation gave back (Client.Borrow). It is this one's now: Finish deletes it.
	Borrowed *Session
	// Lends gives the session back at the end, where the conversation leaves it as it found it: Finish does not delete it then.
	Lends bool
	// ForAll: what it shows counts for all revisions of its era. Only such conversations share sessions with it.
	ForAll bool
	// Controls are where requests like any client's are remembered that were served, where sessions do not tell them apart; else they belong
	// to the session.
	Controls *Controls
	// Hurry: its requests wait for a slot before those of others, since the run ends with it.
	Hurry bool
	// Passing: the sessions that it opens beside that of Open are of no use to it, and end as soon as it opens another one.
	Passing bool
	// HTTP2 sends everything over the untapped transport.
	HTTP2 bool
}

// A Conversation records what a script does. Its methods may be called from several goroutines until Finish.
type Conversation struct {
	client *Client
	script Script

	ctx     context.Context
	cancel  context.CancelCauseFunc
	outer   context.Context
	phase   context.Context // of the client
	stop    func() bool     // no longer end with the client
	started time.Time       // carries the monotonic clock
	flights sync.WaitGroup

	mu        sync.Mutex
	session   *Session
	record    []*wire.Exchange
	lent      []*wire.Exchange
	all       []*flight
	taps      map[*wire.Exchange]*tap
	labels    map[string]int
	defaults  []Option
	onRequest func(wire.Message) (any, bool)
	// ignorePings leaves pings of the server unanswered.
	ignorePings bool
	own         []string // session ids that our initialize requests brought
	left        []string // those of them that makeRoom has ended, or tried to
	windows     []wire.Window
	answers     int
	silences    int // exchanges that ended by time-out
	ending      bool
	frozen      *wire.Transcript
	aborted     string

	lines    map[string]*http.Transport // of connections with names
	inbox    *flight                    // HTTP+SSE: the stream that carries the answers
	endpoint string                     // HTTP+SSE: where to POST
	waiters  []*waiter
}

// Start begins a conversation. It ends early when ctx or the client does. A script without a dialect is a mistake in our source.
func (c *Client) Start(ctx context.Context, s Script) *Conversation {
	if s.Transport == "" {
		s.Transport = "streamable-http"
	}
	if s.Dialect == nil {
		panic("client: the script " + s.Name + " has no dialect")
	}
	if s.Attempt == 0 {
		s.Attempt = 1
	}
	v := &Conversation{client: c, script: s, outer: ctx, started: time.Now(),
		session: s.Shared, labels: map[string]int{}, taps: map[*wire.Exchange]*tap{}}
	if s.Borrowed != nil {
		v.session = s.Borrowed
		if id := s.Borrowed.ID(); id != "" {
			v.opened(id)
		}
	}
	if v.session == nil {
		v.session = &Session{}
	}
	v.ctx, v.cancel = context.WithCancelCause(ctx)
	c.mu.Lock()
	v.phase = c.phase
	c.mu.Unlock()
	v.stop = context.AfterFunc(v.phase, func() { v.cancel(context.Cause(v.phase)) })
	return v
}

// Context is done when the run is interrupted or the conversation has ended.
func (c *Conversation) Context() context.Context { return c.ctx }

// Attempt counts the recordings of the script, from 1.
func (c *Conversation) Attempt() int { return c.script.Attempt }

// Client returns the client of the conversation.
func (c *Conversation) Client() *Client { return c.client }

func (c *Conversation) since() time.Duration { return time.Since(c.started) }

// Now is the offset from the transcript's start.
func (c *Conversation) Now() time.Duration { return c.since() }

// Session is the session that requests belong to; never nil, but not opened where nothing opened it.
func (c *Conversation) Session() *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// Adopt makes the conversation continue in another session. It does not become its own: Finish does not delete it.
func (c *Conversation) Adopt(s *Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = s
}

// Use applies options to every request from here on, before the request's own.
func (c *Conversation) Use(opts ...Option) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.defaults = append(c.defaults, opts...)
}

// OnRequest sets what is done with requests of the server other than ping: the hook returns the result (or an *RPCError), and false
// where it does not handle the request, which is then answered with -32601. A nil result that is handled sends nothing: the script
// answers itself, with Respond. The hook runs on a goroutine of its own.
func (c *Conversation) OnRequest(hook func(wire.Message) (result any, handled bool)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onRequest = hook
}

// IgnorePings leaves pings of the server unanswered from here on, or answers them again: for scripts that want to see a time-out.
func (c *Conversation) IgnorePings(ignore bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ignorePings = ignore
}

// Abort notes why the script ended early; the transcript says so.
func (c *Conversation) Abort(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.aborted = wire.Text(why)
}

// name gives an exchange a label that is unique in the conversation, "ping", "ping#2", and its origin.
func (c *Conversation) name(x *wire.Exchange, label string, origin wire.Origin) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rename(x, label, origin)
}

func (c *Conversation) rename(x *wire.Exchange, label string, origin wire.Origin) {
	if origin.Kind == "" {
		origin.Kind = wire.FromScript
	}
	x.Label, x.Origin = label, origin
	for {
		c.labels[label]++
		n := c.labels[label]
		if n == 1 {
			return
		}
		x.Label, x.Origin.Repeat = label+wire.RepeatSuffix(n), n
		if c.labels[x.Label] == 0 {
			c.labels[x.Label] = 1
			return
		}
	}
}

// maxSilences is after how many unanswered requests a conversation is given up: a server that hangs costs a few time-outs, not one
// for each request of each script.
const maxSilences = 2

// GaveUp is why a conversation ended that was given up: what it holds is true all the same.
const GaveUp = "two requests of this conversation got no answer"

// silent counts a request that was not answered in time.
func (c *Conversation) silent() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silences++
}

// abort says why the conversation is not what its script wanted; what it holds is true all the same.
func (c *Conversation) abort(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.aborted == "" {
		c.aborted = why
	}
}

// enlist files an exchange in the order of sending; false after Finish.
func (c *Conversation) enlist(f *flight) bool {
	hanging := c.client.watch.hanging()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.silences >= maxSilences && !f.x.Origin.Automatic() {
		// That the run ends as well takes nothing from what it has shown.
		c.aborted = GaveUp
		return false
	}
	if hanging != nil {
		c.aborted = hanging.Error()
		return false
	}
	if c.ending && !f.out.urgent || c.frozen != nil || !c.client.begin() {
		return false
	}
	c.record = append(c.record, f.x)
	c.all = append(c.all, f)
	c.flights.Add(1)
	return true
}

// replace files the exchange of a refused attempt under its own origin and makes x the one of the flight.
func (c *Conversation) replace(f *flight, origin wire.Origin, x *wire.Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	c.rename(f.x, origin.Label(), origin)
	c.taps[f.x] = f.tap
	f.x = x
	c.record = append(c.record, x)
}

// opened remembers a session that an initialize request of ours brought.
func (c *Conversation) opened(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, known := range c.own {
		if known == id {
			return
		}
	}
	if c.own = append(c.own, id); len(c.own) == 1 && !c.script.KeepSession {
		c.client.cap.holder(1)
	}
}

// holds tells that the conversation has opened a session.
func (c *Conversation) holds() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.own) > 0
}

// prepare applies the defaults and options to a request.
func (c *Conversation) prepare(o outgoing, opts []Option) outgoing {
	o.url, o.dialect = c.client.target.String(), c.script.Dialect
	c.mu.Lock()
	if o.httpMethod == http.MethodPost && c.endpoint != "" {
		o.url = c.endpoint
	}
	defaults := c.defaults
	c.mu.Unlock()
	o.timeout, o.linger = c.client.config.Timeout, c.client.config.Window
	for _, list := range [][]Option{defaults, opts} {
		for _, option := range list {
			if option != nil {
				option(&o)
			}
		}
	}
	if o.httpMethod == http.MethodDelete {
		o.timeout = c.client.deleteTimeout(o.timeout)
	}
	o.compose(c)
	return o
}

func (c *Conversation) send(o outgoing, opts []Option) *wire.Exchange {
	f := c.launch(c.prepare(o, opts), false)
	<-f.done
	return f.exchange()
}

func (f *flight) exchange() *wire.Exchange {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.x
}

// Call sends a request with a fresh integer id and waits for its answer.
func (c *Conversation) Call(label, method string, opts ...Option) *wire.Exchange {
	return c.send(c.call(label, method), opts)
}

func (c *Conversation) call(label, method string) outgoing {
	id := json.RawMessage(strconv.FormatInt(c.client.NextID(), 10))
	return outgoing{label: label, httpMethod: http.MethodPost, rpc: true, method: method, id: id}
}

// Notify sends a notification.
func (c *Conversation) Notify(label, method string, opts ...Option) *wire.Exchange {
	return c.send(outgoing{label: label, httpMethod: http.MethodPost, rpc: true, method: method}, opts)
}

// Post sends these bytes.
func (c *Conversation) Post(label string, body []byte, opts ...Option) *wire.Exchange {
	return c.Do(label, http.MethodPost, body, opts...)
}

// Delete asks the server to end the conversation's session (or the one that WithSession names).
func (c *Conversation) Delete(label string, opts ...Option) *wire.Exchange {
	return c.Do(label, http.MethodDelete, nil, opts...)
}

// Do sends any HTTP request.
func (c *Conversation) Do(label, httpMethod string, body []byte, opts ...Option) *wire.Exchange {
	return c.send(outgoing{label: label, httpMethod: httpMethod, body: body}, opts)
}

// Get opens an event stream and returns as soon as its head is there or the request has failed.
func (c *Conversation) Get(label string, opts ...Option) *Stream {
	return c.hold(outgoing{label: label, httpMethod: http.MethodGet}, opts)
}

// Stream sends a request like Call and returns after the head of the answer.
func (c *Conversation) Stream(label, method string, opts ...Option) *Stream {
	return c.hold(c.call(label, method), opts)
}

func (c *Conversation) hold(o outgoing, opts []Option) *Stream {
	f := c.launch(c.prepare(o, opts), true)
	<-f.head
	return &Stream{f: f}
}

// Parallel runs functions concurrently and waits for all; a panic in one is raised again here.
func (c *Conversation) Parallel(fns ...func()) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var caught any
	for _, fn := range fns {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					mu.Lock()
					caught = r
					mu.Unlock()
				}
			}()
			fn()
		})
	}
	wg.Wait()
	if caught != nil {
		panic(caught)
	}
}

// Sleep waits, or until the run is interrupted.
func (c *Conversation) Sleep(d time.Duration) { _ = sleep(c.ctx, d) }
