package client

import (
	"sync"
	"time"
)

// pending are the requests that were sent and whose answers are not complete.
type pending struct {
	mu   sync.Mutex
	all  map[int]wait
	last int
}

type wait struct {
	what  string
	since time.Time
}

// begin notes a request; the function that it returns says that nothing more is waited for, and may be called twice.
func (p *pending) begin(what string) (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[int]wait{}
	}
	p.last++
	number := p.last
	p.all[number] = wait{what, time.Now()}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.all, number)
	}
}

// Waiting names the request under way that was sent first, by its JSON-RPC method or else its HTTP method, and says since when; ""
// where nothing is under way. Of a stream that a script holds only the head is waited for.
func (c *Client) Waiting() (what string, since time.Time) {
	c.pending.mu.Lock()
	defer c.pending.mu.Unlock()
	first := 0
	for number, w := range c.pending.all {
		if first == 0 || number < first {
			first, what, since = number, w.what, w.since
		}
	}
	return what, since
}
