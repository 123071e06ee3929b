package client

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"

	. "github.com/onsi/gomega"
)

// A windowed server takes so many requests in each stretch of time that begins with a request, and refuses the others with 429.
type windowed struct {
	most   int
	length time.Duration
	// header of the refusals.
	header func(left time.Duration) string

	mu              sync.Mutex
	began           time.Time
	count           int
	served, refused int
}

func (s *windowed) answer(w io.Writer, _ *http.Request, _ int) bool {
	s.mu.Lock()
	now := time.Now()
	if now.Sub(s.began) >= s.length {
		s.began, s.count = now, 0
	}
	s.count++
	over, left := s.count > s.most, s.began.Add(s.length).Sub(now)
	if over {
		s.refused++
	} else {
		s.served++
	}
	s.mu.Unlock()
	time.Sleep(5 * time.Millisecond)
	if !over {
		respond(w, 200, "Content-Type: application/json\r\n", pong)
		return true
	}
	header := ""
	if s.header != nil {
		header = s.header(left)
	}
	respond(w, 429, header, "slow down")
	return true
}

// TestPaceIsLearnt: a run keeps to the pace of a target that counts, loses no request, and is refused hardly ever once it knows.
func TestPaceIsLearnt(t *testing.T) {
	for name, s := range map[string]*windowed{
		"60 in 10 s": {most: 60, length: 10 * time.Second},
		"60 in 10 s, with Retry-After": {most: 60, length: 10 * time.Second, header: func(left time.Duration) string {
			return fmt.Sprintf("Retry-After: %d\r\n", int((left+time.Second-1)/time.Second))
		}},
		"5 in a second": {most: 5, length: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			const requests = 400
			bubble(t, Config{Concurrency: 16}, s.answer, func(g *WithT, v *Conversation) {
				var calls []func()
				for i := range requests {
					calls = append(calls, func() { g.Expect(v.Call(fmt.Sprint("call", i), "ping").Status()).To(Equal(200)) })
				}
				v.Parallel(calls...)
				least := time.Duration(requests) * s.length / time.Duration(s.most)
				g.Expect(v.Now()).To(BeNumerically("<", least+least/7+3*time.Second))
				g.Expect(s.served).To(Equal(requests))
				g.Expect(s.refused).To(BeNumerically("<", 45))
				g.Expect(v.Client().Troubles()).To(ContainElement(HaveField("Kind", Throttled)))
			})
		})
	}
}

// TestOneRefusalIsNoPace: what is refused alone, while others are served, slows nobody down.
func TestOneRefusalIsNoPace(t *testing.T) {
	answer := func(w io.Writer, r *http.Request, _ int) bool {
		data, _ := io.ReadAll(r.Body)
		if wire.ReadMessage(data).Method == "tools/call" {
			respond(w, 429, "", "never")
		} else {
			respond(w, 200, "Content-Type: application/json\r\n", pong)
		}
		return true
	}
	bubble(t, Config{Concurrency: 4}, answer, func(g *WithT, v *Conversation) {
		for range 20 {
			v.Call("ping", "ping")
		}
		for range 3 {
			g.Expect(v.Call("refused", "tools/call").Status()).To(Equal(429))
			v.Call("ping", "ping")
		}
		g.Expect(v.Client().Troubles()).To(BeEmpty())
		began := v.Now()
		for range 100 {
			v.Call("ping", "ping")
		}
		g.Expect(v.Now() - began).To(BeZero())
	})
}

// TestSlowAnswersAreWaitedForSideBySide: where each answer takes long, more requests are under way than usual, unless the user said how
// many; where they take longer for it, they are not.
func TestSlowAnswersAreWaitedForSideBySide(t *testing.T) {
	for _, row := range []struct {
		name      string
		config    Config
		alone     time.Duration
		under     func(now int) time.Duration
		fewerThan time.Duration
		moreThan  time.Duration
		most      int
	}{
		{"slow", Config{}, time.Second, func(int) time.Duration { return time.Second }, 25 * time.Second, 10 * time.Second, 32},
		{"as told", Config{Concurrency: 8}, time.Second, func(int) time.Duration { return time.Second }, 61 * time.Second, 59 * time.Second, 8},
		{"quick", Config{}, 100 * time.Millisecond, func(int) time.Duration { return 100 * time.Millisecond }, 6100 * time.Millisecond, 5900 * time.Millisecond, 8},
		{"loaded", Config{}, time.Second, func(now int) time.Duration { return time.Duration(now) * time.Second }, time.Hour, 479 * time.Second, 8},
	} {
		t.Run(row.name, func(t *testing.T) {
			var mu sync.Mutex
			now, most := 0, 0
			answer := func(w io.Writer, _ *http.Request, _ int) bool {
				mu.Lock()
				now++
				most = max(most, now)
				takes := row.under(now)
				mu.Unlock()
				time.Sleep(takes)
				mu.Lock()
				now--
				mu.Unlock()
				respond(w, 200, "Content-Type: application/json\r\n", pong)
				return true
			}
			row.config.Timeout = time.Hour
			bubble(t, row.config, answer, func(g *WithT, v *Conversation) {
				var calls []func()
				for i := range 480 {
					calls = append(calls, func() { v.Call(fmt.Sprint("call", i), "ping") })
				}
				v.Parallel(calls...)
				g.Expect(v.Now()).To(And(BeNumerically("<", row.fewerThan), BeNumerically(">", row.moreThan)))
				g.Expect(most).To(Equal(row.most))
			})
		})
	}
}
