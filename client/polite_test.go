package client

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"

	. "github.com/onsi/gomega"
)

func respond(w io.Writer, status int, header, body string) {
	fmt.Fprintf(w, "HTTP/1.1 %d %s\r\n%sContent-Length: %d\r\n\r\n%s", status, http.StatusText(status), header, len(body), body)
}

func TestBusyServer(t *testing.T) {
	tests := []struct {
		name, header string
		status       int
		refusals     int32
		want         int // the final status
		busy         int // recorded refusals
		took         time.Duration
	}{
		{"seconds", "Retry-After: 2\r\n", 503, 1, 200, 1, 2 * time.Second},
		{"twice", "Retry-After: 2\r\n", 429, 2, 200, 2, 4 * time.Second},
		{"at most three times", "Retry-After: 1\r\n", 429, 99, 429, 3, 3 * time.Second},
		{"date", "Retry-After: Sat, 01 Jan 2000 00:00:05 GMT\r\n", 503, 1, 200, 1, 5 * time.Second},
		{"date in the past", "Retry-After: Sat, 01 Jan 1999 00:00:05 GMT\r\n", 503, 1, 200, 1, 0},
		{"429 without Retry-After", "", 429, 1, 200, 1, time.Second},
		{"503 without Retry-After", "", 503, 1, 503, 0, 0},
		{"too long", "Retry-After: 11\r\n", 429, 1, 429, 0, 0},
		{"nonsense", "Retry-After: soon\r\n", 429, 1, 429, 0, 0},
		{"other status", "Retry-After: 1\r\n", 500, 1, 500, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var n atomic.Int32
			answer := func(w io.Writer, r *http.Request, conn int) bool {
				if n.Add(1) <= test.refusals {
					respond(w, test.status, test.header, "busy")
				} else {
					respond(w, 200, "Content-Type: application/json\r\n", pong)
				}
				return true
			}
			bubble(t, Config{}, answer, func(g *WithT, v *Conversation) {
				x := v.Call("x", "ping")
				g.Expect(x.Status()).To(Equal(test.want))
				g.Expect(v.Now()).To(Equal(test.took))
				tr := v.Finish()
				g.Expect(tr.Exchanges).To(HaveLen(test.busy + 1))
				for i := range test.busy {
					refused := tr.Exchanges[i]
					g.Expect(refused.Label).To(Equal(fmt.Sprintf("auto/busy/x/%d", i+1)))
					g.Expect(refused.Origin).To(Equal(wire.Origin{Kind: wire.FromBusy, Of: "x", Number: i + 1}))
					g.Expect(refused.Status()).To(Equal(test.status))
					g.Expect(string(refused.Response.Body.Bytes())).To(Equal("busy"))
				}
				g.Expect(tr.Exchanges[test.busy]).To(BeIdenticalTo(x))
			})
		})
	}
}

func TestPauseHoldsEveryRequest(t *testing.T) {
	var mu sync.Mutex
	var at []time.Duration
	start := time.Time{}
	answer := func(w io.Writer, r *http.Request, conn int) bool {
		mu.Lock()
		defer mu.Unlock()
		if start.IsZero() {
			start = time.Now()
		}
		at = append(at, time.Since(start))
		if len(at) == 1 {
			respond(w, 429, "Retry-After: 3\r\n", "")
		} else {
			respond(w, 200, "", "")
		}
		return true
	}
	bubble(t, Config{}, answer, func(g *WithT, v *Conversation) {
		v.Parallel(
			func() { v.Call("first", "ping") },
			func() { v.Sleep(time.Second); v.Call("second", "ping") },
			func() { v.Sleep(2 * time.Second); v.Get("third") },
		)
		g.Expect(at).To(Equal([]time.Duration{0, 3 * time.Second, 3 * time.Second, 3 * time.Second}))
	})
}

