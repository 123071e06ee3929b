package client

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/mcpcheck/mcpcheck/wire"
)

// A session is dear: some servers take a second or a process for each, some allow ten. A conversation that leaves its session as it found it
// gives it back, and another one that asks for the same revision over the same transport goes on in it. Those that lend or borrow declare no
// capabilities. What is borrowed belongs to the borrower until it gives it back: no two conversations are in such a session at a time.

// lending keeps the sessions that nobody is in. The zero value has none.
type lending struct {
	mu   sync.Mutex
	idle []lent // the one that was given back last comes last
	// wanted counts the conversations to come that will ask for one.
	wanted map[Kind]int
	// failed counts the sessions that failed those who had borrowed them; from maxFailed on none is lent any more.
	failed int
}

// maxFailed is after how many borrowed sessions that failed a server is one whose sessions are not to be lent.
const maxFailed = 3

// A Kind is what sessions have in common that may stand for each other.
type Kind struct {
	Revision, Transport string
	// ForAll: what is in it counts for all revisions of an era, so that whoever judges one of them knows all that was asked in it.
	ForAll bool
}

type lent struct {
	Kind
	session *Session
}

// give keeps a session for the next; false where nobody will ask for it, or so many rest already.
func (l *lending) give(s lent, most int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed >= maxFailed || len(l.idle) >= most || l.count(s.Kind) >= l.wanted[s.Kind] {
		return false
	}
	l.idle = append(l.idle, s)
	return true
}

// count is how many sessions of a kind rest. The lock is held.
func (l *lending) count(k Kind) (n int) {
	for _, s := range l.idle {
		if s.Kind == k {
			n++
		}
	}
	return n
}

// take returns a session of a kind, nil where no more than so many are left: the one that has rested longest, since a server may take a moment to notice that
// the stream of the one before has ended.
func (l *lending) take(k Kind, but int) *Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wanted[k] > 0 {
		l.wanted[k]--
	}
	i := slices.IndexFunc(l.idle, func(s lent) bool { return s.Kind == k })
	if i < 0 || l.count(k) <= but || l.failed >= maxFailed {
		return nil
	}
	session := l.idle[i].session
	l.idle = slices.Delete(l.idle, i, i+1)
	return session
}

// oldest returns all sessions that rest but so many, the oldest first, and keeps them no longer.
func (l *lending) oldest(but int) []lent {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := max(0, len(l.idle)-max(0, but))
	old := slices.Clone(l.idle[:n])
	l.idle = slices.Delete(l.idle, 0, n)
	return old
}

// Borrowers says how many conversations will ask for a session of a kind that another one has left: for so many sessions are kept.
func (c *Client) Borrowers(k Kind, n int) {
	l := &c.lending
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wanted == nil {
		l.wanted = map[Kind]int{}
	}
	l.wanted[k] = n
}

// Borrow returns a session of a kind that another conversation gave back, for Script.Borrowed; nil where there are no more than so many,
// which are left to others.
func (c *Client) Borrow(k Kind, but int) *Session { return c.lending.take(k, but) }

// Failed says that a borrowed session failed the conversation in it (Unsteady).
func (c *Client) Failed() {
	c.lending.mu.Lock()
	defer c.lending.mu.Unlock()
	c.lending.failed++
}

// EndIdle ends the sessions that were given back and that nobody took.
func (c *Client) EndIdle(ctx context.Context) { c.endIdle(ctx, 0) }

// endIdle ends them all but so many.
func (c *Client) endIdle(ctx context.Context, but int) {
	var wg sync.WaitGroup
	for _, s := range c.lending.oldest(but) {
		wg.Go(func() { c.EndSession(ctx, s.session) })
	}
	wg.Wait()
}

// resting is how many sessions may rest beside those of the conversations under way: a sixteenth of as many as these may be, one at
// least.
func (c *Client) resting() int {
	width := c.gate.width()
	return width + width/16 - c.places.used()
}

// giveBack leaves the session of the conversation to the next one, where it is as it was found and no server is short of room. What streams
// it had are closed, and nothing of it is under way any more.
func (c *Conversation) giveBack() {
	if !c.script.Lends || c.outer.Err() != nil || c.phase.Err() != nil {
		return
	}
	c.mu.Lock()
	session := c.session
	good := c.aborted == "" && session.Opened() && intact(c.record, session.ID())
	c.mu.Unlock()
	if !good || session.ID() != "" && c.client.ledger.isDeleted(session.ID()) || c.client.cap.crowded() {
		return
	}
	// Its own place is free when this is over.
	if !c.client.lending.give(lent{Kind{c.script.Revision, c.script.Transport, c.script.ForAll}, session}, max(1, c.client.resting()+1)) {
		return
	}
	c.mu.Lock()
	c.own = slices.DeleteFunc(c.own, func(id string) bool { return id == session.ID() })
	c.mu.Unlock()
}

