package client

import (
	"context"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/wire"

	. "github.com/onsi/gomega"
)

// a control is not sent again where the same was served in its session, or where there are no sessions, and only then.
func TestControls(t *testing.T) {
	s := &shop{negotiated: "2025-06-18"}
	bubble(t, Config{Concurrency: 4}, s.answer, func(g *WithT, v *Conversation) {
		c, none := v.Client(), Controls{}
		begin := func(change func(*Script)) *Conversation {
			script := Script{Name: "probe", Dialect: dated, Revision: "2025-06-18"}
			change(&script)
			return c.Start(context.Background(), script)
		}
		lent := func(v *Conversation) []*wire.Exchange {
			v.Control("control", "ping")
			tr := v.Finish()
			if control := tr.Exchange("control"); len(tr.Lent) > 0 {
				g.Expect(control).To(Equal(tr.Lent[0]))
				g.Expect(tr.Exchanges).NotTo(ContainElement(control))
			} else {
				g.Expect(tr.Exchanges).To(ContainElement(control))
			}
			return tr.Lent
		}

		first := begin(func(s *Script) { s.KeepSession = true })
		g.Expect(first.Open()).To(BeTrue())
		asked := first.Call("asked", "ping")
		session := first.Session()
		before := first.Finish()
		g.Expect(before.Lent).To(BeEmpty())
		time.Sleep(time.Minute)
		shared := func(s *Script) { s.Shared = session }

		taken := lent(begin(shared))
		g.Expect(taken).To(HaveLen(1))
		g.Expect(taken[0].Served()).To(BeTrue())
		g.Expect(taken[0].Origin).To(Equal(wire.Origin{Kind: wire.FromLender, Of: "asked"}))
		g.Expect(taken[0].RequestMessage().ID).To(Equal(asked.RequestMessage().ID))
		g.Expect(taken[0].End - taken[0].Sent).To(Equal(asked.End - asked.Sent))
		g.Expect(taken[0].Sent).To(BeNumerically("<=", -time.Minute), "it was before the conversation began")

		g.Expect(lent(begin(func(s *Script) { s.Shared, s.Attempt = session, 2 }))).To(BeEmpty(), "what confirms asks for itself")
		g.Expect(lent(begin(func(s *Script) { s.Shared = NewSession(wire.SessionInfo{ID: "other"}) }))).To(BeEmpty(), "it was another session")

		other := begin(shared)
		other.Use(WithAccept("application/json"))
		g.Expect(lent(other)).To(BeEmpty(), "it was another request")
		later := begin(shared)
		later.Call("probe", "tools/call")
		g.Expect(lent(later)).To(BeEmpty(), "the probe came first")

		careless := begin(shared)
		careless.Call("refused", "odd")
		g.Expect(careless.Control("control", "odd").Label).To(Equal("control"))
		careless.Finish()
		g.Expect(begin(shared).Control("control", "odd").Origin.Kind).To(Equal(wire.FromScript), "only what any client asks for is remembered")

		// What is said to be wrong is no control, though it was served.
		wrong := begin(func(s *Script) { s.KeepSession = true })
		g.Expect(wrong.Open()).To(BeTrue())
		wrong.Call("wrong", "ping", Broken("it only looks right"))
		second := wrong.Session()
		wrong.Finish()
		g.Expect(lent(begin(func(s *Script) { s.Shared = second }))).To(BeEmpty(), "it was a probe")

		// What is refused now is not served, whatever it was before.
		s.mu.Lock()
		s.sick = true
		s.mu.Unlock()
		begins := begin(func(s *Script) { s.Shared, s.Attempt = session, 2 })
		g.Expect(begins.Control("control", "ping").Served()).To(BeFalse())
		begins.Finish()
		g.Expect(lent(begin(shared))).To(BeEmpty(), "the server has changed its mind")
		s.mu.Lock()
		s.sick = false
		s.mu.Unlock()

		// Without sessions all are in the same place.
		stateless := func(s *Script) { s.Controls = &none }
		g.Expect(lent(begin(stateless))).To(BeEmpty())
		g.Expect(lent(begin(stateless))).To(HaveLen(1))
	})
}