func TestConcurrencyIsBounded(t *testing.T) {
	var now, most atomic.Int32
	answer := func(w io.Writer, r *http.Request, conn int) bool {
		if r.Method == http.MethodGet {
			io.WriteString(w, sseHead)
			w.(io.Reader).Read(make([]byte, 1))
			return false
		}
		n := now.Add(1)
		most.Store(max(most.Load(), n))
		time.Sleep(time.Second)
		now.Add(-1)
		respond(w, 200, "", "")
		return true
	}
	bubble(t, Config{Concurrency: 3}, answer, func(g *WithT, v *Conversation) {
		var calls []func()
		for i := range 9 {
			// A stream gives its slot back, or these would never end.
			g.Expect(v.Get(fmt.Sprint("stream", i)).Opened()).To(BeTrue())
			calls = append(calls, func() { v.Call(fmt.Sprint("call", i), "ping") })
		}
		v.Parallel(calls...)
		g.Expect(most.Load()).To(BeEquivalentTo(3))
		g.Expect(v.Now()).To(Equal(3 * time.Second))
		v.Finish()
	})
}

func TestStreamsReturnAtTheirHead(t *testing.T) {
	answer := func(w io.Writer, r *http.Request, conn int) bool {
		io.WriteString(w, sseHead)
		time.Sleep(time.Second)
		io.WriteString(w, "data: 1\n\n")
		time.Sleep(time.Second)
		io.WriteString(w, "data: 2\n\n")
		w.(io.Reader).Read(make([]byte, 1))
		return false
	}
	bubble(t, Config{}, answer, func(g *WithT, v *Conversation) {
		s := v.Get("s")
		g.Expect(s.Opened()).To(BeTrue())
		g.Expect(v.Now()).To(BeZero())
		_, ok := s.Next(500*time.Millisecond, nil)
		g.Expect(ok).To(BeFalse())
		e, ok := s.Next(5*time.Second, func(e wire.Event) bool { return e.Data == "2" })
		g.Expect(ok).To(BeTrue())
		g.Expect(e.At).To(Equal(2 * time.Second))
		v.Sleep(time.Minute) // no deadline for a stream
		s.Close()
		x := s.Exchange()
		g.Expect(x.EndedBy).To(Equal(wire.ByClient))
		g.Expect(x.Error).To(BeNil())
		g.Expect(x.End).To(Equal(62 * time.Second))
		g.Expect(x.Events()).To(HaveLen(2))
		g.Expect(x.Events()[0].At).To(Equal(time.Second))
		g.Expect(x.Events()[1].At).To(Equal(2 * time.Second))
	})
}

func TestWatch(t *testing.T) {
	slow := 200 * time.Millisecond
	answer := func(w io.Writer, r *http.Request, conn int) bool {
		if r.Method == http.MethodGet {
			io.WriteString(w, sseHead)
			if r.Header.Get("Last-Event-ID") != "" {
				time.Sleep(time.Second)
				return false
			}
			w.(io.Reader).Read(make([]byte, 1))
			return false
		}
		time.Sleep(slow)
		data, _ := io.ReadAll(r.Body)
		respond(w, 200, "Content-Type: application/json\r\n", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, wire.ReadMessage(data).ID))
		return true
	}
	bubble(t, Config{}, answer, func(g *WithT, v *Conversation) {
		s := v.Get("s")
		v.Watch(s, nil)
		v.Watch(s, v.Call("marker", "ping"))
		v.Watch(s, v.Post("unanswered", []byte(`{}`)))
		ends := v.Get("ends", WithHeader("Last-Event-ID", "1"))
		v.Sleep(900 * time.Millisecond)
		v.Watch(ends, nil)
		tr := v.Finish()
		g.Expect(tr.Windows).To(HaveLen(4))
		g.Expect(tr.Windows[0]).To(Equal(wire.Window{Stream: "s", From: 0, To: 300 * time.Millisecond, Want: 300 * time.Millisecond}))
		g.Expect(tr.Windows[1]).To(Equal(wire.Window{Stream: "s", Marker: "marker", From: 500 * time.Millisecond, To: 1100 * time.Millisecond, Want: 600 * time.Millisecond}))
		g.Expect(tr.Windows[2].Long()).To(BeFalse())
		g.Expect(tr.Windows[3].Long()).To(BeFalse())
		g.Expect(tr.Windows[3].To - tr.Windows[3].From).To(Equal(100 * time.Millisecond))
	})
}