// intact tells that a session is as any client leaves it after a few requests: nothing ended it or initialized it again, every POST was
// answered to its end and so was what the server asked, and what came after the last odd answer shows that it goes on.
func intact(record []*wire.Exchange, id string) bool {
	if owesAnswer(record) {
		return false
	}
	sure := true
	for _, x := range record {
		method := x.RequestMessage().Method
		switch {
		case x.Request.Method == http.MethodGet:
			// A stream that is refused leaves a session alone, unless the session itself is what is refused.
			if sessionOf(x) == id && (x.Response == nil || x.Status() == http.StatusNotFound || x.Status() >= 500) {
				sure = false
			}
		case x.Origin.Automatic() && x.Request.Method == http.MethodDelete && sessionOf(x) != id:
			// Another session of the conversation.
		case x.Request.Method == http.MethodDelete && sessionOf(x) != id && sessionOf(x) != "":
			sure = false // it may have ended this one, too
		case x.Request.Method == http.MethodDelete:
			return false
		case x.EndedBy != wire.ByServer:
			// What was given up may be under way on the server.
			return false
		case method == "initialize" && id != "" && sessionOf(x) == id:
			return false
		case x.Broken == "" && harmless(method) && method != "notifications/initialized" && x.Served() && sessionOf(x) == id:
			sure = true
		case x.Broken != "" || x.Status()/100 != 2 || unanswered(x):
			sure = false
		}
		if ids := x.ResponseSession(); method != "initialize" && len(ids) > 0 && ids[0] != id {
			return false
		}
	}
	return sure
}

// owesAnswer tells that the server asked something that it got no answer to: it may wait for one.
func owesAnswer(record []*wire.Exchange) bool {
	for _, x := range record {
		for _, m := range x.Messages() {
			if m.Kind == wire.KindRequest && !slices.ContainsFunc(record, func(o *wire.Exchange) bool {
				sent := o.RequestMessage()
				return !sent.HasMethod && wire.SameID(sent.ID, m.ID)
			}) {
				return true
			}
		}
	}
	return false
}

// unanswered tells that a request got something that is no answer.
func unanswered(x *wire.Exchange) bool {
	_, answered := x.Answer()
	return !answered && x.RequestMessage().Kind == wire.KindRequest
}

func sessionOf(x *wire.Exchange) string {
	for name, values := range x.Request.Header {
		if strings.EqualFold(name, "Mcp-Session-Id") && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// Unsteady tells that a conversation in a borrowed session met something that the session may be the reason of: a harmless request that
// was refused, a stream that did not open, or 404, which is what clients are told of sessions that are no more. What it shows is recorded again
// in a session of its own, before anything is judged by it.
func Unsteady(t *wire.Transcript) bool {
	for _, x := range t.Exchanges {
		switch {
		case x.Origin.Automatic() || sessionOf(x) != t.Session.ID:
		case x.Request.Method == http.MethodDelete && x.Broken == "":
			return false // what comes after the end of the session is the conversation's own doing
		case x.Response != nil && blames(t, x):
			return true
		}
	}
	return false
}

// blames tells that the answer to a request may be about the session that it was sent in.
func blames(t *wire.Transcript, x *wire.Exchange) bool {
	switch {
	case x.Broken != "" || x.Status() == http.StatusConflict && besideAnother(t, x):
		return x.Status() == http.StatusNotFound
	case x.Request.Method == http.MethodGet:
		return x.Status()/100 != 2 && x.Status() != http.StatusMethodNotAllowed
	}
	// Other methods may be refused for what they are; a session that is no more refuses the harmless one after them, too.
	sent := x.RequestMessage()
	return x.Status() == http.StatusNotFound ||
		harmless(sent.Method) && (x.Status() >= 400 || sent.Kind == wire.KindRequest && !x.Served())
}

// besideAnother tells that the conversation had a GET stream open when it asked for one.
func besideAnother(t *wire.Transcript, x *wire.Exchange) bool {
	return slices.ContainsFunc(t.Exchanges, func(o *wire.Exchange) bool {
		return o != x && o.Request.Method == http.MethodGet && o.IsSSE() && o.Head <= x.Sent && x.End <= o.End
	})
}
