package client

import (
	"context"
	"net/http"
	"slices"

	"github.com/mcpcheck/mcpcheck/wire"
)

// Finish closes the streams, deletes the sessions that the conversation opened itself ("auto/delete"), and returns the frozen
// transcript; a second call returns the same. Sessions of an interrupted run are left to CleanUp.
func (c *Conversation) Finish() *wire.Transcript {
	c.mu.Lock()
	if c.frozen != nil {
		defer c.mu.Unlock()
		return c.frozen
	}
	c.ending = true
	flights := slices.Clone(c.all)
	c.mu.Unlock()

	for _, f := range flights {
		if f.held {
			f.cancel(errClosed)
		}
	}
	c.flights.Wait()
	held := c.holds()
	c.remember()
	c.giveBack()
	if c.outer.Err() == nil && c.phase.Err() == nil && !c.script.KeepSession {
		c.deleteOwn()
	}
	if held && !c.script.KeepSession {
		c.client.cap.holder(-1)
	}
	c.stop()
	c.cancel(errClosed)
	c.flights.Wait()

	c.mu.Lock()
	defer c.mu.Unlock()
	c.hangUp()
	for _, f := range c.all {
		c.taps[f.x] = f.tap
		f.forget()
	}
	for _, x := range c.record {
		if t := c.taps[x]; t != nil && x.Response != nil {
			if surplus := t.snapshot().surplus; len(surplus) > 0 {
				x.Response.Surplus = c.client.redact.All(surplus)
			}
		}
	}
	t := &wire.Transcript{
		Script: c.script.Name, Revision: c.script.Revision, Transport: c.script.Transport, Attempt: c.script.Attempt,
		Shared: c.script.Shared != nil || c.script.Borrowed != nil, Session: c.session.Info(), Started: c.started.Round(0).UTC(), Duration: c.since(),
		Exchanges: c.record, Lent: c.lent, Windows: c.windows, Aborted: c.aborted,
	}
	if t.Aborted == "" && (c.outer.Err() != nil || c.phase.Err() != nil) {
		t.Aborted = abandoned(context.Cause(c.phase))
	}
	t.Settle()
	slices.SortStableFunc(t.Exchanges, func(a, b *wire.Exchange) int { return int(min(max(a.Sent-b.Sent, -1), 1)) })
	c.frozen = t
	return t
}

// deleteOwn ends the sessions that our initialize requests brought and the script has not deleted.
func (c *Conversation) deleteOwn() {
	c.mu.Lock()
	own := slices.Clone(c.own)
	c.ending = false
	c.mu.Unlock()
	c.End(own...)
	c.mu.Lock()
	c.ending = true
	c.mu.Unlock()
}

// End ends sessions that the conversation opened and does not need any more, side by side: in turn it would take as many times as long.
func (c *Conversation) End(ids ...string) {
	if c.client.deletesHang() {
		return
	}
	var under []*flight
	for _, id := range ids {
		if f := c.leave(id); f != nil {
			under = append(under, f)
		}
	}
	for _, f := range under {
		<-f.done
	}
}

// deleteOne ends a session that an initialize of ours brought, on the record.
func (c *Conversation) deleteOne(id string) {
	if f := c.leave(id); f != nil {
		<-f.done
	}
}

// leave is deleteOne that waits for nothing; nil where there is nothing to end.
func (c *Conversation) leave(id string) *flight {
	if c.client.ledger.isDeleted(id) || !sendable(id) {
		return nil
	}
	cleanUp := wire.Origin{Kind: wire.FromCleanUp}
	opts := []Option{From(cleanUp), WithSession(id), WithTimeout(min(c.client.cleanUpTimeout(), c.client.config.Timeout))}
	if known := c.client.ledger.entry(id).version; known != "" {
		opts = append(opts, WithVersion(known))
	} else if !c.script.Dialect.sendsVersion(c.Session().Negotiated()) {
		opts = append(opts, WithoutVersion())
	}
	return c.launch(c.prepare(outgoing{label: cleanUp.Label(), httpMethod: http.MethodDelete}, opts), false)
}
