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
	// refused is until when they are kept back since one was refused, or while it is being found out why one was.
	refused time.Time
	holds   int
	spent   time.Duration // all of them together
	// asked is the longest that the server asked for, opened how many sessions it has opened, before how many when the last hold began.
	asked          time.Duration
	opened, before int
	// first is when the first hold ended, waited that sessions were opened after it.
	first  time.Time
	waited bool
	// fruitless is how many stretches in a row brought no session.
	fruitless int
	// began is when the stretch at hand did, let how many initializes were let through in it, most how many sessions the first one brought.
	began     time.Time
	let, most int
}

const (
	// longestHold is the longest Retry-After of an initialize that is waited for, maxHeld how long a run waits in all.
	longestHold, maxHeld = 90 * time.Second, 270 * time.Second
	// maxFruitless is how many stretches without a session are waited for.
	maxFruitless = 2
)

// ask begins a hold, or joins one that lasts. It is false where waiting is no use: the server opens none, whatever it says, or
// the run has waited long enough.
func (h *hold) ask(d time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	switch {
	case d <= 0, h.fruitless >= maxFruitless:
		return false
	case h.until.After(now):
		return true
	case d > longestHold, h.spent+d > maxHeld:
		return false
	}
	if h.holds == 0 {
		h.most, h.first = h.opened, now.Add(d)
	}
	h.asked = max(h.asked, d)
	h.begin(now.Add(d), d)
	h.refused = h.until
	return true
}

// wonder keeps initializes back for a moment.
func (h *hold) wonder(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if until := time.Now().Add(d); until.After(h.refused) {
		h.refused = until
	}
}

// lasts tells that initializes are kept back since one was refused: who was let through before waits again.
func (h *hold) lasts() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.refused.After(time.Now())
}

// begin keeps initializes back until then. The lock is held.
func (h *hold) begin(until time.Time, d time.Duration) {
	// What was let through in the stretch at hand may still be under way.
	if h.fruitless++; h.opened > h.before {
		h.fruitless = 0
	}
	h.until, h.began, h.before, h.let = until, until, h.opened, 0
	h.holds++
	h.spent += d
}

// known tells that sessions had to be waited for.
func (h *hold) known() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.holds > 0
}

// granted counts a session that was opened. It tells that it came of waiting.
func (h *hold) granted() (waited bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.opened++
	h.waited = h.waited || h.holds > 0 && time.Now().After(h.first)
	return h.waited
}

// wait waits until a session may be opened: until a hold has ended, and until the next stretch where this one has brought what the others
// did.
func (h *hold) wait(ctx context.Context) {
	for {
		h.mu.Lock()
		now := time.Now()
		left := max(h.until.Sub(now), h.refused.Sub(now))
		// The server's stretch begins with the first session that it opens, a little after ours.
		if next := h.began.Add(h.asked + h.asked/50); left <= 0 && h.holds > 0 && h.let >= h.most && next.After(now) && h.spent+next.Sub(now) <= maxHeld {
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
	if h.holds == 0 || !h.waited && h.asked <= maxPause {
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
