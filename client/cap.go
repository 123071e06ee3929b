package client

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A sessionCap keeps within the number of sessions that a server allows at a time, once it is known: some allow ten, some one process
// each. The zero value knows of no limit.
type sessionCap struct {
	mu      sync.Mutex
	limit   int // 0: none is known
	most    int // how many were open at a time
	granted int // how many initializes were served
	waiting int // initializes under way
	holders int // conversations that have opened a session and not ended
	freed   chan struct{}
}

const (
	// capPatience is how long an initialize waits for the next session to end before it is sent all the same.
	capPatience = 5 * time.Second
	// capTries is how often an initialize is repeated that was refused while others were open.
	capTries = 3
	// capPause is how much longer each next try waits where the number of sessions does not explain the refusal.
	capPause = 50 * time.Millisecond
	// capDoubt is how long it takes until an ordinary initialize has shown a limit that another one may have met.
	capDoubt = 100 * time.Millisecond
	// manyGranted is how many sessions a server must have granted before an ordinary 4xx to initialize may mean "too many".
	manyGranted = 4
)

// enter waits until one more session may be open. Who holds none yet leaves one place to those who do: they need a second to go on and
// end.
func (s *sessionCap) enter(ctx context.Context, open func() int, holds bool) (leave func()) {
	for waiting := true; waiting; {
		s.mu.Lock()
		room := s.limit - open() - s.waiting
		// Where nobody holds a session that will end, waiting brings none: one at a time is tried.
		if s.limit == 0 || room > 1 || room == 1 && (holds || s.holders == 0) || s.holders == 0 && s.waiting == 0 {
			s.waiting++
			s.mu.Unlock()
			break
		}
		freed := s.channel()
		s.mu.Unlock()
		timer := time.NewTimer(capPatience)
		select {
		case <-freed:
		case <-timer.C:
			waiting = false
		case <-ctx.Done():
			waiting = false
		}
		timer.Stop()
		if !waiting {
			s.mu.Lock()
			s.waiting++
			s.mu.Unlock()
		}
	}
	return sync.OnceFunc(func() { s.mu.Lock(); s.waiting--; s.mu.Unlock(); s.free() })
}

// holder counts a conversation that holds sessions of its own, or no longer does.
func (s *sessionCap) holder(more int) {
	s.mu.Lock()
	s.holders += more
	s.mu.Unlock()
	if more < 0 {
		s.free()
	}
}

// known is the limit that the run keeps within; 0 where there is none.
func (s *sessionCap) known() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limit
}

// channel is closed when a session has ended. The lock is held.
func (s *sessionCap) channel() chan struct{} {
	if s.freed == nil {
		s.freed = make(chan struct{})
	}
	return s.freed
}

// crowded tells that somebody waits for a session to end.
func (s *sessionCap) crowded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.freed != nil
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

// refused learns from a refusal while so many sessions were open. It tells whether the number of sessions explains it, and whether it is
// worth to try again. Only an ordinary initialize can be the first to show a limit by an ordinary 4xx.
func (s *sessionCap) refused(status, open int, ordinary bool) (explained, again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	many := s.granted > 0 && open > 0 && open+s.waiting-1 >= s.most
	switch {
	case s.granted == 0 || open == 0:
		return false, false
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
	case status/100 == 4 && status != http.StatusUnauthorized && s.granted >= manyGranted && (ordinary || many && s.limit > 0):
	default:
		return false, false
	}
	if many && s.limit == 0 {
		s.limit = s.most
	}
	return many, true
}

// full tells that as many sessions are open, or being opened, as ever were.
func (s *sessionCap) full(open int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.granted >= manyGranted && open+s.waiting-1 >= s.most
}

// grant counts a session that was opened, and how many are open now; it returns the limit that the run keeps within.
func (s *sessionCap) grant(open int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.granted++
	s.most = max(s.most, open)
	if s.limit > 0 {
		s.limit = max(s.limit, s.most)
	}
	return s.limit
}

// forget drops a limit that did not help: what was refused had another reason.
func (s *sessionCap) forget() {
	s.mu.Lock()
	s.limit = 0
	s.mu.Unlock()
	s.free()
}

