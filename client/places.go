package client

import (
	"context"
	"slices"
	"sync"
)

// places bound how many conversations with sessions of their own are held at a time: as many as requests may be in flight. Revisions that are
// recorded side by side have equal parts of them, so that a session which one conversation leaves is taken by the next. The zero value has
// none taken.
type places struct {
	mu    sync.Mutex
	taken map[column]int
	parts map[column]bool
	queue []*place // first come first served
}

// A column is a revision over a transport.
type column struct{ revision, transport string }

type place struct {
	column
	turn chan struct{} // closed when it is free
}

// Part says that conversations of a revision over a transport are going to want places; it ends when none does any more.
func (c *Client) Part(revision, transport string) (end func()) {
	p, k := &c.places, column{revision, transport}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.parts == nil {
		p.parts, p.taken = map[column]bool{}, map[column]int{}
	}
	p.parts[k] = true
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.parts, k)
		p.admit(c.gate.width())
	}
}

// Place waits for a place of a conversation that opens sessions of its own, in a revision that has a part; leave when it has ended.
func (c *Client) Place(ctx context.Context, revision, transport string) (leave func(), err error) {
	p := &c.places
	own := &place{column{revision, transport}, make(chan struct{})}
	p.mu.Lock()
	p.queue = append(p.queue, own)
	p.admit(c.gate.width())
	p.mu.Unlock()
	leave = sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.taken[own.column]--
		p.admit(c.gate.width())
	})
	select {
	case <-own.turn:
		return leave, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	before := len(p.queue)
	p.queue = slices.DeleteFunc(p.queue, func(o *place) bool { return o == own })
	given := len(p.queue) == before
	p.mu.Unlock()
	if given {
		leave()
	}
	return nil, context.Cause(ctx)
}

// admit gives the free places to those who have waited longest and whose part is not used up. The lock is held.
func (p *places) admit(width int) {
	all := p.sum()
	part := max(1, width/max(1, len(p.parts)))
	p.queue = slices.DeleteFunc(p.queue, func(o *place) bool {
		if all >= width || p.taken[o.column] >= part {
			return false
		}
		all++
		p.taken[o.column]++
		close(o.turn)
		return true
	})
}

// sum is how many are taken. The lock is held.
func (p *places) sum() (all int) {
	for _, n := range p.taken {
		all += n
	}
	return all
}

func (p *places) used() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sum()
}

// Concurrency is how many requests may be in flight at a time.
func (c *Client) Concurrency() int { return c.gate.width() }
