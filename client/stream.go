package client

import (
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A Stream is an exchange whose answer is still being read. Its methods may be called from several goroutines.
type Stream struct{ f *flight }

// Exchange is the exchange. Its request and response head are there at once; its body, and all that is derived from it, only after
// Close, Done or Finish.
func (s *Stream) Exchange() *wire.Exchange { return s.f.exchange() }

// Opened tells that an event stream opened: 2xx and text/event-stream.
func (s *Stream) Opened() bool {
	x := s.Exchange()
	return x.Status() >= 200 && x.Status() <= 299 && x.IsSSE()
}

// Next returns the first event that satisfies want (nil: any), among those that have arrived and those that come before the
// timeout or the end of the stream. It starts from the beginning each time: want can tell what was seen.
func (s *Stream) Next(timeout time.Duration, want func(wire.Event) bool) (wire.Event, bool) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	seen := 0
	for last := false; ; {
		s.f.mu.Lock()
		events, wake := s.f.events[seen:], s.f.wake
		seen = len(s.f.events)
		s.f.mu.Unlock()
		for _, e := range events {
			if want == nil || want(e) {
				return e, true
			}
		}
		if last {
			return wire.Event{}, false
		}
		select {
		case <-wake:
		case <-s.f.done:
			last = true
		case <-timer.C:
			last = true
		case <-s.f.ctx.Done():
			<-s.f.done
			last = true
		}
	}
}

// Events returns what has arrived so far.
func (s *Stream) Events() []wire.Event {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	return append([]wire.Event(nil), s.f.events...)
}

// Close stops reading and closes the connection; it returns when the exchange is complete. An answer that is no event stream, such as a
// refusal, ends by itself, and gets a moment for that. There is nothing to close in nil.
func (s *Stream) Close() {
	if s == nil {
		return
	}
	if x := s.Exchange(); x.Response != nil && !x.IsSSE() {
		timer := time.NewTimer(s.f.c.client.Soon())
		defer timer.Stop()
		select {
		case <-s.f.done:
		case <-s.f.ctx.Done():
		case <-timer.C:
		}
	}
	s.f.cancel(errClosed)
	<-s.f.done
}

// Done is closed when the answer has ended, whoever ended it.
func (s *Stream) Done() <-chan struct{} { return s.f.done }

// Watch keeps watching a stream from the answer of marker on (nil: from now), for Config.Window or three round trips of the marker,
// the longer, and records how long it really was. It records nothing for a stream that did not open; where the marker was not
// answered the window has no length, so that it proves nothing.
func (c *Conversation) Watch(s *Stream, marker *wire.Exchange) {
	if s == nil || !s.Opened() {
		return
	}
	w := wire.Window{Stream: s.Exchange().Label, From: c.since(), Want: c.client.config.Window}
	served := true
	if marker != nil {
		w.Marker = marker.Label
		id := marker.RequestMessage().ID
		if _, served = marker.Answer(); served {
			w.From = marker.AnsweredAt()
		} else if e, came := s.Next(w.Want, func(e wire.Event) bool { return e.Dispatched && wire.SameID(e.Message().ID, id) }); came {
			// The answer came on the stream that is watched.
			served, w.From = true, max(w.From, e.At)
		}
		w.Want = max(w.Want, 3*(marker.Head-marker.Sent))
	}
	if served {
		timer := time.NewTimer(max(0, w.From+w.Want-c.since()))
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-s.Done():
		case <-c.ctx.Done():
		}
		w.To = c.since()
		select {
		case <-s.Done():
			w.To = max(w.From, min(w.To, s.Exchange().End))
		default:
		}
	} else {
		w.To = w.From
	}
	c.mu.Lock()
	c.windows = append(c.windows, w)
	c.mu.Unlock()
}
