package client

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"

	. "github.com/onsi/gomega"
)

// a lent session ends where somebody would miss it, and no later.
func TestLending(t *testing.T) {
	a, b := Kind{Revision: "2025-11-25"}, Kind{Revision: "2025-06-18"}
	session := func(id string) *Session { return NewSession(wire.SessionInfo{ID: id, Opened: true}) }
	var l lending
	l.wanted = map[Kind]int{a: 2}
	for _, given := range []struct {
		lent
		most int
		want bool
	}{
		{lent{b, session("nobody asks for it")}, 4, false},
		{lent{a, session("first")}, 4, true},
		{lent{a, session("beside too many")}, 1, false},
		{lent{a, session("second")}, 4, true},
		{lent{a, session("third")}, 4, false},
	} {
		if got := l.give(given.lent, given.most); got != given.want {
			t.Errorf("the session %q is kept: %v", given.session.ID(), got)
		}
	}
	if got := l.take(b, 0); got != nil {
		t.Errorf("a session of another revision is lent: %s", got.ID())
	}
	if got := l.take(a, 0); got.ID() != "first" {
		t.Errorf("%s is lent, which has not rested longest", got.ID())
	}
	if old := l.oldest(0); len(old) != 1 || old[0].session.ID() != "second" {
		t.Errorf("what rests is %v", old)
	}
	if got := l.take(a, 0); got != nil {
		t.Errorf("an ended session is lent: %s", got.ID())
	}
	l.wanted[a] = 2
	if l.give(lent{a, session("fourth")}, 4); l.count(a) != 1 {
		t.Error("what is wanted again is not kept")
	}
	if l.failed = maxFailed; l.take(a, 0) != nil || l.give(lent{a, session("fifth")}, 4) {
		t.Error("sessions are lent though they fail")
	}
}

