package client

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// listeners are the GET streams that a run has open. Some servers allow one, in all or for each session, and answer a second one 409: our own
// conversations must not be in each other's way then.
type listeners struct {
	mu        sync.Mutex
	open      map[*flight]string // the session of each
	exclusive bool
	ended     chan struct{}
}

// streamPatience is how long a GET waits for the streams of other conversations to end.
const streamPatience = 5 * time.Second

// enter waits, where streams exclude one another, until no other conversation has one open that is in the way.
func (l *listeners) enter(ctx context.Context, f *flight) {
	timer := time.NewTimer(streamPatience)
	defer timer.Stop()
	for {
		l.mu.Lock()
		if !l.exclusive || !l.inTheWay(f) {
			l.mu.Unlock()
			return
		}
		if l.ended == nil {
			l.ended = make(chan struct{})
		}
		ended := l.ended
		l.mu.Unlock()
		select {
		case <-ended:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// inTheWay tells that another conversation has a stream open that this one may collide with: of the same session, or where one of them has
// none. The lock is held.
func (l *listeners) inTheWay(f *flight) bool {
	for other, session := range l.open {
		if other.c != f.c && (session == "" || f.session() == "" || session == f.session()) {
			return true
		}
	}
	return false
}

func (l *listeners) opened(f *flight) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[*flight]string{}
	}
	l.open[f] = f.session()
}

func (l *listeners) closed(f *flight) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, f)
	if l.ended != nil {
		close(l.ended)
		l.ended = nil
	}
}

// refused learns from a GET that was answered 409 while another conversation had a stream open; it tells whether to try again.
func (l *listeners) refused(f *flight) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.inTheWay(f) {
		return false
	}
	l.exclusive = true
	return true
}

// listens tells that a flight is an ordinary GET for a stream.
func (f *flight) listens() bool {
	return f.out.httpMethod == http.MethodGet && f.out.broken == "" && !f.out.rpc && f.c.script.Transport != "http-sse"
}

// maxCollisions is how often a GET is repeated that collided with another of ours.
const maxCollisions = 3

// prepare records the request before it is sent, so that it is known which session its stream belongs to.
func (f *flight) prepare() {
	if f.x.Request.Header == nil {
		_, f.x.Request, _ = f.out.request(f.ctx, f.c)
	}
}
