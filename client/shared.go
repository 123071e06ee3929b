package client

import (
	"context"
	"sync"
)

// A Shared bounds the requests in flight of several clients together, and of those that talk to one host. It is safe for concurrent use.
type Shared struct {
	clients int // at work at a time
	all     chan struct{}
	perHost func(host string) int

	mu    sync.Mutex
	hosts map[string]chan struct{}
}

// NewShared is for so many clients at a time, among which it also divides the memory that streams may take. It bounds all requests by
// one number, and those to a host (a name or address without its port) by what perHost says of it; what is below 1 counts as 1.
func NewShared(clients, all int, perHost func(host string) int) *Shared {
	return &Shared{clients: clients, all: make(chan struct{}, max(all, 1)), perHost: perHost, hosts: map[string]chan struct{}{}}
}

// enter waits for a place of the host and then for one of all: who waits for a busy host keeps nobody else from his.
func (s *Shared) enter(ctx context.Context, host string) (release func(), err error) {
	slots := s.slots(host)
	for i, c := range []chan struct{}{slots, s.all} {
		select {
		case c <- struct{}{}:
		case <-ctx.Done():
			if i > 0 {
				<-slots
			}
			return nil, context.Cause(ctx)
		}
	}
	return sync.OnceFunc(func() { <-s.all; <-slots }), nil
}

func (s *Shared) slots(host string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hosts[host] == nil {
		s.hosts[host] = make(chan struct{}, max(s.perHost(host), 1))
	}
	return s.hosts[host]
}
