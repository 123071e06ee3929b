package client

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// besideStreams answers POST requests by what the test says while so many GET streams are open. An answer of false is none: the client
// waits until something changes, and then it is asked again.
type besideStreams struct {
	answers func(m wire.Message, streams int) bool

	mu      sync.Mutex
	streams int
	changed chan struct{}
}

func (s *besideStreams) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		s.change(1)
		defer s.change(-1)
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return
	}
	data, _ := io.ReadAll(r.Body)
	m := wire.ReadMessage(data)
	for {
		s.mu.Lock()
		ok, changed := s.answers(m, s.streams), s.changed
		s.mu.Unlock()
		if ok {
			break
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
}

func (s *besideStreams) change(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams += by
	close(s.changed)
	s.changed = make(chan struct{})
}

// listenAndAsk opens so many streams and then asks for something, each in a conversation and session of its own.
func listenAndAsk(t *testing.T, c *Client, streams int, method string) (asked *wire.Exchange, closed []*wire.Transcript) {
	t.Helper()
	start := func(name string) *Conversation {
		return c.Start(t.Context(), Script{Name: name, Dialect: Legacy{}, Shared: NewSession(wire.SessionInfo{ID: name, Opened: true})})
	}
	var listeners []*Conversation
	for i := range streams {
		v := start(fmt.Sprintf("listener/%d", i))
		v.Get("get")
		listeners = append(listeners, v)
	}
	v := start("asks")
	asked = v.Call("asked", method)
	v.Finish()
	for _, l := range listeners {
		closed = append(closed, l.Finish())
	}
	synctest.Wait() // what was answered last may have ended the standstill, which is noted a moment later
	return asked, closed
}

func TestStandstill(t *testing.T) {
	tests := map[string]struct {
		answers func(m wire.Message, streams int) bool
		// found is how many streams are said to be in the way; 0: no word of it.
		found int
		// cut: the streams made way.
		cut bool
	}{
		"one stream is one too many":  {func(_ wire.Message, n int) bool { return n == 0 }, 3, true},
		"three are":                   {func(_ wire.Message, n int) bool { return n < 3 }, 3, true},
		"nothing is in the way":       {func(wire.Message, int) bool { return true }, 0, false},
		"one request is not answered": {func(m wire.Message, _ int) bool { return m.Method != "tools/list" }, 0, false},
		"nothing is answered at all":  {func(wire.Message, int) bool { return false }, 0, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			server := &besideStreams{answers: test.answers, changed: make(chan struct{})}
			inBubble(t, server.serve, func(t *testing.T, c *Client) {
				began := time.Now()
				_, listeners := listenAndAsk(t, c, 3, "tools/list")
				troubles := c.Troubles()
				i := slices.IndexFunc(troubles, func(o Trouble) bool { return o.Kind == StreamsBlock })
				switch {
				case test.found == 0 && i >= 0:
					t.Errorf("said: %+v, want nothing", troubles[i])
				case test.found > 0 && i < 0:
					t.Error("nothing is said of it")
				case i >= 0 && (troubles[i].Count != test.found || troubles[i].During != "POST tools/list"):
					t.Errorf("said: %+v, want %d streams during POST tools/list", troubles[i], test.found)
				}
				if took := time.Since(began); test.found > 0 && took >= c.Timeout() {
					t.Errorf("it took %v, which is no less than a time-out", took)
				}
				for _, l := range listeners {
					if cut := l.Aborted == MadeWay; cut != test.cut {
						t.Errorf("a listener ended with %q", l.Aborted)
					}
				}
			})
		})
	}
}

// Where it was found out that there is no such thing, or the run goes on without streams, nothing is looked into.
func TestStandstillIsLookedIntoWhileWanted(t *testing.T) {
	server := &besideStreams{answers: func(_ wire.Message, n int) bool { return n == 0 }, changed: make(chan struct{})}
	inBubble(t, server.serve, func(t *testing.T, c *Client) {
		listenAndAsk(t, c, 1, "ping")
		c.Resume()
		c.StreamsLookedInto(1, false, false)
		x, _ := listenAndAsk(t, c, 1, "ping")
		if x.EndedBy != wire.ByTimeout {
			t.Errorf("the request ended by %q, want by time-out: the stream was there for it", x.EndedBy)
		}
		if troubles := c.Troubles(); len(troubles) != 1 || !troubles[0].Ends() {
			t.Errorf("troubles %+v, want the one that is known", troubles)
		}
		c.StreamsLookedInto(0, true, true)
		if troubles := c.Troubles(); len(troubles) != 0 {
			t.Errorf("troubles %+v, want none: it was an accident", troubles)
		}
		listenAndAsk(t, c, 1, "ping")
		if c.Halted() == nil {
			t.Error("a standstill that came again was not noticed")
		}
	})
}
