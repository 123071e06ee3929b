package client

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A gate holds back the requests of a client: no more than so many in flight, none while a busy server asked for a pause, and no faster
// than the pace that was learnt from its refusals.
type gate struct {
	slots slots
	// shared bounds it together with the gates of other clients, by its host; nil where it is alone.
	shared *Shared
	host   string

	mu    sync.Mutex
	until time.Time // nothing is sent before
	next  time.Time // when the next request may be sent, at the pace that was learnt
	pace
	slow    time.Duration // how long an answer takes to begin, smoothed
	least   time.Duration // the shortest time that an answer to a harmless request took
	spare   int           // slots that are kept back until answers turn out to take long of themselves
	steady  int           // answers since the number of slots was last changed
	learnt  func(float64) // is told the pace, in requests a second
	changed chan struct{} // closed when requests are served again, or a scout is back
}

// A pace is learnt from the time that it takes until a throttled run is served again: so many requests in so long. While nothing is served
// one request at a time goes as a scout.
type pace struct {
	interval  time.Duration // between two requests; 0: as fast as it goes
	served    []time.Time   // when those were sent that were served since the last recovery
	refused   int           // answers of 429 since one that was not
	flights   int           // how many different requests those were for
	throttled time.Time     // when the first 429 came that no other answer has followed yet
	recovered time.Time     // when an answer last followed one
	scouting  bool          // a scout is under way
	calm      int           // answers since the pace was last changed
	settled   bool          // a quicker pace was refused
}

const (
	// minRefused is how often a target must have refused, and minFlights how many different requests, before that is a limit for the run.
	minRefused, minFlights = 4, 2
	// maxInterval is the slowest pace that a run takes.
	maxInterval = 500 * time.Millisecond
	// calmFor is after how many answers at one pace a quicker one is tried.
	calmFor = 60
	// maxServed is how many requests are remembered to learn a pace from.
	maxServed = 1000
	// minScout and maxScout bound the time between two scouts; in between it is a twentieth of the time that nothing was served.
	minScout, maxScout = 500 * time.Millisecond, 3 * time.Second
)

// newGate lets n requests through at a time, and up to so many more where answers take long of themselves.
func newGate(n, spare int, learnt func(float64)) *gate {
	g := &gate{spare: spare, learnt: learnt}
	g.slots.add(n)
	return g
}

const (
	// patientFrom is from which latency on more requests are sent side by side, as long as answers come no later for it.
	patientFrom = 500 * time.Millisecond
	// steadyFor is after how many answers at one number of slots there may be twice as many.
	steadyFor = 10
)

// tries are those of one request that was refused for load.
type tries struct {
	own  int // while others were served
	held int // while the whole run was held back
}

func (t tries) all() int { return t.own + t.held }

// answered is told of every answer, when its request was sent and how often that had been refused before. A refused session says nothing
// of the pace, unless that is what is refused anyway.
func (g *gate) answered(status int, sent time.Time, before tries, opens bool) {
	if rate := g.saw(status, sent, before, opens); rate > 0 {
		g.learnt(rate)
	}
}

// saw returns the pace that was learnt just now, 0 where none was.
func (g *gate) saw(status int, sent time.Time, before tries, opens bool) (rate float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if status == http.StatusTooManyRequests {
		if opens && g.throttled.IsZero() {
			return 0
		}
		g.refused++
		if before.all() == 0 {
			g.flights++
		}
		if g.throttled.IsZero() {
			g.throttled = now
			g.slower()
		}
		return 0
	}
	g.quicker()
	if len(g.served) < maxServed {
		g.served = append(g.served, sent)
	}
	if g.throttled.IsZero() || !sent.After(g.throttled) {
		// What was under way when the first 429 came is no recovery.
		return 0
	}
	if g.refused >= minRefused && g.flights >= minFlights {
		rate = g.learn(now)
		g.served = []time.Time{sent}
	}
	g.throttled, g.refused, g.flights, g.recovered = time.Time{}, 0, 0, now
	g.tell()
	return rate
}

// learn takes the quickest pace at which what was served would not have been refused. The lock is held.
func (g *gate) learn(now time.Time) (rate float64) {
	slices.SortFunc(g.served, time.Time.Compare)
	per := maxInterval
	for i, sent := range g.served[:len(g.served)-1] {
		per = min(per, now.Sub(sent)/time.Duration(len(g.served)-1-i))
	}
	g.interval = min(max(per, g.interval+g.interval/10), maxInterval)
	g.calm = 0
	return float64(time.Second) / float64(g.interval)
}

