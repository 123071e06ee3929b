package refclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// The switches of what is never answered.
const (
	waitsForEver      = "waits-for-ever"
	timesOutSilently  = "times-out-silently"
	cancelsAndListens = "cancels-and-listens"
	restartsClock     = "restarts-clock"
)

var errTimedOut = errors.New("no answer in time")

// limit is the time that a request has.
func (c *Client) limit(ctx context.Context, method string, id any) (context.Context, context.CancelFunc) {
	switch {
	case method != "tools/call" && c.on("hangs-at-pages"):
		return context.WithCancel(ctx)
	case method != "tools/call":
		return context.WithTimeout(ctx, patience)
	}
	timeout := cmp.Or(c.Timeout, patience)
	switch {
	case c.on(waitsForEver):
		return context.WithCancel(ctx)
	case c.on(cancelsAndListens) && c.modern:
		timer := time.AfterFunc(timeout, func() { _ = c.cancel(ctx, id) }) // nobody waits for what comes of it
		ctx, cancel := context.WithCancel(ctx)
		return ctx, func() { timer.Stop(); cancel() }
	}
	if c.on(restartsClock) {
		ctx, cancel := context.WithCancel(ctx)
		c.mu.Lock()
		c.clock = time.AfterFunc(timeout, cancel)
		c.mu.Unlock()
		return ctx, cancel
	}
	return context.WithTimeout(ctx, timeout)
}

// progressed gives a call more time, where a switch says so.
func (c *Client) progressed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.clock != nil {
		c.clock.Reset(cmp.Or(c.Timeout, patience))
	}
}

// timeOut gives up on a request whose time has passed; its connection is closed already. In sessions that is no cancellation yet, and
// initialize is never cancelled.
func (c *Client) timeOut(ctx context.Context, method string, id any) error {
	if !c.modern && method != "initialize" && !c.on(timesOutSilently) {
		_ = c.cancel(ctx, id) // there is nothing else to be done about it
	}
	return fmt.Errorf("%s: %w", method, errTimedOut)
}