// a session is given back only where everything shows that it is as it was found.
func TestIntact(t *testing.T) {
	const id = "ours"
	ping := func(status int, change ...func(*wire.Exchange)) *wire.Exchange {
		return exchange(http.MethodPost, id, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status, `{"jsonrpc":"2.0","id":1,"result":{}}`, change...)
	}
	broken := func(x *wire.Exchange) { x.Broken = "on purpose" }
	cut := func(x *wire.Exchange) { x.EndedBy = wire.ByTimeout }
	get := func(status int) *wire.Exchange { return exchange(http.MethodGet, id, "", status, "") }
	remove := func(session string, origin wire.OriginKind) *wire.Exchange {
		x := exchange(http.MethodDelete, session, "", 204, "")
		x.Origin.Kind = origin
		return x
	}
	again := exchange(http.MethodPost, id, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, 400, "")
	asks := exchange(http.MethodGet, id, "", 200, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n\n")
	asks.Response.Header = http.Header{"Content-Type": {"text/event-stream"}}
	answers := exchange(http.MethodPost, id, `{"jsonrpc":"2.0","id":7,"result":{}}`, 202, "")
	same := exchange(http.MethodPost, id, `{"jsonrpc":"2.0","id":7,"method":"ping"}`, 200, `{"jsonrpc":"2.0","id":7,"result":{}}`)
	other := ping(200)
	other.Response.Header = http.Header{"Mcp-Session-Id": {"another"}}
	for name, test := range map[string]struct {
		record []*wire.Exchange
		want   bool
	}{
		"served":                         {[]*wire.Exchange{ping(200), ping(200)}, true},
		"refused":                        {[]*wire.Exchange{ping(404)}, false},
		"refused and served after it":    {[]*wire.Exchange{ping(400, broken), ping(200)}, true},
		"a probe comes last":             {[]*wire.Exchange{ping(200), ping(400, broken)}, false},
		"a probe is served, last":        {[]*wire.Exchange{ping(200), ping(200, broken)}, false},
		"given up":                       {[]*wire.Exchange{ping(200, cut), ping(200)}, false},
		"a stream":                       {[]*wire.Exchange{ping(200), get(200)}, true},
		"no stream in the session":       {[]*wire.Exchange{ping(200), get(404)}, false},
		"ended":                          {[]*wire.Exchange{remove(id, wire.FromScript)}, false},
		"without id":                     {[]*wire.Exchange{remove("", wire.FromScript), ping(200)}, false},
		"another of the script's ended":  {[]*wire.Exchange{remove("its own", wire.FromCleanUp), ping(200)}, true},
		"initialized again":              {[]*wire.Exchange{again, ping(200)}, false},
		"asked and answered":             {[]*wire.Exchange{asks, answers, ping(200)}, true},
		"asked and not answered":         {[]*wire.Exchange{asks, same, ping(200)}, false},
		"another id came with an answer": {[]*wire.Exchange{other}, false},
	} {
		if got := intact(test.record, id); got != test.want {
			t.Errorf("%s: intact is %v", name, got)
		}
	}
}

// what a borrowed session may be the reason of is recorded again.
func TestUnsteady(t *testing.T) {
	const id = "borrowed"
	ping := func(status int, broken string) *wire.Exchange {
		x := exchange(http.MethodPost, id, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		x.Broken = broken
		return x
	}
	get := func(status int, sent, end int) *wire.Exchange {
		x := exchange(http.MethodGet, id, "", status, "")
		x.Response.Header = http.Header{"Content-Type": {"text/event-stream"}}
		x.Sent, x.Head, x.End = ms(sent), ms(sent), ms(end)
		return x
	}
	for name, test := range map[string]struct {
		record []*wire.Exchange
		want   bool
	}{
		"served":                {[]*wire.Exchange{ping(200, "")}, false},
		"a refused probe":       {[]*wire.Exchange{ping(400, "on purpose"), ping(200, "")}, false},
		"a probe of no session": {[]*wire.Exchange{ping(404, "on purpose")}, true},
		"refused":               {[]*wire.Exchange{ping(400, "")}, true},
		"a method that may not be there": {[]*wire.Exchange{
			exchange(http.MethodPost, id, `{"jsonrpc":"2.0","id":1,"method":"unknown"}`, 400, ""), ping(200, ""),
		}, false},
		"no stream":                     {[]*wire.Exchange{get(409, 1, 2)}, true},
		"no streams at all":             {[]*wire.Exchange{get(405, 1, 2)}, false},
		"ended by us":                   {[]*wire.Exchange{ping(200, ""), exchange(http.MethodDelete, id, "", 204, ""), ping(404, "")}, false},
		"a second stream":               {[]*wire.Exchange{get(200, 1, 9), get(409, 2, 3)}, false},
		"a second stream, session gone": {[]*wire.Exchange{get(200, 1, 9), get(404, 2, 3)}, true},
	} {
		if got := Unsteady(&wire.Transcript{Session: wire.SessionInfo{ID: id}, Exchanges: slices.Clone(test.record)}); got != test.want {
			t.Errorf("%s: unsteady is %v", name, got)
		}
	}
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func exchange(method, session, body string, status int, answer string, change ...func(*wire.Exchange)) *wire.Exchange {
	x := &wire.Exchange{
		Request: wire.Request{Method: method, Header: http.Header{}}, EndedBy: wire.ByServer,
		Response: &wire.Response{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: wire.NewBody([]byte(answer))},
	}
	if session != "" {
		x.Request.Header["Mcp-Session-Id"] = []string{session}
	}
	if body != "" {
		x.Request.Body = wire.NewBody([]byte(body))
	}
	for _, c := range change {
		c(x)
	}
	return x
}

var dear = Kind{Revision: "2025-06-18", Transport: "streamable-http"}

func TestBorrowing(t *testing.T) {
	s := &shop{negotiated: "2025-06-18"}
	bubble(t, Config{Concurrency: 4}, s.answer, func(g *WithT, v *Conversation) {
		c := v.Client()
		start := func(name string, borrowed *Session, lends bool) *Conversation {
			return c.Start(context.Background(), Script{Name: name, Dialect: dated, Revision: "2025-06-18", Borrowed: borrowed, Lends: lends})
		}
		borrow := func() *Session { return c.Borrow(dear, 0) }
		c.Borrowers(dear, 4)

		lender := start("lender", nil, true)
		g.Expect(lender.Open()).To(BeTrue())
		g.Expect(lender.Finish().Shared).To(BeFalse())
		g.Expect(s.deletes).To(BeEmpty())

		careful := start("careful", borrow(), true)
		careful.Call("ping", "ping")
		g.Expect(careful.Finish().Shared).To(BeTrue())
		g.Expect(s.versions["ping"]).To(Equal("s1/2025-06-18"))
		g.Expect(s.deletes).To(BeEmpty())

		careless := start("careless", borrow(), true)
		careless.Call("odd", "odd")
		g.Expect(careless.Finish().Exchange("auto/delete")).NotTo(BeNil())
		g.Expect(s.deletes).To(Equal([]string{"s1 2025-06-18"}))
		g.Expect(borrow()).To(BeNil())

		keeper := start("keeper", nil, true)
		g.Expect(keeper.Open()).To(BeTrue())
		keeper.Finish()
		spender := start("spender", borrow(), false)
		spender.Finish()
		g.Expect(s.deletes).To(Equal([]string{"s1 2025-06-18", "s2 2025-06-18"}))

		c.Borrowers(dear, 1)
		last := start("last", nil, true)
		g.Expect(last.Open()).To(BeTrue())
		last.Finish()
		c.EndIdle(context.Background())
		g.Expect(s.deletes[2:]).To(Equal([]string{"s3 2025-06-18"}))
		g.Expect(s.opened).To(Equal(3))
	})
}

// places are shared out among revisions, and what a revision no longer needs is for the others.
func TestPlaces(t *testing.T) {
	bubble(t, Config{Concurrency: 4}, (&shop{}).answer, func(g *WithT, v *Conversation) {
		c := v.Client()
		var mu sync.Mutex
		held := map[string]int{}
		var leave []func()
		endOld, endNew := c.Part("old", ""), c.Part("new", "")
		for range 6 {
			for _, revision := range []string{"old", "new"} {
				go func() {
					left, err := c.Place(v.Context(), revision, "")
					if err != nil {
						return
					}
					mu.Lock()
					defer mu.Unlock()
					held[revision]++
					leave = append(leave, left)
				}()
			}
		}
		synctest.Wait()
		g.Expect(held).To(Equal(map[string]int{"old": 2, "new": 2}))
		endOld()
		leave[0]()
		synctest.Wait()
		g.Expect(held["old"] + held["new"]).To(Equal(5))
		endNew()
		for range 4 {
			for _, l := range leave {
				l()
			}
			synctest.Wait()
		}
		g.Expect(held).To(Equal(map[string]int{"old": 6, "new": 6}))
	})
}

// What a conversation spends it does not take from those that come at the end.
func TestSparing(t *testing.T) {
	s := &shop{negotiated: "2025-06-18"}
	bubble(t, Config{Concurrency: 4}, s.answer, func(g *WithT, v *Conversation) {
		c := v.Client()
		c.Borrowers(dear, 3)
		for range 2 {
			lender := c.Start(context.Background(), Script{Name: "lender", Dialect: dated, Revision: "2025-06-18", Lends: true})
			g.Expect(lender.Open()).To(BeTrue())
			lender.Finish()
		}
		g.Expect(c.Borrow(dear, 2)).To(BeNil())
		g.Expect(c.Borrow(Kind{Revision: "2025-06-18", Transport: "streamable-http", ForAll: true}, 0)).To(BeNil())
		g.Expect(c.Borrow(Kind{Revision: "2025-11-25", Transport: "streamable-http"}, 0)).To(BeNil())
		g.Expect(c.Borrow(dear, 0).ID()).To(Equal("s1"))
	})
}
