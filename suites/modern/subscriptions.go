package modern

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const noSubscription = "no subscription was opened"

func subscriptions(s *kit.Section) {
	probe := s.Script("modern.subscriptions/listen", kit.Own, func(c *kit.C) {
		c.Safe("control")
		one := listen(c, "listen", declaredFilter(c.Facts), client.WithID(fmt.Sprintf("mcpcheck-listen-%d", c.Client().NextID())))
		two := listen(c, "listen beside it", declaredFilter(c.Facts), client.WithID(c.Client().NextID()))
		c.Watch(two, c.Safe("marker"))
		two.Close()
		one.Close()
		everything := map[string]any{"resourceSubscriptions": []string{fmt.Sprintf("mcpcheck-no-such:///%d", c.Client().NextID())}}
		for _, change := range changes {
			everything[change.member] = true
		}
		listen(c, "listen to everything", everything).Close()
		listen(c, "listen to one list", map[string]any{changes[0].member: true}).Close()
		unfiltered := c.Stream("listen without filter", methodListen, client.HeadWithin(ackPatience), client.Broken("without notifications"))
		if unfiltered.Opened() {
			unfiltered.Next(ackPatience, func(e wire.Event) bool { return e.Dispatched })
		}
		unfiltered.Close()
		c.Safe("control after")
	}, listens)
	controls := func(t *kit.T) { t.Control("control", "control after") }
	s.Check("modern.subscriptions.listen-supported", probe, func(t *kit.T) {
		const expected = "an event stream that stays open"
		t.Says(expected)
		controls(t)
		x := t.Conclusive("listen", gatewayless...)
		filter, _ := filterOf(x.RequestMessage())
		code := codeOf(x)
		switch opened := x.IsSSE() && x.Status()/100 == 2; {
		case opened && len(x.Messages()) == 0:
			t.Blocked("modern.subscriptions.ack-first", "nothing came on the stream", x)
		case opened && x.Messages()[0].Method == methodAck && x.EndedBy == wire.ByServer && endedToo(t):
			t.Warn(x, expected, "a stream that the server ended at once")
		case opened:
			t.OK(x, "%s", kit.Describe(x))
		case code == codeInvalidParams && len(filter["resourceSubscriptions"]) > 0:
			t.NotObservedAt(kit.Inconclusive, x, "perhaps refused for a resource: %s", kit.Describe(x))
		default:
			misanswered(t, x, expected)
		}
	})
	// opened ends the judgement where the subscription was not taken.
	opened := func(t *kit.T, label string) *wire.Exchange {
		x := t.Conclusive(label, gatewayless...)
		if !x.IsSSE() || x.Status()/100 != 2 {
			t.Blocked("modern.subscriptions.listen-supported", "no stream was opened: "+kit.Describe(x), x)
		}
		return x
	}
	acknowledged := func(t *kit.T, label string) (*wire.Exchange, kit.Seen) {
		x := opened(t, label)
		for _, m := range x.Messages() {
			if m.Method == methodAck {
				return x, kit.Seen{Located: m, Exchange: x, Transcript: t.Transcript()}
			}
		}
		t.Blocked("modern.subscriptions.ack-first", "the subscription was not acknowledged", x)
		return nil, kit.Seen{}
	}
	s.Check("modern.subscriptions.ack-first", probe, func(t *kit.T) {
		const expected = methodAck + " as the first message"
		t.Says(expected)
		t.Control("control") // where nothing comes twice, nothing is sent any more
		x := opened(t, "listen")
		switch messages := x.Messages(); {
		case len(messages) == 0 && x.EndedBy != wire.ByServer && !t.Environment().Loopback:
			t.NotObservedAt(kit.Inconclusive, x, "nothing came in ten seconds; a proxy may hold the stream back")
		case len(messages) == 0:
			t.Breach(x, expected, "nothing")
		case messages[0].Method == methodAck:
			t.OK(x, "the acknowledgement comes first")
		case messages[0].HasMethod:
			t.Blocked("modern.subscriptions.nothing-before-ack", "another notification came first", x)
		default:
			t.Breach(x, expected, kit.DescribeMessage(messages[0].Message))
		}
	})
	s.Check("modern.subscriptions.nothing-before-ack", probe, func(t *kit.T) {
		const expected = "no notification ahead of the acknowledgement"
		t.Says(expected)
		controls(t)
		x := opened(t, "listen")
		messages := x.Messages()
		if len(messages) == 0 || !messages[0].HasMethod {
			t.Blocked("modern.subscriptions.ack-first", "the first message is no notification", x)
		}
		if messages[0].Method != methodAck {
			t.Breach(x, expected, messages[0].Method)
			return
		}
		t.OK(x, "the acknowledgement comes first")
	})
	s.Check("modern.subscriptions.ack-subscription-id", probe, func(t *kit.T) {
		const expected = keySubscriptID + " in params._meta of the acknowledgement"
		t.Says(expected)
		controls(t)
		for _, label := range []string{"listen", "listen beside it"} {
			x, ack := acknowledged(t, label)
			if _, there := subscriptionID(ack.Message, "/params/_meta"); !there {
				t.BreachAt(ack, expected, "none")
				continue
			}
			t.OK(x, "the acknowledgement names the subscription")
		}
	})
	s.Check("modern.subscriptions.subscription-id-equals-request-id", probe, func(t *kit.T) {
		const expected = "the id of the request, value and type"
		t.Says(expected)
		controls(t)
		for _, label := range []string{"listen", "listen beside it"} {
			x, ack := acknowledged(t, label)
			id, there := subscriptionID(ack.Message, "/params/_meta")
			switch want := x.RequestMessage().ID; {
			case !there:
				t.Blocked("modern.subscriptions.ack-subscription-id", "the acknowledgement names no subscription", x)
			case crossed(t, label, id):
				// modern.subscriptions.concurrent reports it.
			case !wire.SameID(id, want):
				t.BreachAt(ack, expected, judges.SpeltID(id)+" for "+judges.SpeltID(want))
			default:
				t.OK(x, "a string and an integer came back unchanged")
			}
		}
	})
	s.Check("modern.subscriptions.concurrent", probe, func(t *kit.T) {
		const expected = "to each subscription its own id"
		t.Says(expected)
		controls(t)
		first, _ := acknowledged(t, "listen")
		x := t.Conclusive("listen beside it", gatewayless...)
		switch {
		case first.EndedBy == wire.ByServer:
			t.NotObservedAt(kit.Ended, first, "the server ended the first subscription itself")
		case !x.IsSSE() || x.Status()/100 != 2:
			t.Warn(x, "a second subscription beside the first", kit.Describe(x))
		default:
			x, ack := acknowledged(t, "listen beside it")
			if id, _ := subscriptionID(ack.Message, "/params/_meta"); crossed(t, "listen beside it", id) {
				t.BreachAt(ack, expected, "the id of the other: "+judges.SpeltID(id))
				return
			}
			t.OK(x, "two subscriptions are open at once")
		}
	})
	s.Check("modern.subscriptions.ack-filter-subset", probe, func(t *kit.T) {
		t.Says("notifications, an object with what was asked for and is offered")
		controls(t)
		all := t.Conclusive("listen to everything", gatewayless...)
		if codeOf(all) != codeInvalidParams {
			_, ack := acknowledged(t, "listen to everything")
			agreed(t, ack, true)
		}
		_, ack := acknowledged(t, "listen to one list")
		agreed(t, ack, false)
	})
	s.Check("modern.subscriptions.filter-required", probe, func(t *kit.T) {
		const expected = "JSON-RPC error -32602"
		t.Says(expected)
		controls(t)
		opened(t, "listen")
		x := t.Conclusive("listen without filter", gatewayless...)
		code := codeOf(x)
		switch {
		case code == codeInvalidParams, isBare(x) && x.Status() == 400:
			t.OK(x, "%s", kit.Describe(x))
		case x.IsSSE() && x.Status()/100 == 2:
			granted := false
			for _, m := range x.Messages() {
				filter, _ := filterOf(m.Message)
				for _, c := range changes {
					granted = granted || asksFor(filter, c.notification)
				}
				granted = granted || asksFor(filter, methodUpdated)
			}
			if granted {
				t.Breach(x, expected, "a subscription to what nobody asked for")
			} else {
				t.Warn(x, expected, "a subscription to nothing")
			}
		case coded(x), isBare(x):
			t.Warn(x, expected, kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "neither served nor refused: %s", kit.Describe(x))
		}
	})
	subscriptionsPassive(s)
	subscriptionsChanges(s)
}

