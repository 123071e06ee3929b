package client

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"
)

// HTTP+SSE, the transport of 2024-11-05: one GET stream names the endpoint to POST to and carries every answer.

// A waiter is a POST whose answers are expected on the stream.
type waiter struct {
	ids  []json.RawMessage
	live []Located
	all  chan struct{} // closed when every id was answered
}

// openInbox opens the stream and takes the endpoint from its first event of that type. Another origin is not used.
func (c *Conversation) openInbox(label string) bool {
	s := c.Get(label)
	if !s.Opened() {
		return false
	}
	e, ok := s.Next(c.client.config.Timeout, func(e Event) bool { return e.Dispatched && e.Type == "endpoint" })
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

// OpenStream opens the stream of HTTP+SSE without a handshake, so that a script can look at it; Open does it by itself.
func (c *Conversation) OpenStream(label string) bool { return c.openInbox(label) }

// Endpoint is where HTTP+SSE takes POSTs, empty before the stream told.
func (c *Conversation) Endpoint() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.endpoint
}

// await registers the requests in a body whose answers come on the stream; nil where there are none, or no such stream.
func (c *Conversation) await(body []byte) *waiter {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inbox == nil {
		return nil
	}
	ids := requestIDs(ReadMessage(body))
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
func (c *Conversation) answered(f *flight, m Located) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f != c.inbox {
		return
	}
	for _, w := range c.waiters {
		for i, id := range w.ids {
			if SameID(id, m.ID) {
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
	timer := time.NewTimer(f.out.timeout)
	defer timer.Stop()
	select {
	case <-w.all:
	case <-f.c.inbox.done:
	case <-f.ctx.Done():
	case <-timer.C:
	}
	f.c.mu.Lock()
	f.x.live = append([]Located{}, w.live...)
	f.c.mu.Unlock()
}
