package client

import (
	"context"
	"net/http"
	"slices"
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
	// left are streams that have just ended: a server may take a moment to notice.
	left []leftStream
}

type leftStream struct {
	session string
	at      time.Time
}

// noticed is how long a server may take to notice that a stream has ended.
const noticed = 3 * time.Second

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
		if other.c != f.c && collide(session, f.session()) {
			return true
		}
	}
	return false
}

// collide tells that streams of these sessions may be in each other's way; "" is none.
func collide(a, b string) bool { return a == "" || b == "" || a == b }

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
	l.left = append(l.left, leftStream{l.open[f], time.Now()})
	l.left = slices.DeleteFunc(l.left, func(s leftStream) bool { return time.Since(s.at) > noticed })
	delete(l.open, f)
	if l.ended != nil {
		close(l.ended)
		l.ended = nil
	}
}

// refused learns from a GET that was answered 409 while another conversation had a stream open, or one had just ended; it tells whether
// to try again.
func (l *listeners) refused(f *flight) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inTheWay(f) {
		l.exclusive = true
		return true
	}
	return slices.ContainsFunc(l.left, func(s leftStream) bool { return collide(s.session, f.session()) && time.Since(s.at) <= noticed })
}

// listens tells that a flight is an ordinary GET for a stream.
func (f *flight) listens() bool {
	return f.out.httpMethod == http.MethodGet && !f.out.rpc && f.c.script.Transport != "http-sse"
}

// maxCollisions is how often a GET is repeated that collided with another of ours.
const maxCollisions = 4

// prepare records the request before it is sent, so that it is known which session its stream belongs to.
func (f *flight) prepare() {
	if f.x.Request.Header == nil {
		_, f.x.Request, _ = f.out.request(f.ctx, f.c)
	}
}

// collisionPause is how much longer each next try waits.
const collisionPause = 100 * time.Millisecond