// opens tells that a flight may open a session.
func (f *flight) opens() bool {
	return f.out.rpc && f.out.method == "initialize" && f.c.script.Transport != "http-sse"
}

// tooMany looks at the answer to an initialize: whether it was refused for the sessions that are open, and is worth another try.
func (f *flight) tooMany(tries int) bool {
	c, open := f.c.client, f.c.client.ledger.count()
	if f.x.Served() {
		// A session that is being ended may not have been open any more.
		if limit := c.cap.grant(c.ledger.sure()); limit > 0 && tries > 0 && !c.gate.held() {
			c.watch.cap(limit)
		}
		if c.hold.granted() {
			c.watch.held()
		}
		c.watch.session(true, open)
		return false
	}
	if c.gate.held() {
		// It is the pace that is refused.
		return false
	}
	asks := wanted(f.x.Response)
	if f.x.Status() == http.StatusTooManyRequests && tries == 0 {
		// Whether other requests are refused as well shows in a moment.
		if asks > maxPause {
			c.hold.wonder(capDoubt)
		}
		if _ = sleep(f.entry, capDoubt); c.gate.held() {
			return false
		}
	}
	ordinary := f.out.broken == "" && f.out.label == "initialize"
	if f.x.Status()/100 == 2 {
		return false
	}
	if asks > 0 && c.hold.known() {
		return f.holdOn(open, ordinary)
	}
	if !ordinary && asks == 0 && c.cap.known() == 0 {
		// It may well be refused for what it is. Where it is not, another one shows that by now.
		if tries > 0 || !c.cap.full(open) {
			return false
		}
		if _ = sleep(f.entry, capDoubt); c.cap.known() == 0 {
			return false
		}
	}
	explained, again := c.cap.refused(f.x.Status(), open, ordinary)
	if asks > maxPause && (!explained || tries > 0) {
		// No server asks to wait that long for a session that ends.
		return f.holdOn(open, ordinary)
	}
	if !again {
		return false
	}
	if tries < capTries {
		if !explained {
			_ = sleep(f.entry, time.Duration(tries+1)*capPause)
		}
		return true
	}
	if explained {
		c.cap.forget()
	}
	return f.holdOn(open, ordinary)
}

// holdOn waits for the next session as long as the server says; where that is no use, the session is refused.
func (f *flight) holdOn(open int, ordinary bool) (again bool) {
	c := f.c.client
	if c.hold.ask(wanted(f.x.Response)) {
		c.cap.forget()
		return true
	}
	if ordinary {
		c.watch.session(false, open)
	}
	return false
}

// sessionsRefused tells that an initialize was refused where others were served, which says nothing of other requests.
func (f *flight) sessionsRefused() bool {
	busy := f.x.Status() == http.StatusTooManyRequests || f.x.Status() == http.StatusServiceUnavailable
	return f.opens() && busy && f.c.client.ledger.count() > 0 && !f.c.client.gate.held()
}

// makeRoom ends, before one more is opened, the sessions that a conversation has opened and does not need any more. Where a server allows
// only so many that is all but its own and the newest, and those that nobody is in end as well.
func (f *flight) makeRoom() {
	c, capped := f.c, f.c.client.cap.known() > 0
	if capped {
		c.client.EndIdle(f.entry)
	} else {
		c.client.endIdle(f.entry, c.client.resting())
	}
	if !capped && (!c.script.Passing || c.client.Latency() >= patientFrom || c.client.deletesHang()) {
		// Where answers take long, they are ended side by side when the conversation is over.
		return
	}
	c.mu.Lock()
	own, main := slices.Clone(c.own), c.session.ID()
	own = slices.DeleteFunc(own, func(id string) bool {
		return id == main || c.client.ledger.isDeleted(id) || slices.Contains(c.left, id)
	})
	if !c.script.Passing {
		own = own[:max(0, len(own)-1)]
	}
	c.left = append(c.left, own...)
	c.mu.Unlock()
	if capped || c.client.Concurrency() == 1 {
		for _, id := range own {
			c.deleteOne(id)
		}
		return
	}
	// Their ends and the next beginning need not wait for one another.
	for _, id := range own {
		c.leave(id)
	}
}