// endedToo tells that the second subscription was ended by the server as well: one that ends is no habit.
func endedToo(t *kit.T) bool {
	x := t.IfSent("listen beside it")
	return x != nil && x.EndedBy == wire.ByServer
}

// crossed tells that a subscription carries the id of the one beside it.
func crossed(t *kit.T, label string, id json.RawMessage) bool {
	other := "listen"
	if label == other {
		other = "listen beside it"
	}
	x := t.IfSent(other)
	return x != nil && wire.SameID(x.RequestMessage().ID, id)
}

// agreed judges an acknowledged filter against what was asked for. offered: everything was asked for, so that all that is declared should be
// granted.
func agreed(t *kit.T, ack kit.Seen, offered bool) {
	const expected = "notifications with what was asked for and is offered"
	filter, ok := filterOf(ack.Message)
	if !ok {
		raw, _ := ack.Pointer("/params/notifications")
		t.BreachAt(ack, "notifications as an object", kit.JSON(raw))
		return
	}
	asked, _ := filterOf(ack.Exchange.RequestMessage())
	warn := func(got string) { t.WarnAt(ack, expected, got) }
	for _, c := range changes {
		raw, there := filter[c.member]
		declared := t.Facts().Capability(c.capability)
		feature, _, _ := strings.Cut(c.capability, ".")
		switch granted := string(raw) == "true"; {
		case granted && !asksFor(asked, c.notification):
			t.BreachAt(ack, expected, c.member+", which was not asked for")
		// Where the feature itself is not declared, modern.<area>.declared looks at it.
		case granted && declared == kit.No && t.Facts().Capability(feature) == kit.Yes:
			warn(c.member + ", which is not declared")
		case !granted && offered && declared == kit.Yes:
			warn("no " + c.member + ", which is declared")
		case there && !granted:
			warn(c.member + " " + kit.JSON(raw) + " in place of being left out")
		}
	}
	var granted, wanted []string
	_ = json.Unmarshal(filter["resourceSubscriptions"], &granted)
	_ = json.Unmarshal(asked["resourceSubscriptions"], &wanted)
	for _, uri := range granted {
		if !slices.Contains(wanted, uri) {
			warn("the resource " + kit.Quote([]byte(uri)) + ", which was not asked for")
			break
		}
	}
	t.OK(ack.Exchange, "what was asked for and is offered is acknowledged")
}

