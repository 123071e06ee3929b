package client

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// listeners are the GET streams of a run. Some servers allow one, in all or for each session, and refuse a second one: our own
// conversations must not be in each other's way then. From the first refusal that another stream explains on, streams queue.
type listeners struct {
	mu sync.Mutex
	// scope is which streams queue behind one another.
	scope scope
	// proven: a refused GET was served once it was alone.
	proven bool
	// queue are the GETs that hold a turn or wait for one, in the order in which they came. One that holds its turn was sent, and its stream
	// may be open on the server before we know.
	queue []*ticket
	// changed is closed when a turn is over.
	changed chan struct{}
	// left are streams that have just ended: a server may take a moment to notice.
	left []leftStream
	// innocent counts the refusals that no other stream explained, though it had seemed so.
	innocent int
}

// A scope says which streams cannot be open beside one another.
type scope int

const (
	// apart: any number may be open.
	apart scope = iota
	// inSession: one for each session.
	inSession
	// everywhere: one for the whole server.
	everywhere
)

// A ticket is the place of a GET in the queue.
type ticket struct {
	of      *Conversation
	session string
	held    bool
	opened  bool
}

type leftStream struct {
	session string
	at      time.Time
}

const (
	// noticed is how long a server may take to notice that a stream has ended.
	noticed = 3 * time.Second
	// maxCollisions is how often a GET is repeated that collided with another of ours, and collisionPause how long the first of those tries
	// waits; each next one waits twice as long, together as long as a server may take to notice.
	maxCollisions  = 6
	collisionPause = 50 * time.Millisecond
	// maxInnocent is after how many refusals that no stream of ours explained none is suspected any more.
	maxInnocent = 3
	// turnTimeouts is how many time-outs a GET waits for its turn at most.
	turnTimeouts = 6
)

// enter waits, where streams exclude one another, for the turn of a GET. It returns at once for a conversation whose turn it is: what its own
// streams do to each other is its own business.
func (l *listeners) enter(ctx context.Context, f *flight) *ticket {
	f.prepare()
	t := &ticket{of: f.c, session: f.session()}
	l.mu.Lock()
	l.queue = append(l.queue, t)
	l.mu.Unlock()
	l.wait(ctx, t)
	return t
}

// leave ends the turn of a GET; there is none in nil.
func (l *listeners) leave(t *ticket) {
	if t == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = slices.DeleteFunc(l.queue, func(o *ticket) bool { return o == t })
	if t.opened {
		l.left = append(l.left, leftStream{t.session, time.Now()})
		l.left = slices.DeleteFunc(l.left, func(s leftStream) bool { return time.Since(s.at) > noticed })
	}
	l.change()
}

// wait waits until nothing that was there first is in the way of a GET. One that had its turn and was refused keeps its place.
func (l *listeners) wait(ctx context.Context, t *ticket) {
	timer := time.NewTimer(turnTimeouts * t.of.client.config.Timeout)
	defer timer.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	t.held = false
	l.change()
	for waiting := true; waiting && l.mustWait(t); {
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		changed := l.changed
		l.mu.Unlock()
		select {
		case <-changed:
		case <-timer.C:
			waiting = false
		case <-ctx.Done():
			waiting = false
		}
		l.mu.Lock()
	}
	t.held = true
	l.change() // other GETs of the conversation may enter, too
}

// mustWait tells that a GET of another conversation holds a turn, or waits for one and came first, that this one cannot be open beside. The
// lock is held.
func (l *listeners) mustWait(t *ticket) bool {
	if l.scope == apart || slices.ContainsFunc(l.queue, func(o *ticket) bool { return o != t && o.held && o.of == t.of }) {
		return false
	}
	first := true
	for _, o := range l.queue {
		if o == t {
			first = false
			continue
		}
		if (first || o.held) && o.of != t.of && (l.scope == everywhere || collide(o.session, t.session)) {
			return true
		}
	}
	return false
}

// change wakes those who wait. The lock is held.
func (l *listeners) change() {
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// collide tells that streams of these sessions may be in each other's way where a session has one; "" is none.
func collide(a, b string) bool { return a == "" || b == "" || a == b }

// opened notes that a stream has opened.
func (l *listeners) opened(t *ticket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t.opened = true
}

// oneByOne makes streams queue from now on.
func (l *listeners) oneByOne() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.scope, l.proven = everywhere, true
}

// refused learns from a GET that was refused at its so-manieth try. It tells whether to try again, since a stream of another conversation,
// open or just left, may be why: streams queue from then on. Where the refusal stays the same without any other stream, it had another
// reason, and after a few of those none is suspected any more.
// A stream of the same session that has just ended is only one that the server has not noticed yet: nothing queues for it.
func (l *listeners) refused(f *flight, tries int) (again, lags bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lags(f) {
		return tries < maxCollisions, true
	}
	if l.innocent >= maxInnocent && !l.proven {
		return false, false
	}
	seen := l.beside(f)
	if seen != apart && tries < maxCollisions {
		l.scope = max(l.scope, seen)
		return true, false
	}
	if tries > 0 && !l.proven {
		if l.innocent++; l.innocent >= maxInnocent {
			l.scope = apart
			l.change()
		}
	}
	return false, false
}

// served is told that a GET which had been refused was served once it was alone.
func (l *listeners) served() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.proven = true
}

// beside tells which streams of other conversations may be open beside a GET, or have just ended. Where the conversation has one itself, that
// explains the refusal. The lock is held.
func (l *listeners) beside(f *flight) scope {
	seen := apart
	meet := func(session string) {
		switch {
		case f.x.Status() != http.StatusConflict && session != f.turn.session:
			// Many things are a bad request, no session id above all. What another session's stream has to do with it only 409 says.
		case collide(session, f.turn.session):
			seen = inSession
		case seen == apart:
			seen = everywhere
		}
	}
	for _, o := range l.queue {
		switch {
		case o == f.turn || !o.held:
		case o.of == f.c:
			return apart
		default:
			meet(o.session)
		}
	}
	for _, s := range l.left {
		if time.Since(s.at) <= noticed && (s.session == "" || s.session != f.turn.session) {
			meet(s.session)
		}
	}
	return seen
}

// lags tells that a stream of the same session, which has an id, has just ended. The lock is held.
func (l *listeners) lags(f *flight) bool {
	own := slices.ContainsFunc(l.queue, func(o *ticket) bool { return o != f.turn && o.held && o.of == f.c })
	return !own && f.turn.session != "" && slices.ContainsFunc(l.left, func(s leftStream) bool {
		return s.session == f.turn.session && time.Since(s.at) <= noticed
	})
}

// listens tells that a flight is an ordinary GET for a stream.
func (f *flight) listens() bool {
	return f.out.httpMethod == http.MethodGet && !f.out.rpc && f.c.script.Transport != "http-sse"
}

// collides tells that the answer to a GET may mean that another stream is open: 409 says so, and some say 400.
func (f *flight) collides() bool {
	status := f.x.Status()
	return f.listens() && (status == http.StatusConflict || status == http.StatusBadRequest && f.out.broken == "")
}

// prepare records the request before it is sent, so that it is known which session its stream belongs to.
func (f *flight) prepare() {
	if f.x.Request.Header == nil {
		_, f.x.Request, _ = f.out.request(f.ctx, f.c)
	}
}
