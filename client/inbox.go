package client

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// HTTP+SSE, the transport of 2024-11-05: one GET stream names the endpoint to POST to and carries every answer.

// A waiter is a POST whose answers are expected on the stream.
type waiter struct {
	ids  []json.RawMessage
	live []wire.Located
	all  chan struct{} // closed when every id was answered
}

// openInbox opens the stream and takes the endpoint from its first event of that type. Another origin is not used.
func (c *Conversation) openInbox(label string, patience time.Duration, opts ...Option) bool {
	s := c.Get(label, opts...)
	if !s.Opened() {
		return false
	}
	e, ok := s.Next(patience, func(e wire.Event) bool { return e.Dispatched && e.Type == "endpoint" })
	if !ok {
		return false
	}
	base, err := url.Parse(s.Exchange().Request.URL)
	if err != nil {
		return false
	}
	endpoint, err := base.Parse(strings.TrimSpace(e.Data))
	if err != nil || origin(endpoint) != c.client.origin {
		return false
	}
	c.mu.Lock()
	c.inbox, c.endpoint = s.f, endpoint.String()
	c.mu.Unlock()
	return true
}

// OpenStream opens the stream of HTTP+SSE without a handshake and waits for its endpoint event; Open does it by itself. It is false,
// and nothing is posted elsewhere, when no endpoint of the same origin is named in time.
func (c *Conversation) OpenStream(label string, patience time.Duration, opts ...Option) bool {
	return c.openInbox(label, patience, opts...)
}

// CloseStream closes a stream that the conversation still holds open and returns its exchange; nil where there is none of that label.
func (c *Conversation) CloseStream(label string) *wire.Exchange {
	c.mu.Lock()
	i := slices.IndexFunc(c.all, func(f *flight) bool { return f.held && f.out.label == label })
	var f *flight
	if i >= 0 {
		f = c.all[i]
	}
	c.mu.Unlock()
	if f == nil {
		return nil
	}
	(&Stream{f: f}).Close()
	return f.exchange()
}

// Inbox is the stream of HTTP+SSE that carries the answers, nil without one.
func (c *Conversation) Inbox() *Stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inbox == nil {
		return nil
	}
	return &Stream{f: c.inbox}
}

// Transport is the script's.
func (c *Conversation) Transport() string { return c.script.Transport }

// Endpoint is where HTTP+SSE takes POSTs, empty before the stream told.
func (c *Conversation) Endpoint() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.endpoint
}

// inboxFor is the stream that carries the answers to what is posted to a URL, nil without one.
func (c *Conversation) inboxFor(url string) *flight {
	c.mu.Lock()
	defer c.mu.Unlock()
	if url != c.endpoint {
		return nil
	}
	return c.inbox
}

// await registers the requests in a body whose answers come on the stream; nil where there are none.
func (c *Conversation) await(body []byte) *waiter {
	c.mu.Lock()
	defer c.mu.Unlock()
	ids := wire.RequestIDs(wire.ReadMessage(body))
	if len(ids) == 0 {
		return nil
	}
	w := &waiter{ids: ids, all: make(chan struct{})}
	c.waiters = append(c.waiters, w)
	return w
}

func (c *Conversation) unwait(w *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiters = slices.DeleteFunc(c.waiters, func(o *waiter) bool { return o == w })
}

// answered tells the waiters of an answer on the stream.
func (c *Conversation) answered(f *flight, m wire.Located) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f != c.inbox {
		return
	}
	for _, w := range c.waiters {
		for i, id := range w.ids {
			if wire.SameID(id, m.ID) {
				w.live = append(w.live, m)
				if w.ids = slices.Delete(w.ids, i, i+1); len(w.ids) == 0 {
					close(w.all)
				}
				return
			}
		}
	}
}

// waitOnStream waits for the answer on the stream, as long as a body might take.
func (f *flight) waitOnStream(w *waiter) {
	patience := f.out.timeout
	if _, answered := f.x.Answer(); answered {
		// It came by the acknowledgement; whether it comes on the stream as well shows soon.
		patience = f.c.client.config.Window
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-w.all:
	case <-f.c.inbox.done:
	case <-f.ctx.Done():
		f.x.EndedBy = wire.ByClient
	case <-timer.C:
		if patience == f.out.timeout {
			f.x.EndedBy = wire.ByTimeout
		}
	}
	f.c.mu.Lock()
	f.x.Arrived(w.live)
	f.c.mu.Unlock()
}
