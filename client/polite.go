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
	maxBusy      = 3                // how often a request is repeated that is refused while others are served
	maxThrottled = 45               // how often where nothing is served meanwhile
	maxPause     = 10 * time.Second // a longer Retry-After is not waited for
	busyPause    = time.Second      // after a 429 without Retry-After
	maxWaiting   = 10 * time.Minute // no pause can end later than this, whatever the clock does
)

// A gate holds back the requests of a client: no more than so many in flight, and none while a busy server asked for a pause.
type gate struct {
	slots chan struct{}
	// shared bounds it together with the gates of other clients, by its host; nil where it is alone.
	shared *Shared
	host   string

	mu    sync.Mutex
	until time.Time
	pace
	next   time.Time     // when the next request may be sent, at the pace that was learnt
	learnt func(float64) // is told the pace
}

// A pace is learnt from the time that it takes until a throttled run is served again: so many requests in so long.
type pace struct {
	interval  time.Duration // between two requests; 0: as fast as it goes
	since     time.Time     // when counting began
	slow      time.Duration // how long an answer takes, smoothed
	ever      bool          // something was served, so that it is the pace that is refused
	refused   int           // answers of 429 since one that was not
	served    int           // answers other than 429 since then
	throttled time.Time     // when the first 429 came that no other answer has followed yet
	recovered time.Time     // when an answer last followed one
}

func newGate(n int, learnt func(float64)) *gate {
	return &gate{slots: make(chan struct{}, n), learnt: learnt}
}

// answered is told of every answer.
func (g *gate) answered(status int) {
	now := time.Now()
	g.mu.Lock()
	if g.since.IsZero() {
		g.since = now
	}
	if status == http.StatusTooManyRequests {
		g.refused++
		if g.throttled.IsZero() {
			g.throttled = now
		}
		g.mu.Unlock()
		return
	}
	g.served++
	g.ever = true
	if g.throttled.IsZero() || now.Sub(g.throttled) < minThrottle {
		// What was under way when the first 429 came is no recovery.
		g.mu.Unlock()
		return
	}
	if g.refused < minRefused {
		// One request or another was refused while others were served: that is no limit for the run.
		g.throttled, g.refused = time.Time{}, 0
		g.mu.Unlock()
		return
	}
	per := now.Sub(g.since) / time.Duration(g.served)
	g.interval = min(max(per, g.interval+g.interval/4), maxInterval)
	g.since, g.served, g.refused, g.throttled, g.recovered = now, 0, 0, time.Time{}, now
	rate := float64(time.Second) / float64(g.interval)
	g.mu.Unlock()
	g.learnt(rate)
}

// held tells that ordinary requests are refused for the pace: now, or so lately that the pace was learnt from it.
func (g *gate) held() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused > 0 || g.interval > 0
}

// took is told how long an answer took to begin.
func (g *gate) took(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.slow += (d - g.slow) / 8
}

// latency is how long an answer takes to begin.
func (g *gate) latency() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.slow
}

const (
	// minThrottle is how long a target must have been refusing before an answer means that it serves again, and minRefused how many
	// requests it must have refused.
	minThrottle = 300 * time.Millisecond
	minRefused  = 4
	// maxInterval is the slowest pace that a run takes.
	maxInterval = 500 * time.Millisecond
)

// worth counts the tries of a request that is refused for load, and tells whether one more is worth it: a few where others are served,
// and more where the whole run is held back.
func (g *gate) worth(tries *int, sent time.Time) bool {
	*tries++
	g.mu.Lock()
	defer g.mu.Unlock()
	return *tries <= maxBusy || *tries <= maxThrottled && g.ever && !g.throttled.IsZero() && !g.recovered.After(sent)
}

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
	if g.shared == nil {
		return release, nil
	}
	shared, err := g.shared.enter(ctx, g.host)
	if err != nil {
		release()
		return nil, err
	}
	own := release
	return func() { shared(); own() }, nil
}

// wait waits for the end of a pause.
func (g *gate) wait(ctx context.Context) error {
	for {
		g.mu.Lock()
		now := time.Now()
		left := max(g.until.Sub(now), g.next.Sub(now))
		if left <= 0 {
			g.next = now.Add(g.interval)
			g.mu.Unlock()
			return nil
		}
		g.mu.Unlock()
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
