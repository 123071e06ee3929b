package client

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// oneStream allows one stream at a time, for each session or in all, and refuses a second one with a status of its own.
type oneStream struct {
	status   int
	sessions bool

	mu      sync.Mutex
	open    map[string]bool
	refused int
}

func (s *oneStream) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		return
	}
	key := ""
	if s.sessions {
		key = r.Header.Get("Mcp-Session-Id")
	}
	s.mu.Lock()
	taken := s.open[key]
	if taken {
		s.refused++
	} else {
		s.open[key] = true
	}
	s.mu.Unlock()
	if taken {
		w.WriteHeader(s.status)
		return
	}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, key)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// pipes are connections without a network, for tests in a synctest bubble.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// inBubble runs a test with a client of a handler, in fake time.
func inBubble(t *testing.T, h http.HandlerFunc, test func(t *testing.T, c *Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := make(pipes)
		server := &http.Server{Handler: h, ErrorLog: discardLog, ReadHeaderTimeout: time.Minute}
		served := make(chan struct{})
		go func() { defer close(served); _ = server.Serve(p) }()
		dial := func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			p <- theirs
			return ours, nil
		}
		c, err := New(Config{URL: "http://server.test/mcp", Dial: dial})
		if err != nil {
			t.Fatal(err)
		}
		test(t, c)
		c.Close()
		close(p)
		<-served
		server.Close()
	})
}

// listenAll opens streams in sessions of these names, each in a conversation of its own, all at once, and returns what was answered.
func listenAll(t *testing.T, c *Client, sessions ...string) (statuses []int) {
	t.Helper()
	statuses = make([]int, len(sessions))
	var wg sync.WaitGroup
	for i, session := range sessions {
		wg.Go(func() {
			v := c.Start(t.Context(), Script{Name: fmt.Sprintf("listener/%d", i), Dialect: Legacy{}, Shared: NewSession(wire.SessionInfo{ID: session, Opened: true})})
			defer v.Finish()
			stream := v.Get("get", HeadWithin(5*time.Second))
			v.Sleep(time.Second)
			stream.Close()
			statuses[i] = stream.Exchange().Status()
		})
	}
	wg.Wait()
	return statuses
}

func TestStreamsQueueWhereOneIsAllowed(t *testing.T) {
	for name, server := range map[string]*oneStream{
		"409 for the whole server": {status: 409},
		"409 in a session":         {status: 409, sessions: true},
		"400 in a session":         {status: 400, sessions: true},
	} {
		t.Run(name, func(t *testing.T) {
			server.open = map[string]bool{}
			inBubble(t, server.serve, func(t *testing.T, c *Client) {
				if statuses := listenAll(t, c, "a", "a", "b", "b", "a"); slices.Min(statuses) != 200 || slices.Max(statuses) != 200 {
					t.Errorf("answers %v, want streams one after another", statuses)
				}
				if server.refused == 0 {
					t.Error("no two streams met, so that nothing was tried")
				}
				if !slices.ContainsFunc(c.Troubles(), func(o Trouble) bool { return o.Kind == StreamsExclude }) {
					t.Errorf("troubles %v, want that streams exclude one another", c.Troubles())
				}
				before := server.refused
				listenAll(t, c, "a", "a", "b", "b", "a")
				if server.refused > before+1 {
					t.Errorf("%d refusals although streams queue", server.refused-before)
				}
			})
		})
	}
}

// A stream that the conversation holds itself explains the refusal of a second: that is an answer, and worth no second try.
func TestSecondStreamOfAConversation(t *testing.T) {
	server := &oneStream{status: 409, open: map[string]bool{}}
	inBubble(t, server.serve, func(t *testing.T, c *Client) {
		v := c.Start(t.Context(), Script{Name: "two", Dialect: Legacy{}})
		first, second := v.Get("first"), v.Get("second")
		second.Close()
		first.Close()
		if got := second.Exchange().Status(); got != 409 || server.refused != 1 {
			t.Errorf("the second stream: %d, refused %d times; want one 409", got, server.refused)
		}
		if troubles := c.Troubles(); len(troubles) > 0 {
			t.Errorf("troubles %v, want none", troubles)
		}
		v.Finish()
	})
}

// A GET that is refused whatever else is open says nothing of streams.
func TestRefusalThatNoStreamExplains(t *testing.T) {
	inBubble(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet:
		case r.Header.Get("Mcp-Session-Id") == "good":
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			w.WriteHeader(http.StatusConflict)
		}
	}, func(t *testing.T, c *Client) {
		for range maxInnocent + 1 {
			statuses := listenAll(t, c, "good", "bad")
			if want := []int{200, 409}; !slices.Equal(statuses, want) {
				t.Errorf("answers %v, want %v", statuses, want)
			}
		}
		if troubles := c.Troubles(); len(troubles) > 0 {
			t.Errorf("troubles %v, want none", troubles)
		}
	})
}

// A GET without a session id is a bad request where there are sessions, whatever streams these have: it is not sent again, and nothing queues.
func TestStreamsHaveNothingToDoWithAMissingSession(t *testing.T) {
	var refused atomic.Int32
	inBubble(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.Header.Get("Mcp-Session-Id") == "" {
			refused.Add(1)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	}, func(t *testing.T, c *Client) {
		statuses := listenAll(t, c, "a", "", "b", "c")
		if want := []int{200, 400, 200, 200}; !slices.Equal(statuses, want) || refused.Load() != 1 {
			t.Errorf("answers %v and %d refusals, want %v and one", statuses, refused.Load(), want)
		}
	})
}
