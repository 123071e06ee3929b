package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Some servers answer nothing while a GET stream is open, or while as many are open as they have workers. A standstill is noticed as it
// happens: nothing is answered, though ordinary requests wait, while streams of ours are open. What tells it from a server that hangs is
// that it ends with the streams, which are therefore closed to see.

// errMadeWay is why a stream was closed that may have been in the way of everything else.
var errMadeWay = errors.New("closed to see whether it was in the way of other requests")

// MadeWay is why a conversation ended whose stream was closed for the sake of others.
const MadeWay = "its stream was closed to see whether it was in the way of other requests"

const (
	// standstillPart of a time-out nothing must be answered for, and the same time it takes to find out why.
	standstillPart = 5
	// standstillLatencies is how many times the latency that was seen that has to be; at a slower server nothing could be told.
	standstillLatencies = 4
	// maxMistaken is how often streams are closed that turn out not to have been in the way.
	maxMistaken = 2
)

// A standstills watch knows what waits and which streams are open.
type standstills struct {
	client *Client

	mu       sync.Mutex
	waiting  map[*flight]http.Header // ordinary requests without a head, and the header of each
	streams  map[*flight]string      // GET streams that are open, and the session of each
	headed   time.Time               // when a head came last
	next     chan struct{}           // closed at the next head, where somebody waits for it
	madeWay  time.Time               // when streams were closed last
	looking  bool
	off      bool // nothing is looked into any more
	mistaken int
}

// sent notes a request that was sent; over says that its head has come, or will not. It tells whether the time that took says something of
// the server's pace.
func (s *standstills) sent(f *flight, header http.Header) (over func(answered bool) (tells bool)) {
	began, stop := time.Now(), func() bool { return true }
	patience := s.client.config.Timeout / standstillPart
	s.mu.Lock()
	defer s.mu.Unlock()
	ordinary := f.out.rpc && f.out.broken == "" && (harmless(f.out.method) || f.out.method == "initialize")
	if ordinary && f.c.script.Transport != "http-sse" {
		if s.waiting == nil {
			s.waiting = map[*flight]http.Header{}
		}
		s.waiting[f] = header
		stop = time.AfterFunc(patience, func() { s.check(f, patience) }).Stop
	}
	return func(answered bool) bool {
		stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.waiting, f)
		if answered {
			s.headed = time.Now()
			if s.next != nil {
				close(s.next)
				s.next = nil
			}
		}
		return began.After(s.madeWay)
	}
}

// opened notes a stream that has opened; the function that it returns that it has ended.
func (s *standstills) opened(f *flight) (closed func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streams == nil {
		s.streams = map[*flight]string{}
	}
	s.streams[f] = f.session()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.streams, f)
	}
}

// check looks at a request that has waited for a while. Where the streams that are open may be why, it finds out; else it looks again later.
func (s *standstills) check(f *flight, patience time.Duration) {
	s.mu.Lock()
	header, waits := s.waiting[f]
	if !waits || s.off || s.looking || s.client.watch.isHalted() {
		s.mu.Unlock()
		return
	}
	slow := standstillLatencies*s.client.gate.latency() > patience
	if quiet := time.Since(s.headed); slow || len(s.streams) == 0 || quiet < patience && !s.concerns(header) {
		time.AfterFunc(patience/4, func() { s.check(f, patience) })
		s.mu.Unlock()
		return
	}
	s.looking = true
	s.mu.Unlock()
	streams := s.makeWay(header, patience)
	s.mu.Lock()
	s.looking = false
	if streams > 0 {
		// Until it is known how many it takes, which is found out by opening as many.
		s.off = true
	}
	s.mu.Unlock()
	if streams > 0 {
		s.client.watch.block(strings.TrimSpace(f.out.httpMethod+" "+f.out.method), streams)
	}
}

// concerns tells that the session of a request has a stream open. The lock is held.
func (s *standstills) concerns(header http.Header) bool {
	session := header["Mcp-Session-Id"]
	for _, other := range s.streams {
		if len(session) > 0 && session[0] == other {
			return true
		}
	}
	return false
}

// makeWay finds out whether the streams that are open are why nothing is answered, and returns how many there are; 0 where they are not. A
// sign of life is asked for first. Where none comes the streams are closed, and what is answered then was waiting for that.
func (s *standstills) makeWay(header http.Header, patience time.Duration) (streams int) {
	ctx, cancel := context.WithTimeout(s.client.ctx, 3*patience)
	defer cancel()
	alive := make(chan struct{})
	go func() {
		if s.client.sign(ctx, header) {
			close(alive)
		}
	}()
	if s.answers(alive, patience) {
		return 0
	}
	s.mu.Lock()
	s.madeWay = time.Now()
	for f := range s.streams {
		streams++
		f.c.abort(MadeWay)
		f.cancel(errMadeWay)
	}
	s.mu.Unlock()
	if streams > 0 && s.answers(alive, patience) {
		return streams
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mistaken++; s.mistaken >= maxMistaken {
		s.off = true
	}
	return 0
}

// answers waits for the next head, or that of the sign of life.
func (s *standstills) answers(alive <-chan struct{}, patience time.Duration) bool {
	s.mu.Lock()
	if s.next == nil {
		s.next = make(chan struct{})
	}
	next := s.next
	s.mu.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-alive:
		return true
	case <-next:
		return true
	case <-timer.C:
		return false
	}
}

// sign sends a ping that no transcript records, with the header of another request, and tells whether anything came back.
func (c *Client) sign(ctx context.Context, header http.Header) bool {
	body := strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, c.NextID()))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.target.String(), body)
	if err != nil {
		return false
	}
	req.Header = header.Clone()
	req.Header.Del("Content-Length")
	req.Header["User-Agent"] = []string{c.userAgent("sign of life")}
	res, err := c.unrecorded(ctx, req)
	if err != nil {
		return false
	}
	res.Body.Close()
	return true
}

// watchStreams says whether standstills are looked for.
func (s *standstills) watchStreams(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off = !on
}

// StreamsOneByOne makes GET streams queue from now on, since several at a time are in the way of other requests.
func (c *Client) StreamsOneByOne() { c.listen.oneByOne() }

// StreamsLookedInto ends looking into a standstill: with so many streams open the server answers nothing. 0 says that it was an accident. Standstills
// are looked for again where watch says so; recovered, that the run went on with all there is to look at.
func (c *Client) StreamsLookedInto(streams int, recovered, watch bool) {
	c.watch.blocked(streams, recovered)
	c.still.watchStreams(watch)
}
