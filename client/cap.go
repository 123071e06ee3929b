package client

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// A sessionCap keeps within the number of sessions that a server allows at a time, once it is known: some allow ten, some one process
// each. The zero value knows of no limit.
type sessionCap struct {
	mu      sync.Mutex
	limit   int // 0: none is known
	granted int // how many initializes were served
	waiting int // initializes under way
	freed   chan struct{}
}

const (
	// capPatience is how long an initialize waits for a session to end before it is sent all the same.
	capPatience = 5 * time.Second
	// capTries is how often an initialize is repeated that was refused while others were open.
	capTries = 3
	// manyGranted is how many sessions a server must have granted before an ordinary 4xx to initialize may mean "too many".
	manyGranted = 4
)

// enter waits until one more session may be open.
func (s *sessionCap) enter(ctx context.Context, open func() int) (leave func()) {
	timer := time.NewTimer(capPatience)
	defer timer.Stop()
	for {
		s.mu.Lock()
		if s.limit == 0 || open()+s.waiting < s.limit {
			s.waiting++
			s.mu.Unlock()
			break
		}
		freed := s.channel()
		s.mu.Unlock()
		select {
		case <-freed:
			continue
		case <-timer.C:
		case <-ctx.Done():
		}
		s.mu.Lock()
		s.waiting++
		s.mu.Unlock()
		break
	}
	return sync.OnceFunc(func() { s.mu.Lock(); s.waiting--; s.mu.Unlock(); s.free() })
}

// channel is closed when a session has ended. The lock is held.
func (s *sessionCap) channel() chan struct{} {
	if s.freed == nil {
		s.freed = make(chan struct{})
	}
	return s.freed
}

// free tells those who wait that a session has ended.
func (s *sessionCap) free() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.freed != nil {
		close(s.freed)
		s.freed = nil
	}
}

// refused learns from a refusal while so many sessions were open; it tells whether it is worth to try again.
func (s *sessionCap) refused(status, open int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.granted == 0 || open == 0:
		return false
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
	case status/100 == 4 && status != http.StatusUnauthorized && s.granted >= manyGranted:
	default:
		return false
	}
	if s.limit == 0 || open < s.limit {
		s.limit = open
	}
	return true
}

// grant counts a session that was opened; it returns the limit that the run keeps within.
func (s *sessionCap) grant() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.granted++
	return s.limit
}

// forget drops a limit that did not help: what was refused had another reason.
func (s *sessionCap) forget() {
	s.mu.Lock()
	s.limit = 0
	s.mu.Unlock()
	s.free()
}

// opens tells that a flight is an ordinary initialize, as a client that wants a session sends it.
func (f *flight) opens() bool {
	return f.out.rpc && f.out.method == "initialize" && f.out.broken == "" && f.out.label == "initialize" && f.c.script.Transport != "http-sse"
}

// tooMany looks at the answer to an ordinary initialize: whether it was refused for the sessions that are open, and is worth another try.
func (f *flight) tooMany(tries int) bool {
	c, open := f.c.client, f.c.client.ledger.count()
	if f.x.Served() {
		if limit := c.cap.grant(); limit > 0 && tries > 0 {
			c.watch.cap(limit)
		}
		c.watch.session(true, open)
		return false
	}
	if f.x.Status()/100 == 2 || !c.cap.refused(f.x.Status(), open) {
		return false
	}
	if tries < capTries {
		return true
	}
	c.cap.forget()
	c.watch.session(false, open)
	return false
}
