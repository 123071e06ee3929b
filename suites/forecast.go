package suites

import (
	"fmt"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
)

// How long a run takes is worth a word where the server makes it long: by a limit of requests, or by answers that take long.

const (
	// slowAnswers is from which latency on all waiting is side by side, also that of conversations that are better alone.
	slowAnswers = time.Second
	// requestsEach is about how many requests a conversation sends, in how many of those one waits for another at the end of a run.
	requestsEach, inARow = 5.5, 35
	// sessionsEach is about how many sessions a conversation opens.
	sessionsEach = 0.85
)

// left is about how long the run will still take; 0 where nothing makes it long.
func (r *recorder) left(done, total int) time.Duration {
	if sessions, in, most := r.client.SessionRate(); sessions > 0 {
		wanted := max(sessionsEach*float64(total)-float64(r.client.SessionsSeen()), sessionsEach*float64(total-done))
		return min(most, time.Duration(wanted/float64(sessions)*float64(in)))
	}
	latency := r.client.Latency()
	if !r.client.Limited() && latency < slowAnswers {
		return 0
	}
	// While conversations run side by side their requests say more than how many of them have ended.
	requests := max(requestsEach*float64(total)-float64(r.client.Stats().Requests-r.earlier), float64(total-done))
	return time.Duration(requests*float64(r.client.Rhythm())) + min(inARow, time.Duration(total-done))*latency
}

// foresee keeps what is said first of how long the run takes.
func (r *recorder) foresee(left time.Duration) {
	if r.forecast == 0 && left > 0 {
		r.forecast = time.Since(r.began) + left
	}
}

// foretold adds to the troubles what was said of how long the run would take.
func (r *recorder) foretold(troubles []client.Trouble) []client.Trouble {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.forecast == 0 {
		return troubles
	}
	troubles = slices.Clone(troubles)
	limits := func(t client.Trouble) bool { return t.Kind == client.Throttled || t.Kind == client.SessionRate }
	if i := slices.IndexFunc(troubles, limits); i >= 0 {
		troubles[i].Forecast = r.forecast
		return troubles
	}
	if latency := r.client.Latency(); latency >= slowAnswers {
		troubles = append(troubles, client.Trouble{Kind: client.Slow, Latency: latency, Forecast: r.forecast})
	}
	return troubles
}

// About writes a forecast for people, who want no seconds of minutes.
func About(d time.Duration) string {
	if d < 90*time.Second {
		return fmt.Sprintf("about %d seconds", int((d+5*time.Second)/(10*time.Second))*10)
	}
	return fmt.Sprintf("about %d minutes", int((d+time.Minute/2)/time.Minute))
}
