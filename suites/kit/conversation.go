package kit

import (
	"cmp"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// C is the conversation a script talks through: the recording client's, plus what the inventory found out.
type C struct {
	*client.Conversation
	Era *Era
	// Revision is the one that the conversation asks for.
	Revision string
	Facts    *Facts
	// Calls are the tool calls that the user allowed with --call, by tool name.
	Calls []ToolCall
	// Restless conversations start each initialize but the first on a stream of its own: over HTTP+SSE a stream is a session.
	Restless bool
	// Quiet conversations open no GET stream: the server answers nothing while one is open.
	Quiet bool
	// Frail: a method that it does not know ends the server, so that none is sent but where that is the point.
	Frail bool
	// Again: the conversation was held before, and is held once more to confirm what it showed or to see what it did not.
	Again bool
	// Environment tells where the server stands.
	Environment Environment

	initialized bool
}

// Since tells that the conversation asks for this revision or a later one.
func (c *C) Since(first string) bool { return revision.Since(c.Revision, first) }

// Before tells that it asks for one that is older.
func (c *C) Before(first string) bool { return revision.Before(c.Revision, first) }

// A ToolCall is a call that the user asked for.
type ToolCall struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments,omitempty"`
}

// Environment is what is true of the whole run; it is part of the saved plan, so that a replay judges alike.
type Environment struct {
	// URL is the MCP endpoint. Loopback tells that it stands on this machine.
	URL      string `json:"url"`
	Loopback bool   `json:"loopback"`
}

// Open begins the conversation as a client of the era does; the options go to its first request. It returns the exchange that must be
// served before anything else is sent.
func (c *C) Open(options ...client.Option) *wire.Exchange { return c.Era.Open(c, options...) }

// Initialize is the recording client's. Where a stream is a session and the script wants several, each gets its own.
func (c *C) Initialize(label, revision string, options ...client.Option) *wire.Exchange {
	// Where it counts, initializes go one at a time; elsewhere several may be under way.
	if c.Restless {
		if c.initialized {
			c.OpenStream("stream", c.Client().Timeout())
		}
		c.initialized = true
	}
	return c.Conversation.Initialize(label, revision, options...)
}

// Beside sends what opens sessions side by side, or in turn where requests go one at a time, so that few are open, and where a stream is a
// session.
func (c *C) Beside(steps ...func()) {
	if c.Client().Concurrency() > 1 && !c.OldTransport() {
		c.Parallel(steps...)
		return
	}
	for _, step := range steps {
		step()
	}
}

// Unrelated takes steps none of which needs another, side by side. A conversation that is held again takes them in turn: a server that
// mixes up what comes at the same time is not to be accused of something else. Where answers take long there is no time for that, and a few go
// at a time.
func (c *C) Unrelated(steps ...func()) {
	switch {
	case !c.Again:
		c.Parallel(steps...)
	case c.Client().Latency() < longAnswers:
		c.Some(1, steps...)
	default:
		c.Some(fewAgain, steps...)
	}
}

const (
	// longAnswers is from which latency on steps are no longer taken in turn, and fewAgain how many go at a time then.
	longAnswers = 500 * time.Millisecond
	fewAgain    = 8
)

// Some takes steps that have nothing to do with one another, so many at a time.
func (c *C) Some(atATime int, steps ...func()) {
	next := make(chan func(), len(steps))
	for _, step := range steps {
		next <- step
	}
	close(next)
	lane := func() {
		for step := range next {
			step()
		}
	}
	c.Parallel(slices.Repeat([]func(){lane}, atATime)...)
}

// Safe sends the harmless request that the inventory saw served: ping, or else the first list.
func (c *C) Safe(label string, options ...client.Option) *wire.Exchange {
	return c.Call(label, c.Facts.Safe, options...)
}

// SafeControl is Safe before a probe: the control of it, which may be one that was served before (client.Conversation.Control). Its script
// sends another one after the probe, and its judge wants both.
func (c *C) SafeControl(label string) *wire.Exchange { return c.Control(label, c.Facts.Safe) }

