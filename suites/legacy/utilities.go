package legacy

import (
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func utilities(s *kit.Section) {
	utilitiesPing(s)
	utilitiesCancel(s)
	utilitiesProgress(s)
	utilitiesRoots(s)
	asked := askedScripts(s)
	utilitiesSampling(s, asked)
	utilitiesElicitation(s, asked)
}

func utilitiesPing(s *kit.Section) {
	s.Check("utilities.ping.answered", inventory, func(t *kit.T) {
		t.Control("initialize")
		x := t.In(inventory).Sent("ping")
		if with := t.In(oddRequests).IfSent(oddLabel(t, pingWithParams)); with != nil && with.Served() && !x.Served() {
			t.MustReach(x)
			t.Blocked("utilities.ping.no-params", "ping is served with params, and refused without", x)
		}
		if before := t.In(inventory).IfSent("initialized"); before != nil && before.Status()/100 == 4 && x.Status() == before.Status() {
			t.Blocked("lifecycle.initialized.accepted", "everything after initialize is refused the same way: "+kit.Describe(before), x)
		}
		const expected = "an empty result"
		t.Says(expected)
		answer, answered := x.Answer()
		if !answered && x.Response == nil && x.EndedBy != wire.ByTimeout {
			t.NotObservedAt(kit.Inconclusive, x, "the ping broke off: %s", kit.Describe(x))
		}
		t.MustConclude(x, 500)
		switch {
		// Over HTTP+SSE the answer is on the stream, whatever becomes of the POST.
		case x.Response != nil && x.Status()/100 != 2, kit.JSONType(answer.Result) != "object":
			t.Breach(x, expected, kit.Describe(x))
		default:
			judges.EmptyResult(t, x, answer, expected, false)
		}
	})

	s.CheckAcross("utilities.ping.no-params", []*kit.Script{oddRequests, inventory}, func(t *kit.T) {
		t.Control("control", oddLabel(t, pingWithParams), "control after")
		where := t.In(oddRequests)
		if t.Facts().Safe == pingMethod {
			where = t.In(inventory)
		}
		t.Expect(where.Conclusive("ping"), kit.Served())
	})

	s.Check("utilities.ping.before-initialized", notReady, func(t *kit.T) {
		t.Control(introduced(t), readyControl(t)) // a ping, which utilities.ping.answered has seen served
		x := t.Conclusive("early ping")
		if x.Status()/100 == 4 {
			t.NotApplicable("the server wants the handshake finished first: %s", kit.Describe(x))
		}
		t.Says("a result")
		if x.Served() {
			t.OK(x, "answered between the initialize answer and the initialized notification")
			return
		}
		t.Warn(x, "a result", kit.Describe(x))
	})
}
