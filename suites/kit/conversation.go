package kit

import (
	"time"

	"github.com/mcpcheck/mcpcheck/client"
)

// C is the conversation a script talks through: the recording client's, plus what the inventory found out.
type C struct {
	*client.Conversation
	// Revision is the one that the conversation asks for.
	Revision string
	Facts    *Facts
	// Calls are the tool calls that the user allowed with --call, by tool name.
	Calls []ToolCall
	// Environment tells where the server stands.
	Environment Environment
}

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

// Open performs the handshake of a client: initialize, and once that was answered with a result, notifications/initialized. The
// options go to initialize. It returns the initialize exchange, labelled "initialize".
func (c *C) Open(options ...client.Option) *client.Exchange {
	x := c.Initialize("initialize", c.Revision, options...)
	if x.Served() {
		c.Notify("initialized", "notifications/initialized")
	}
	return x
}

// Safe sends the harmless request that the inventory saw served: ping, or else the first list.
func (c *C) Safe(label string, options ...client.Option) *client.Exchange {
	return c.Call(label, c.Facts.Safe, options...)
}

// List sends the first list request of a declared feature, or the safe request where nothing can be listed: some servers serve
// ping to anybody, so that ping shows nothing about sessions.
func (c *C) List(label string, options ...client.Option) *client.Exchange {
	method := c.Facts.List
	if method == "" {
		method = c.Facts.Safe
	}
	return c.Call(label, method, options...)
}

// quiet is how long a stream may stay silent before a script that drains it moves on.
const quiet = 300 * time.Millisecond

// Drain reads a stream until the server ends it or nothing has come for a while, and closes it.
func (c *C) Drain(s *client.Stream) {
	for seen := 0; ; seen++ {
		// Next starts from the first event each time.
		n := 0
		if _, more := s.Next(quiet, func(client.Event) bool { n++; return n > seen }); !more {
			s.Close()
			return
		}
	}
}