// ListControl is List for the same purpose.
func (c *C) ListControl(label string) *wire.Exchange {
	return c.Control(label, cmp.Or(c.Facts.List, c.Facts.Safe))
}

// maxCalls is how many tools a run calls of its own accord to see what their calls send.
const maxCalls = 8

// ToolCalls are the calls that a polite run may make: those the user named, then tools that are declared read-only and require no
// argument.
func (c *C) ToolCalls() []ToolCall {
	calls := c.Calls
	for _, t := range c.Facts.Tools {
		if len(calls) < maxCalls && t.Callable() && !slices.ContainsFunc(calls, func(k ToolCall) bool { return k.Name == t.Name }) {
			calls = append(slices.Clip(calls), ToolCall{Name: t.Name, Arguments: struct{}{}})
		}
	}
	return calls
}

// SomeCalls are those the user named, and no more than so many others: a read-only tool may be dear to call, and one conversation that calls
// them all is enough.
func (c *C) SomeCalls(others int) []ToolCall {
	calls := c.ToolCalls()
	return calls[:min(len(calls), len(c.Calls)+others)]
}

// patience is how long a tool that nobody named may take, where answers do not take long anyway: we only wanted to see what its call sends.
const patience = time.Second

// CallTool calls a tool and asks for progress. A call that the user did not ask for is given up after a second.
func (c *C) CallTool(label string, call ToolCall, options ...client.Option) *wire.Exchange {
	if !slices.ContainsFunc(c.Calls, func(k ToolCall) bool { return k.Name == call.Name }) {
		options = append([]client.Option{client.GiveUp(max(patience, c.Client().Soon()))}, options...)
	}
	return c.Call(label, "tools/call", c.toolOptions(label, call, options)...)
}

// StreamTool is CallTool for a stream that the script wants to drop.
func (c *C) StreamTool(label string, call ToolCall, options ...client.Option) *client.Stream {
	return c.Stream(label, "tools/call", c.toolOptions(label, call, options)...)
}

func (c *C) toolOptions(label string, call ToolCall, options []client.Option) []client.Option {
	params := map[string]any{
		"name": call.Name, "arguments": call.Arguments, "_meta": map[string]any{"progressToken": "mcpcheck-" + label},
	}
	return append([]client.Option{client.WithParams(params)}, options...)
}

// List sends the first list request of a declared feature, or the safe request where nothing can be listed: some servers serve
// ping to anybody, so that ping shows nothing about sessions.
func (c *C) List(label string, options ...client.Option) *wire.Exchange {
	return c.Call(label, cmp.Or(c.Facts.List, c.Facts.Safe), options...)
}

// headPatience is how long a GET may take to send its head, where answers do not take long anyway; some servers send it with the first
// event, which may never come.
const headPatience = 3 * time.Second

// OldTransport tells that the conversation goes over HTTP+SSE, where GET opens another session.
func (c *C) OldTransport() bool { return c.Transport() == HTTPSSE }

// Listen opens the GET stream that a server of Streamable HTTP may send messages on; nil over HTTP+SSE, where the one stream is open
// already.
func (c *C) Listen(label string) *client.Stream {
	if c.OldTransport() || c.Quiet {
		return nil
	}
	return c.Get(label)
}

// Get opens a stream, or gives it up where no head comes for a while.
func (c *C) Get(label string, options ...client.Option) *client.Stream {
	return c.Conversation.Get(label, append([]client.Option{client.HeadWithin(max(headPatience, c.Client().Soon()))}, options...)...)
}

// quiet is how long a stream may stay silent before a script that drains it moves on.
const quiet = 300 * time.Millisecond

// Drain reads a stream until the server ends it or nothing has come for a while, and closes it.
func (c *C) Drain(s *client.Stream) {
	for seen := 0; ; seen++ {
		// Next starts from the first event each time.
		n := 0
		if _, more := s.Next(quiet, func(wire.Event) bool { n++; return n > seen }); !more {
			s.Close()
			return
		}
	}
}
