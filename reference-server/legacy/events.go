package legacy

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strconv"
	"sync"

	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
)

// maxEvents bounds what one session keeps for resumption.
const maxEvents = 1000

// An event is one event of a stream as it goes over the wire. It is kept that way, so that a replay is the same event.
type event struct {
	id    string
	bytes []byte
}

// A stream is the list of its events; connections follow the list and may come and go
// (basic/transports#resumability-and-redelivery). Writing to a stream therefore never waits for a client.
type stream struct {
	log   *eventLog
	name  string          // the first part of its event ids
	scene deviation.Scene // of the exchange that opened it

	// under log.mu
	events   []event
	dropped  int // events that are no longer kept: events[0] is number dropped
	count    int // ids given
	finished bool
	parked   bool          // the connection was closed ahead of the end
	reader   int           // the connection that may read: the newest
	attached bool          // there is one
	changed  chan struct{} // closed and replaced at every change
}

// eventLog holds the streams of one session.
type eventLog struct {
	link *link // whose one stream it holds; nil on Streamable HTTP

	mu         sync.Mutex
	streams    []*stream // oldest first
	standalone *stream   // the one that GET opened
}

// open starts a stream whose events can be told from those of every other one by their ids.
func (l *eventLog) open(sc deviation.Scene) *stream {
	var b [5]byte
	_, _ = rand.Read(b[:])
	st := &stream{log: l, name: hex.EncodeToString(b[:]), scene: sc, changed: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams = append(l.streams, st)
	return st
}

// openStandalone starts the stream for messages of the server in place of a former one, which must have lost its reader
// unless replace is set. It returns nil where there is a stream that is being read.
func (l *eventLog) openStandalone(sc deviation.Scene, replace bool) *stream {
	st := l.open(sc)
	l.mu.Lock()
	defer l.mu.Unlock()
	if former := l.standalone; former != nil && !replace {
		if former.attached {
			l.streams = slices.DeleteFunc(l.streams, func(o *stream) bool { return o == st })
			return nil
		}
		former.finished = true
		former.wake()
	}
	l.standalone = st
	st.attached = true // before another GET asks
	return st
}

// append adds an event; make gets its id. A finished stream takes nothing more.
func (st *stream) append(newID func(stream string, n int) string, make func(id string) event) {
	st.log.mu.Lock()
	defer st.log.mu.Unlock()
	if st.finished {
		return
	}
	id := ""
	if newID != nil {
		st.count++
		id = newID(st.name, st.count)
	}
	st.events = append(st.events, make(id))
	st.log.trim()
	st.wake()
}

// finish ends the stream: whoever reads it gets what is left and then the end of the body.
func (st *stream) finish() {
	st.log.mu.Lock()
	defer st.log.mu.Unlock()
	st.finished = true
	st.wake()
}

// park closes the connection but not the stream: the client has to come back with Last-Event-ID.
func (st *stream) park() {
	st.log.mu.Lock()
	defer st.log.mu.Unlock()
	st.parked = true
	st.wake()
}

func (st *stream) wake() {
	close(st.changed)
	st.changed = make(chan struct{})
}

// trim drops finished streams, then old events, until the log is within its bound. The caller holds the lock.
func (l *eventLog) trim() {
	total := 0
	for _, st := range l.streams {
		total += len(st.events)
	}
	l.streams = slices.DeleteFunc(l.streams, func(st *stream) bool {
		old := total > maxEvents && st.finished && !st.attached
		if old {
			total -= len(st.events)
		}
		return old
	})
	for _, st := range l.streams {
		if excess := total - maxEvents; excess > 0 {
			n := min(excess, len(st.events))
			st.events = st.events[n:]
			st.dropped += n
			total -= n
		}
	}
}

// forget drops a stream that nobody can resume.
func (l *eventLog) forget(st *stream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams = slices.DeleteFunc(l.streams, func(o *stream) bool { return o == st })
}

// find returns the stream that has an event with that id, and the number of the event after it.
func (l *eventLog) find(id string) (*stream, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, st := range l.streams {
		for i, e := range st.events {
			if e.id == id && id != "" {
				return st, st.dropped + i + 1
			}
		}
	}
	return nil, 0
}

// attach makes the caller the reader of the stream. Whoever read it before is disconnected, since a message goes to one
// connection only.
func (st *stream) attach() (reader int) {
	st.log.mu.Lock()
	defer st.log.mu.Unlock()
	if st.reader > 0 { // the first connection may come after a quick tool has parked it
		st.parked = false
	}
	st.reader++
	st.attached = true
	st.wake()
	return st.reader
}

func (st *stream) detach(reader int) {
	st.log.mu.Lock()
	defer st.log.mu.Unlock()
	if st.reader == reader {
		st.attached = false
	}
}

// read returns the events from number next on, the number after them, whether the reader is through, and what announces more.
func (st *stream) read(reader, next int) (events []event, after int, over bool, changed <-chan struct{}) {
	st.log.mu.Lock()
	defer st.log.mu.Unlock()
	if st.reader != reader {
		return nil, next, true, nil
	}
	if i := max(next-st.dropped, 0); i < len(st.events) {
		events = append(events, st.events[i:]...)
	}
	return events, st.dropped + len(st.events), st.finished || st.parked, st.changed
}

// defaultEventID is unique in the session and encodes the stream (2025-11-25: basic/transports#resumability-and-redelivery).
func defaultEventID(stream string, n int) string { return stream + "-" + strconv.Itoa(n) }