// subscriptionsPassive are the rules about all that comes on the streams of subscriptions.
func subscriptionsPassive(s *kit.Section) {
	s.Passive("modern.subscriptions.id-on-every-notification", func(t *kit.T) {
		const expected = keySubscriptID + " in params._meta"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no notification but acknowledgements came on a subscription")
		onSubscriptions(t, func(x *wire.Exchange, m kit.Seen) {
			if m.Method == methodAck {
				return
			}
			if _, there := subscriptionID(m.Message, "/params/_meta"); !there {
				t.BreachAt(m, expected, "none in "+m.Method)
				return
			}
			t.OK(x, "notifications name their subscription")
		})
	})
	s.Passive("modern.subscriptions.only-requested-types", func(t *kit.T) {
		const expected = "only notifications that were asked for"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "nothing changed while a subscription was open")
		onSubscriptions(t, func(x *wire.Exchange, m kit.Seen) {
			kind := m.Method == methodUpdated || slices.ContainsFunc(changes, func(c change) bool { return c.notification == m.Method })
			filter, ok := filterOf(x.RequestMessage())
			switch {
			case !kind || !ok:
			case !asksFor(filter, m.Method):
				t.BreachAt(m, expected, m.Method)
			default:
				t.OK(x, "%s was asked for", m.Method)
			}
		})
	})
	s.Passive("modern.subscriptions.no-request-scoped-messages", func(t *kit.T) {
		const expected = "neither log messages nor progress on a subscription"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, noSubscription)
		onSubscriptions(t, func(x *wire.Exchange, m kit.Seen) {
			if m.Method == "notifications/message" || m.Method == "notifications/progress" {
				t.BreachAt(m, expected, m.Method)
				return
			}
			t.OK(x, "%s", m.Method)
		})
	})
	s.Passive("modern.subscriptions.resource-updated-scope", func(t *kit.T) {
		const expected = "uri of a resource that was asked for"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no update of a resource came")
		onSubscriptions(t, func(x *wire.Exchange, m kit.Seen) {
			if m.Method != methodUpdated {
				return
			}
			var uri string
			if raw, _ := m.Pointer("/params/uri"); kit.JSONType(raw) != "string" {
				t.BreachAt(m, expected, "uri "+kit.JSON(raw))
				return
			}
			_ = m.Decode("/params/uri", &uri)
			filter, _ := filterOf(x.RequestMessage())
			var asked []string
			_ = json.Unmarshal(filter["resourceSubscriptions"], &asked)
			switch {
			case len(asked) == 0:
				// modern.subscriptions.only-requested-types reports it.
			case !slices.ContainsFunc(asked, func(a string) bool { return strings.HasPrefix(uri, a) }):
				t.WarnAt(m, expected, kit.Quote([]byte(uri)))
			default:
				t.OK(x, "updates are of resources that were asked for")
			}
		})
	})
	s.Passive("modern.subscriptions.graceful-closure-result", func(t *kit.T) {
		t.Says("a result before the server ends a subscription")
		t.Unseen(kit.Unprovoked, "the server ended no subscription")
		for _, x := range listenStreams(t) {
			if x.EndedBy != wire.ByServer || x.Error != nil {
				continue
			}
			if slices.ContainsFunc(x.Messages(), func(m wire.Located) bool { return m.HasResult && !m.HasMethod }) {
				t.OK(x, "the server says by a result that it ends a subscription")
				continue
			}
			t.NotObservedAt(kit.Inconclusive, x, "the stream ended without a result, which cannot be told from one that broke off")
		}
	})
	s.Passive("modern.subscriptions.closure-result-shape", func(t *kit.T) {
		const expected = `resultType "complete" and the id of the subscription`
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no subscription ended with a result")
		for _, m := range t.Messages() {
			if m.Exchange.RequestMessage().Method != methodListen || m.HasMethod || mayBeOlder(t, m.Exchange) {
				continue
			}
			var kind string
			_ = m.Decode("/result/resultType", &kind)
			id, there := subscriptionID(m.Message, "/result/_meta")
			switch want := m.Exchange.RequestMessage().ID; {
			case kind == "":
				// modern.jsonrpc.result-type-present reports it.
			case kind != "complete":
				t.BreachAt(m, expected, "resultType "+kit.Quote([]byte(kind)))
			case !there:
				t.BreachAt(m, expected, "no "+keySubscriptID)
			case !wire.SameID(id, want):
				t.BreachAt(m, expected, judges.SpeltID(id)+" for "+judges.SpeltID(want))
			default:
				t.OK(m.Exchange, "the result names the subscription")
			}
		}
	})
}
