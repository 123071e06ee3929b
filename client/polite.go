package client

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// What the client does for a server that is busy.
const (
	maxBusy      = 3                // how often a request is repeated that is refused while others are served
	maxThrottled = 45               // how often where the whole run is held back
	maxPause     = 10 * time.Second // a longer Retry-After is not waited for
	busyPause    = time.Second      // after a 429 without Retry-After
	maxWaiting   = 10 * time.Minute // no pause can end later than this, whatever the clock does
)

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
