package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/suites"
)

// TestWaitThrough503: --wait goes on while a server that listens already says that it is not ready, and no longer.
func TestWaitThrough503(t *testing.T) {
	const starting = 2
	tests := []struct {
		name string
		// ready is what is answered once the server has started; 0: it never has.
		ready    int
		requests int64
	}{
		{"then served", http.StatusOK, starting + 1},
		{"then no HEAD", http.StatusMethodNotAllowed, starting + 1},
		{"then wants credentials", http.StatusUnauthorized, starting + 1},
		{"until the patience is over", 0, starting + 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var asked atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodHead {
					t.Errorf("asked by %s, which may open or change something", r.Method)
				}
				switch n := asked.Add(1); {
				case n <= starting:
					w.WriteHeader(http.StatusServiceUnavailable)
				case test.ready == 0:
					cancel()
					w.WriteHeader(http.StatusServiceUnavailable)
				default:
					w.WriteHeader(test.ready)
				}
			}))
			defer server.Close()
			told := 0
			awaitReady(ctx, server.URL+"/mcp", time.Minute, func(p suites.Progress) {
				told++
				if p.Waiting == "" {
					t.Errorf("waiting is not named: %+v", p)
				}
			})
			if n := asked.Load(); n != test.requests {
				t.Errorf("asked %d times, want %d", n, test.requests)
			}
			if told < starting {
				t.Errorf("told of it %d times, want at least %d", told, starting)
			}
		})
	}
}
