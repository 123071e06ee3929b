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

// A hold keeps initializes back where a server allows only so many sessions in a stretch of time and says when it opens the next.
type hold struct {
	mu    sync.Mutex
	until time.Time
	holds int
	spent time.Duration // all of them together
	// asked is the longest that the server asked for, opened how many sessions it has opened, before how many when the last hold began.
	asked          time.Duration
	opened, before int
	// began is when the stretch at hand did, let how many initializes were let through in it, most how many sessions the first one brought.
	began     time.Time
	let, most int
}

const (
	// longestHold is the longest Retry-After of an initialize that is waited for, maxHeld how long a run waits in all.
	longestHold, maxHeld = 90 * time.Second, 270 * time.Second
)

// ask begins a hold, or joins one that lasts. It is false where waiting is no use: the server has opened no session since the last one, or
// the run has waited long enough.
func (h *hold) ask(d time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	switch {
	case d <= 0:
		return false
	case h.until.After(now):
		return true
	case d > longestHold, h.spent+d > maxHeld, h.opened == h.before:
		return false
	}
	if h.holds == 0 {
		h.most = h.opened
	}
	h.asked = max(h.asked, d)
	h.begin(now.Add(d), d)
	return true
}

// begin keeps initializes back until then. The lock is held.
func (h *hold) begin(until time.Time, d time.Duration) {
	h.until, h.began, h.before, h.let = until, until, h.opened, 0
	h.holds++
	h.spent += d
}

// holding tells that initializes are being kept back.
func (h *hold) holding() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.until.After(time.Now())
}

// granted counts a session that was opened.
func (h *hold) granted() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.opened++
}

// wait waits until a session may be opened: until a hold has ended, and until the next stretch where this one has brought what the others
// did.
func (h *hold) wait(ctx context.Context) {
	for {
		h.mu.Lock()
		now := time.Now()
		left := h.until.Sub(now)
		if next := h.began.Add(h.asked); left <= 0 && h.holds > 0 && h.let >= h.most && next.After(now) && h.spent+next.Sub(now) <= maxHeld {
			left = next.Sub(now)
			h.begin(next, left)
		}
		if left <= 0 {
			if !h.began.Add(h.asked).After(now) {
				h.began, h.let = now, 0
			}
			h.let++
			h.mu.Unlock()
			return
		}
		h.mu.Unlock()
		if sleep(ctx, left) != nil {
			return
		}
	}
}

// rate is how many sessions the server opens in how long, once it had to be waited for, and how long the run would still wait.
func (h *hold) rate() (sessions int, in, left time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holds == 0 {
		return 0, 0, 0
	}
	return max(1, h.most), h.asked, maxHeld - h.spent + max(0, time.Until(h.until))
}

// wanted is how long the refusal of an initialize asks to wait; 0 where it does not say.
func wanted(r *wire.Response) time.Duration {
	if r == nil || r.Status != http.StatusTooManyRequests && r.Status != http.StatusServiceUnavailable {
		return 0
	}
	seconds, err := strconv.ParseUint(strings.TrimSpace(r.Header.Get("Retry-After")), 10, 32)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
