package legacy

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// lifecycleInitialized is about the order of things: what comes before initialize, between its answer and notifications/initialized,
// and what a second initialize does.
func lifecycleInitialized(s *kit.Section) {
	s.Check("lifecycle.initialized.accepted", inventory, func(t *kit.T) {
		t.Control("initialize")
		x := t.Conclusive("initialized")
		const expected = "notifications/initialized accepted (HTTP 2xx)"
		t.Says(expected)
		switch x.Status() / 100 {
		case 2:
			t.OK(x, "notifications/initialized is accepted: %s", kit.Describe(x))
		case 4:
			if wantsNoSuchID(t, x) {
				t.Kind("no session id")
				t.Breach(x, expected, kit.Describe(x)+", and initialize gave no session id")
				return
			}
			t.Breach(x, expected, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "notifications/initialized was neither accepted nor refused: %s", kit.Describe(x))
		}
	})

	early := s.Add(notReady)
	s.Check("lifecycle.initialized.no-early-requests", early, func(t *kit.T) {
		t.Control(introduced(t))
		ready := t.Answered("initialized")
		const expected = "no request but ping before notifications/initialized"
		t.Says(expected)
		tr, watched := t.Transcript(), 0
		for _, x := range tr.Exchanges[:slices.Index(tr.Exchanges, ready)] {
			if x.IsSSE() {
				watched++
			}
		}
		if watched == 0 {
			t.Conclusive(earlyRequest(t))
			t.NotApplicable("nothing before notifications/initialized is answered with a stream: the server has no way to send a request")
		}
		if get := tr.Exchange("get"); get != nil && get.IsSSE() {
			t.Watched("get")
		}
		for _, m := range t.MessagesIn(tr) {
			switch {
			case m.At >= ready.Sent:
			case m.Kind == wire.KindRequest && m.Method != "ping":
				t.BreachAt(m, expected, kit.DescribeMessage(m.Message))
			case m.Kind == wire.KindNotification && m.Method != "notifications/message":
				t.NoteAt(m, "%s before notifications/initialized: neither a ping nor a log message, which are all that is foreseen", kit.DescribeMessage(m.Message))
			}
		}
		t.OK(t.Answered(introduced(t)), "no request but ping on %d streams before notifications/initialized", watched)
	})

	first := s.Script("lifecycle/no-initialize", kit.Bare, func(c *kit.C) {
		if x := c.List("request"); unanswered(x) {
			c.List("request again")
		}
	}, kit.AnyList, kit.Once())
	s.Check("lifecycle.pre-initialize.request", first, func(t *kit.T) {
		judgeAnswered(t, first, "a request without initialize", "request", "request again", 500, 501)
	})

	s.Check("lifecycle.requests-before-initialized", early, func(t *kit.T) {
		t.Control(readyControl(t))
		judgeHasty(t)
		label := earlyRequest(t)
		if x := t.IfSent(label); x != nil && x.EndedBy == wire.ByTimeout && t.IfSent(label+again) == nil {
			t.Blocked("jsonrpc.request.answered", "a request before notifications/initialized is left without an answer: "+kit.Describe(x))
		}
		judgeAnswered(t, early, "a request before notifications/initialized", label, label+again)
	})

	s.Check("lifecycle.reinitialize", early, func(t *kit.T) {
		t.Control(readyControl(t))
		x := t.Conclusive("second")
		t.Says("a refusal that leaves the session alone, or a new result")
		if x.Served() {
			t.OK(x, "a second initialize in the session is served")
			return
		}
		if ok, _ := kit.Refused().Match(x); !ok {
			t.NotObservedAt(kit.Inconclusive, x, "the second initialize was neither served nor refused: %s", kit.Describe(x))
		}
		if after := t.Conclusive("afterwards"); !after.Served() {
			t.Note(after, "a second initialize is refused (%s), and the session no longer serves requests: %s", kit.Describe(x), kit.Describe(after))
			return
		}
		t.OK(x, "a second initialize in the session is refused and the session goes on: %s", kit.Describe(x))
	}, withSessions)

	batched := s.Script("lifecycle/batched-initialize", kit.Bare, func(c *kit.C) {
		initialize, ping := c.Client().NextID(), c.Client().NextID()
		body := fmt.Sprintf(`[{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},`+
			`"clientInfo":{"name":"mcpcheck","version":"1"}}},{"jsonrpc":"2.0","id":%d,"method":"ping"}]`, initialize, c.Revision, ping)
		c.Post("batch", []byte(body), client.Broken("initialize in a batch"))
	}, kit.Open, kit.Revisions(batchRevision))
	s.Check("lifecycle.batched-initialize", batched, func(t *kit.T) {
		x := t.Conclusive("batch")
		t.Says("a refusal (HTTP 4xx or a JSON-RPC error), or an answer")
		answer, answered := x.Answer()
		switch {
		case x.Status()/100 == 4, answer.Kind == wire.KindError:
			t.OK(x, "initialize in a batch is refused: %s", kit.Describe(x))
		case answered:
			t.OK(x, "initialize in a batch is served, which is tolerated")
		default:
			t.Note(x, "initialize in a batch is neither refused nor answered: %s", kit.Describe(x))
		}
	})
}

// wantsNoSuchID tells that a request was refused for want of a session id, where initialize assigned none.
func wantsNoSuchID(t *kit.T, x *wire.Exchange) bool {
	return t.Facts().Trait(traitSessions) == kit.No && x.Status() == 400 && speaksOfSession.Match(x.Response.Body.Prefix(maxRefusal))
}

var speaksOfSession = regexp.MustCompile(`(?i)session`)

// maxRefusal is how much of a refusal is read for what it speaks of.
const maxRefusal = 4 << 10

// judgeHasty looks at the list that was asked for before notifications/initialized.
func judgeHasty(t *kit.T) {
	list := t.IfSent("early list")
	if list == nil {
		return
	}
	switch after := t.IfSent("list"); {
	case list.EndedBy == wire.ByTimeout:
		t.Blocked("jsonrpc.request.answered", "a list before notifications/initialized is left without an answer: "+kit.Describe(list))
	case list.Status() == 500 || list.Status() == 501:
		t.Note(list, "a list before notifications/initialized is answered %s; hasty clients send it there", kit.Describe(list))
	case after != nil && after.Status() == 404 && t.Facts().Trait(traitSessions) == kit.Yes:
		t.Note(list, "a list before notifications/initialized ends the session: the next one is answered %s", kit.Describe(after))
	}
}

// unanswered tells that a request got nothing a client could act on: silence, a crash, or a 2xx without an answer.
func unanswered(x *wire.Exchange) bool {
	if x.Response == nil || x.Status() == 500 || x.Status() == 501 {
		return true
	}
	_, answered := x.Answer()
	return x.Status()/100 == 2 && !answered
}

// judgeAnswered judges a request that a server may serve or refuse as it likes, so long as it says something; silence has to happen
// twice to be worth a note.
func judgeAnswered(t *kit.T, script *kit.Script, what, label, again string, judged ...int) {
	t.Says("an answer or a refusal")
	x := t.In(script).Sent(label)
	if second := t.Transcript().Exchange(again); second != nil {
		x = second
	}
	// Whatever the reason of a refusal is, it is one: only load, time and gateways say nothing.
	t.MustConclude(x, append(judged, 401, 402, 403, 407)...)
	switch {
	case unanswered(x):
		t.Note(x, "%s is left without an answer: %s", what, kit.Describe(x))
	case x.Served():
		t.OK(x, "%s is served", what)
	default:
		t.OK(x, "%s is refused: %s", what, kit.Describe(x))
	}
}