// quicker tries a pace that is a little quicker than the one that was learnt, since waiting for the end of a refusal takes longer than the
// refusal; slower takes that back. The lock is held.
func (g *gate) quicker() {
	if g.calm++; g.interval > 0 && g.calm >= calmFor && !g.settled {
		g.interval, g.calm = g.interval*97/100, 0
	}
}

func (g *gate) slower() {
	if g.interval > 0 {
		g.interval, g.calm, g.settled = min(g.interval*104/100, maxInterval), 0, true
	}
}

// held tells that ordinary requests are refused for the pace: now, or so lately that the pace was learnt from it.
func (g *gate) held() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.isHeld()
}

// paced tells that a pace was learnt.
func (g *gate) paced() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.interval > 0
}

func (g *gate) isHeld() bool {
	return g.interval > 0 || !g.throttled.IsZero() && g.flights >= minFlights
}

// took is told how long an answer took to begin, and whether its request was a harmless one that was served. Where each takes long although
// few are under way, waiting for more of them at a time is no load.
func (g *gate) took(d time.Duration, harmless bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.slow += (d - g.slow) / 8
	if harmless && (g.least == 0 || d < g.least) {
		g.least = d
	}
	if g.steady++; g.steady < steadyFor || g.spare == 0 || g.least < patientFrom || g.slow > g.least+g.least/2 || g.isHeld() {
		return
	}
	more := min(g.spare, g.slots.width())
	g.slots.add(more)
	g.spare -= more
	g.steady = 0
}

// rhythm is the least time that a request takes of the run: at the pace that was learnt, or since only so many are under way.
func (g *gate) rhythm() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(g.interval, g.slow/time.Duration(g.slots.width()))
}

// latency is how long an answer takes to begin.
func (g *gate) latency() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.slow
}

// worth counts the tries of a request that is refused for load, and tells whether one more is worth it: a few where others are served,
// and more where the whole run is held back.
func (g *gate) worth(t *tries, sent time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isHeld() || g.recovered.After(sent) {
		t.held++
		return t.held <= maxThrottled
	}
	t.own++
	return t.own <= maxBusy
}

// enter waits for a slot, and not for long where it is in a hurry, and then until a request may be sent; the release function may be called
// twice.
func (g *gate) enter(ctx context.Context, hurry bool) (release func(), err error) {
	if err := g.slots.take(ctx, hurry); err != nil {
		return nil, err
	}
	scout, err := g.wait(ctx)
	release = sync.OnceFunc(func() {
		g.slots.give()
		if scout {
			g.back()
		}
	})
	if err != nil {
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

// wait waits until a request may be sent; it tells whether that is a scout.
func (g *gate) wait(ctx context.Context) (scout bool, err error) {
	for {
		g.mu.Lock()
		now := time.Now()
		left, blocked := max(g.until.Sub(now), g.next.Sub(now)), !g.throttled.IsZero()
		if left <= 0 && !(blocked && g.scouting) {
			g.next, g.scouting = now.Add(g.interval), blocked
			g.mu.Unlock()
			return blocked, nil
		}
		if g.changed == nil {
			g.changed = make(chan struct{})
		}
		changed := g.changed
		g.mu.Unlock()
		if left > 0 {
			err = sleep(ctx, min(left, maxWaiting))
		} else {
			select {
			case <-changed:
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		if err != nil {
			return false, err
		}
	}
}

// back is told that a scout has been answered, or will not be.
func (g *gate) back() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.scouting = false
	g.tell()
}

// tell wakes those who wait for a scout. The lock is held.
func (g *gate) tell() {
	if g.changed != nil {
		close(g.changed)
		g.changed = nil
	}
}

// pause sends nothing for a while: as long as the server asked for, or else until the next scout.
func (g *gate) pause(d time.Duration, asked bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if refusing := now.Sub(g.throttled); !asked && !g.throttled.IsZero() && refusing >= busyPause {
		d = min(max(minScout, refusing/20), maxScout)
	}
	if until := now.Add(d); until.After(g.until) {
		g.until = until
	}
}

// Rhythm is the least time that a request takes of the run: at the pace that the server allows, or since only so many are under way.
func (c *Client) Rhythm() time.Duration { return c.gate.rhythm() }

// Limited tells that the server was seen to allow only a pace.
func (c *Client) Limited() bool { return c.gate.paced() }

// width is how many requests may be in flight.
func (g *gate) width() int { return g.slots.width() }

// Latency is how long an answer takes to begin.
func (c *Client) Latency() time.Duration { return c.gate.latency() }

// Soon is how long an answer may take where little hangs on it, at the latency that was seen: a second at a quick server.
func (c *Client) Soon() time.Duration { return min(c.config.Timeout, time.Second+4*c.gate.latency()) }
