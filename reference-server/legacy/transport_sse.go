package legacy

import (
	"net/http"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/core"
	"github.com/mcpcheck/mcpcheck/reference-server/deviation"
	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/sse"
	"github.com/mcpcheck/mcpcheck/reference-server/web"
)

// emit puts a message on a stream.
func (s *Server) emit(st *stream, sc deviation.Scene, out jsonrpc.Outgoing) {
	for _, f := range s.dev.Frames(sc, out) {
		if st.log.link != nil {
			s.emitFrame(st, sc, f) // the stream carries everything, so that its own scene says nothing
		} else {
			s.emitFrame(st, st.scene, f)
		}
	}
}

// emitEvent puts on a stream what is no message of a request.
func (s *Server) emitEvent(st *stream, f deviation.Frame) { s.emitFrame(st, st.scene, f) }

// emitFrame puts one event on a stream and gives it an id where events can be resumed from.
func (s *Server) emitFrame(st *stream, sc deviation.Scene, f deviation.Frame) {
	f, ok := s.dev.Event(sc, f)
	if !ok {
		return
	}
	if f.Delay > 0 && !core.Sleep(s.ctx.Done(), f.Delay) {
		return
	}
	if f.Close {
		st.finish()
		return
	}
	var newID func(string, int) string
	if s.profile.Store && st.log.link == nil {
		newID = s.eventID
	}
	st.append(newID, func(id string) event {
		e := sse.Event{ID: id, Data: f.Data, Retry: f.Retry}
		if f.Kind == deviation.FrameMessage || f.Kind == deviation.FrameEndpoint {
			e.Name = f.Kind
		}
		return event{id: id, bytes: s.dev.Format(e, f)}
	})
}

// stream answers with a stream of events and follows it from event number next until it ends or the client goes.
func (x *exchange) stream(outcome string, header http.Header, st *stream, next int) {
	reader := st.attach()
	defer st.detach(reader)
	a := web.StreamAnswer(outcome, header)
	if !x.Deviate(&a) {
		return
	}
	x.WriteHead(a)
	if a.Body != nil { // a deviation made it another answer
		_, _ = x.W.Write(a.Body)
		return
	}
	opening, _ := x.s.dev.Affixes(outcome, x.Scene())
	if outcome == "get-stream" || outcome == "resumed-stream" {
		// Something has to follow the headers, or an intermediary may keep them.
		opening += ": open\n\n"
	}
	if !x.Write([]byte(opening)) {
		return
	}
	if x.HangsBeforeEvent() {
		return
	}
	x.follow(st, reader, next)
	_, ending := x.s.dev.Affixes(outcome, x.Scene())
	_ = x.Write([]byte(ending))
}

// follow writes the events of a stream as they come, and a comment when nothing came for a while.
func (x *exchange) follow(st *stream, reader, next int) {
	keepAlive := time.NewTicker(keepAliveEvery)
	defer keepAlive.Stop()
	gone := x.R.Context().Done()
	for {
		events, after, over, changed := st.read(reader, next)
		for _, e := range events {
			if !x.Write(e.bytes) {
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
			if !x.Write([]byte(": keep-alive\n\n")) {
				return
			}
		case <-gone:
			return
		case <-x.session.ctx.Done():
			return
		}
	}
}
