package client

import (
	"context"
	"slices"
	"sync"
)

// slots bound how many requests are in flight. Who waits for one gets it in turn, those in a hurry before the others: a run ends with its
// longest conversations, so that these wait for nobody.
type slots struct {
	mu      sync.Mutex
	free    int
	all     int
	waiting [2][]chan struct{} // those in a hurry come first
}

// take waits for a slot. It fails with the cause for which ctx ended.
func (s *slots) take(ctx context.Context, hurry bool) error {
	line := 1
	if hurry {
		line = 0
	}
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	s.waiting[line] = append(s.waiting[line], turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting[line], turn)
	if i < 0 {
		return nil // it was given just now, and is given back like any other
	}
	s.waiting[line] = slices.Delete(s.waiting[line], i, i+1)
	return context.Cause(ctx)
}

// give returns a slot.
func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pass()
}

// add makes n more.
func (s *slots) add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all += n
	for range n {
		s.pass()
	}
}

// pass hands a slot to who waits first. The lock is held.
func (s *slots) pass() {
	for line, turns := range s.waiting {
		if len(turns) > 0 {
			close(turns[0])
			s.waiting[line] = turns[1:]
			return
		}
	}
	s.free++
}

// width is how many there are.
func (s *slots) width() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}
