package client

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// What the client does for a server that is busy.
const (
	maxBusy    = 3                // how often a refused request is repeated
	maxPause   = 10 * time.Second // a longer Retry-After is not waited for
	busyPause  = time.Second      // after a 429 without Retry-After
	maxWaiting = 10 * time.Minute // no pause can end later than this, whatever the clock does
)

// A gate holds back the requests of a client: no more than so many in flight, and none while a busy server asked for a pause.
type gate struct {
	slots chan struct{}

	mu    sync.Mutex
	until time.Time
}

func newGate(n int) *gate { return &gate{slots: make(chan struct{}, n)} }

// enter waits for the end of a pause and then for a slot; the release function may be called twice.
func (g *gate) enter(ctx context.Context) (release func(), err error) {
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	release = sync.OnceFunc(func() { <-g.slots })
	if err := g.wait(ctx); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// wait waits for the end of a pause.
func (g *gate) wait(ctx context.Context) error {
	for {
		g.mu.Lock()
		left := time.Until(g.until)
		g.mu.Unlock()
		if left <= 0 {
			return nil
		}
		if err := sleep(ctx, min(left, maxWaiting)); err != nil {
			return err
		}
	}
}

func (g *gate) pause(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := time.Now().Add(d); until.After(g.until) {
		g.until = until
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// retryAfter tells whether the response is the refusal of a busy server that is worth waiting for, and how long.
func retryAfter(r *wire.Response, now time.Time) (time.Duration, bool) {
	if r == nil || r.Status != http.StatusTooManyRequests && r.Status != http.StatusServiceUnavailable {
		return 0, false
	}
	value := strings.TrimSpace(r.Header.Get("Retry-After"))
	if value == "" {
		return busyPause, r.Status == http.StatusTooManyRequests
	}
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		d := time.Duration(seconds) * time.Second
		return d, d <= maxPause
	}
	if date, err := http.ParseTime(value); err == nil {
		d := max(0, date.Sub(now))
		return d, d <= maxPause
	}
	return 0, false
}
