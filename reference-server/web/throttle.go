package web

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// ratePerSec is what the rate limit allows.
const ratePerSec = 5

// The switches of a server that cannot keep up, or does not want to.
var (
	switchOneWorker = switches.Add("one-worker", "answers one request at a time")
	switchRateLimit = switches.Add("rate-limit", "refuses more than five requests a second with 429")
)

type throttle struct {
	worker chan struct{} // has room for one

	mu     sync.Mutex
	recent []time.Time
}

// Limited refuses what exceeds the rate, where there is a limit.
func (x *Exchange) Limited() bool {
	if !x.On(switchRateLimit) {
		return false
	}
	th := &x.Site.throttle
	th.mu.Lock()
	now := time.Now()
	th.recent = slices.DeleteFunc(th.recent, func(t time.Time) bool { return now.Sub(t) > time.Second })
	over := len(th.recent) >= ratePerSec
	if !over {
		th.recent = append(th.recent, now)
	}
	th.mu.Unlock()
	if over {
		a := plain("rate-limited", http.StatusTooManyRequests, "too many requests")
		a.Header.Set("Retry-After", "1")
		x.Send(a)
	}
	return over
}

// Worker waits for the one worker, where there is only one. It is not ok where the client or the server goes first.
func (x *Exchange) Worker() (release func(), ok bool) {
	if !x.On(switchOneWorker) {
		return func() {}, true
	}
	select {
	case x.Site.throttle.worker <- struct{}{}:
		return func() { <-x.Site.throttle.worker }, true
	case <-x.R.Context().Done():
	case <-x.Site.Ctx.Done():
	}
	return nil, false
}
