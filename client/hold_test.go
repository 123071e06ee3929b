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

// TestSessionsAreWaitedFor: where a server opens so many sessions in a stretch of time and says when it opens the next, none is lost, and
// hardly any is refused; one that opens no more, whatever it says, is not waited for for ever.
func TestSessionsAreWaitedFor(t *testing.T) {
	const stretch, each, wanted = 20 * time.Second, 6, 30
	for name, row := range map[string]struct {
		ever    bool // it opens no more than the first
		served  int
		refused int
		took    time.Duration
	}{
		"six in 20 s": {false, wanted, 30, 4*stretch + 3*time.Second},
		"six ever":    {true, each, 200, 7 * stretch},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var began time.Time
			count, total, refused := 0, 0, 0
			answer := func(w io.Writer, r *http.Request, _ int) bool {
				data, _ := io.ReadAll(r.Body)
				m := wire.ReadMessage(data)
				time.Sleep(5 * time.Millisecond)
				if m.Method != "initialize" {
					respond(w, 200, "Content-Type: application/json\r\n", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID))
					return true
				}
				mu.Lock()
				defer mu.Unlock()
				now := time.Now()
				if now.Sub(began) >= stretch && !(row.ever && total >= each) {
					began, count = now, 0
				}
				if count++; count > each {
					refused++
					respond(w, 429, fmt.Sprintf("Retry-After: %d\r\n", stretch/time.Second), "")
					return true
				}
				total++
				respond(w, 200, fmt.Sprintf("Content-Type: application/json\r\nMcp-Session-Id: s%d\r\n", total),
					fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}`, m.ID))
				return true
			}
			bubble(t, Config{Concurrency: 16}, answer, func(g *WithT, v *Conversation) {
				served := 0
				var calls []func()
				for i := range wanted {
					calls = append(calls, func() {
						if v.Initialize(fmt.Sprint("session ", i), "2025-06-18").Served() {
							mu.Lock()
							served++
							mu.Unlock()
						}
					})
				}
				v.Parallel(calls...)
				g.Expect(v.Now()).To(BeNumerically("<=", row.took))
				g.Expect(served).To(Equal(row.served))
				g.Expect(refused).To(BeNumerically("<=", row.refused))
				rate := ContainElement(And(HaveField("Kind", SessionRate), HaveField("Count", each), HaveField("Latency", stretch)))
				if row.ever {
					rate = Not(ContainElement(HaveField("Kind", SessionRate)))
				}
				g.Expect(v.Client().Troubles()).To(rate)
			})
		})
	}
}
