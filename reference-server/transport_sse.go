package refserver

import (
	"net/http"
	"time"
)

// Kinds of frames.
const (
	frameMessage  = "message"
	framePriming  = "priming"  // an id to come back with, and no data
	frameEndpoint = "endpoint" // where to post to, on HTTP+SSE
	frameRetry    = "retry"    // the same, with the time to wait before
)

// A frame is what becomes one event of a stream, or a message in a JSON answer.
type frame struct {
	kind  string
	data  []byte
	retry string
	delay time.Duration
	close bool   // the stream ends instead
	edits []Edit // of a deviation: what of them concerns the event or the answer
	scene *scene // nil: that of the stream
}

// emit puts a message on a stream.
func (s *Server) emit(st *stream, sc scene, out outgoing) {
	for _, f := range s.dev.frames(sc, out) {
		if st.log.link != nil {
			f.scene = &sc // the stream carries everything, so that its own says nothing
		}
		s.emitEvent(st, f)
	}
}

// emitEvent puts one event on a stream and gives it an id where events can be resumed from.
func (s *Server) emitEvent(st *stream, f frame) {
	sc := st.scene
	if f.scene != nil {
		sc = *f.scene
	}
	f, ok := s.dev.frame(sc, f)
	if !ok {
		return
	}
	if f.delay > 0 && !sleep(s.ctx.Done(), f.delay) {
		return
	}
	if f.close {
		st.finish()
		return
	}
	var newID func(string, int) string
	if s.profile.Store && st.log.link == nil {
		newID = s.dev.eventID
	}
	st.append(newID, func(id string) event {
		e := eventFields{id: id, data: f.data, retry: f.retry}
		if f.kind == frameMessage || f.kind == frameEndpoint {
			e.name = f.kind
		}
		return event{id: id, bytes: s.dev.format(e, f)}
	})
}

// stream answers with a stream of events and follows it from event number next until it ends or the client goes.
func (x *exchange) stream(outcome string, header http.Header, st *stream, next int) {
	reader := st.attach()
	defer st.detach(reader)
	a := newAnswer(outcome, http.StatusOK)
	for name, values := range header {
		a.header[name] = values
	}
	a.header.Set("Content-Type", typeSSE)
	a.header.Set("Cache-Control", "no-cache")
	a.header.Set("X-Accel-Buffering", "no") // nginx would hold events back
	stays := x.s.dev.answer(x, &a)
	if !stays {
		return
	}
	x.writeHead(a)
	if a.body != nil { // a deviation made it another answer
		_, _ = x.w.Write(a.body)
		return
	}
	opening := x.s.dev.opening(x, outcome)
	if outcome == "get-stream" || outcome == "resumed-stream" {
		// Something has to follow the headers, or an intermediary may keep them.
		opening += ": open\n\n"
	}
	if !x.write([]byte(opening)) {
		return
	}
	if !x.s.dev.hang(x, switchHangEvent) {
		return
	}
	x.follow(st, reader, next)
	_ = x.write([]byte(x.s.dev.ending(x, outcome)))
}

// follow writes the events of a stream as they come, and a comment when nothing came for a while.
func (x *exchange) follow(st *stream, reader, next int) {
	keepAlive := time.NewTicker(keepAliveEvery)
	defer keepAlive.Stop()
	gone := x.r.Context().Done()
	for {
		events, after, over, changed := st.read(reader, next)
		for _, e := range events {
			if !x.write(e.bytes) {
				return
			}
		}
		next = after
		if over {
			return
		}
		select {
		case <-changed:
			keepAlive.Reset(keepAliveEvery)
		case <-keepAlive.C:
			if !x.write([]byte(": keep-alive\n\n")) {
				return
			}
		case <-gone:
			return
		case <-x.session.ctx.Done():
			return
		}
	}
}

// write sends bytes of a stream at once; false means that the client has gone.
func (x *exchange) write(b []byte) bool {
	if _, err := x.w.Write(b); err != nil {
		return false
	}
	return http.NewResponseController(x.w).Flush() == nil
}

// sleep waits, unless done comes first.
func sleep(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-done:
		return false
	}
}
