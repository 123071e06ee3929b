package legacy

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	subscribeMethod   = "resources/subscribe"
	unsubscribeMethod = "resources/unsubscribe"
	updatedMethod     = "notifications/resources/updated"
	// maxWatched is how many resources are subscribed to while the tools that the user named are called.
	maxWatched = 5
	// afterUnsubscribe is how long updates may still be under way after unsubscribe.
	afterUnsubscribe = time.Second
)

var subscribing = kit.Capability("resources.subscribe")

// resourcesSubscribe is about subscriptions. They are settings of a session: whoever watches for updates has one to himself. One that is over
// again at once is in nobody's way.
func resourcesSubscribe(s *kit.Section) {
	subscribe := s.Script("resources/subscribe", kit.Shared, func(c *kit.C) {
		for _, r := range c.Facts.Watch(1) {
			about := client.WithParams(map[string]any{"uri": r.URI})
			on := c.Call("subscribe", subscribeMethod, about)
			off := c.Call("unsubscribe", unsubscribeMethod, about)
			if !on.Served() || !off.Served() {
				c.Safe("control after")
			}
		}
	}, subscribing)
	s.CheckAcross("resources.subscribe.answered", []*kit.Script{inventory, subscribe}, func(t *kit.T) {
		const expected = "an empty result"
		t.Says(expected)
		if len(t.Facts().Watch(1)) == 0 {
			judges.ResourcePages(t, resourceList)
			t.NotObserved(kit.Unprovoked, "no listed resource has a URI that mcpcheck would send back")
		}
		for _, label := range []string{"subscribe", "unsubscribe"} {
			x := t.In(subscribe).Conclusive(label)
			answer, answered := x.Answer()
			if answer.Kind == wire.KindResult {
				judges.EmptyResult(t, x, answer, expected, true)
				continue
			}
			t.In(subscribe).Control("control after")
			switch code, _ := answer.ErrorCode(); {
			case code == judges.CodeMethodNotFound:
				t.Breach(x, expected, kit.Describe(x)+" to resources/"+label)
			case answered, x.Status()/100 == 4:
				t.Warn(x, expected, kit.Describe(x)+" to resources/"+label)
			default:
				t.Blocked("jsonrpc.request.answered", "resources/"+label+" got no answer: "+kit.Describe(x))
			}
		}
	}, subscribing)

	resourcesUpdated(s)

	s.Passive("resources.subscribe.only-subscribed", judgeOnlySubscribed, kit.Resources)

	undeclared := s.Script("resources/undeclared-subscribe", kit.Own, func(c *kit.C) {
		about := map[string]any{"uri": "mcpcheck-no-such:///" + c.BogusName()}
		for _, r := range c.Facts.Watch(1) {
			about["uri"] = r.URI
		}
		x := c.Call(subscribeMethod, subscribeMethod, client.WithParams(about), client.Broken("a subscription that the server did not offer"))
		if x.Served() {
			c.Call(unsubscribeMethod, unsubscribeMethod, client.WithParams(about), client.Broken("the end of a subscription that the server did not offer"))
		}
		c.Safe("control after")
	}, kit.Resources, noSubscribing, kit.Spends())
	s.Check("resources.undeclared-subscribe", undeclared, func(t *kit.T) {
		t.Says("an error: -32601 is what JSON-RPC suggests")
		t.Control("control after")
		x := t.Conclusive(subscribeMethod)
		switch answer, answered := x.Answer(); {
		case answer.Kind == wire.KindResult:
			t.Note(x, "subscribe is not declared, and resources/subscribe is answered with a result: a client waits for updates that nobody promised")
		case answered, x.Status()/100 == 4:
			t.OK(x, "subscribe is not declared, and resources/subscribe is refused: %s", kit.Describe(x))
		default:
			t.NotObservedAt(kit.Inconclusive, x, "resources/subscribe got no answer: %s", kit.Describe(x))
		}
	}, kit.Resources, noSubscribing)
}

// noSubscribing: the server declares no subscriptions.
var noSubscribing = kit.Need{
	Otherwise: "the server declares resources.subscribe",
	Unclear:   subscribing.Unclear,
	BlockedBy: subscribing.BlockedBy,
	Of: func(f *kit.Facts) kit.Fact {
		switch f.Capability("resources.subscribe") {
		case kit.Yes:
			return kit.No
		case kit.No:
			return kit.Yes
		}
		return kit.Unknown
	},
}

// resourcesUpdated subscribes to some resources, pulls the triggers that the user named, and reads before and after. What is another
// at each read anyway, like a clock, says nothing about updates: hence two reads before.
func resourcesUpdated(s *kit.Section) {
	updated := s.Script("resources/updated", kit.Own, func(c *kit.C) {
		watched := c.Facts.Watch(maxWatched)
		if len(watched) == 0 {
			return
		}
		each := func(what, method string, options ...client.Option) {
			var steps []func()
			for i, r := range watched {
				about := client.WithParams(map[string]any{"uri": r.URI})
				steps = append(steps, func() { c.Call(watchLabel(what, i), method, append([]client.Option{about}, options...)...) })
			}
			c.Parallel(steps...)
		}
		stream := c.Listen("get")
		each(subscribeMethod, subscribeMethod)
		each("before", readMethod, client.GiveUp(max(readPatience, c.Client().Soon())))
		each("again", readMethod, client.GiveUp(max(readPatience, c.Client().Soon())))
		for _, call := range c.Calls {
			resume(c, c.CallTool("call "+call.Name, call))
		}
		each("after", readMethod, client.GiveUp(max(readPatience, c.Client().Soon())))
		c.Watch(stream, c.Safe("marker"))
		each(unsubscribeMethod, unsubscribeMethod)
		stream.Close()
	}, subscribing, withGetStream, kit.Named, kit.Fresh(), kit.Spends())

	s.CheckAcross("resources.subscribe.updated", []*kit.Script{updated}, func(t *kit.T) {
		const expected = updatedMethod + " with the uri of a subscribed resource that has changed"
		t.Says(expected)
		watched := len(t.Facts().Watch(maxWatched))
		if watched == 0 {
			t.NotObserved(kit.Unprovoked, "there is no listed resource to subscribe to")
		}
		if get := t.Answered("get"); !get.IsSSE() || get.Status()/100 != 2 {
			t.NotObservedAt(kit.Inconclusive, get, "no stream was opened: %s", kit.Describe(get))
		}
		tr := t.Transcript()
		pulled := demandTrigger(t, tr)
		for _, m := range t.MessagesIn(tr) {
			if uri, ok := updatedURI(m.Message); ok && m.At >= pulled {
				t.OK(m.Exchange, "the update of %s was announced after the tools named with --call were called", kit.Quote([]byte(uri)))
				return
			}
		}
		subscribed := 0
		for i := range watched {
			if on := tr.Exchange(watchLabel(subscribeMethod, i)); on == nil || !on.Served() {
				continue
			}
			subscribed++
			before, known := textsRead(tr, watchLabel("before", i))
			again, still := textsRead(tr, watchLabel("again", i))
			after, now := textsRead(tr, watchLabel("after", i))
			if known && still && now && slices.Equal(before, again) && !slices.Equal(before, after) {
				t.Watched("get")
				t.Warn(tr.Exchange(watchLabel("after", i)), expected,
					"no notification, and other contents of "+kit.Quote([]byte(t.Facts().Watch(maxWatched)[i].URI)))
				return
			}
		}
		if subscribed == 0 {
			t.Blocked("resources.subscribe.answered", "nothing could be subscribed to")
		}
		t.NotObserved(kit.Unnamed, "the tools named with --call change none of the resources that were subscribed to")
	}, subscribing, withGetStream, kit.Named)
}

func watchLabel(what string, i int) string { return fmt.Sprintf("%s %d", what, i+1) }

// textsRead are the contents of a resource as a read gave them, without what describes them.
func textsRead(tr *wire.Transcript, label string) ([]string, bool) {
	x := tr.Exchange(label)
	if x == nil || !x.Served() {
		return nil, false
	}
	answer, _ := x.Answer()
	var all []string
	for _, item := range judges.ContentsOf(answer) {
		text, _ := kit.Text(item, "text")
		blob, _ := kit.Text(item, "blob")
		all = append(all, text, blob)
	}
	return all, true
}

// updatedURI is what a notification announces as updated; false for other messages and a uri that is no string.
func updatedURI(m wire.Message) (string, bool) {
	if m.Kind != wire.KindNotification || m.Method != updatedMethod {
		return "", false
	}
	return kit.Text(m.Params, "uri")
}

// A subscription is one that mcpcheck asked for, whether or not it was granted.
type subscription struct {
	tr   *wire.Transcript
	uri  string
	sent time.Duration
	over *kit.Seen // the answer that granted its end
}

// outlasted tells that a message came after the end of the subscription, and how long after. Only times of one conversation compare.
func (s *subscription) outlasted(m kit.Seen) (time.Duration, bool) {
	if s.over == nil || s.tr != m.Transcript {
		return 0, false
	}
	behind := m.Exchange == s.over.Exchange && m.Event > s.over.Event
	return m.At - s.over.At, behind || m.At > s.over.At
}

// judgeOnlySubscribed judges the announcements of updates by the subscriptions of their session.
func judgeOnlySubscribed(t *kit.T) {
	const expected = "updates of resources that the session subscribed to"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no update of a resource was announced")
	asked := subscriptions(t)
	for _, tr := range t.Transcripts() {
		for _, m := range t.MessagesIn(tr) {
			uri, ok := updatedURI(m.Message)
			if !ok {
				continue
			}
			current, late := false, time.Duration(-1) // late: how long after the last of them ended
			for _, sub := range asked[subscriber(t, tr, m.Exchange)] {
				if !sub.covers(uri) {
					continue
				}
				since, over := sub.outlasted(m)
				if current = current || !over; late < 0 || since < late {
					late = since
				}
			}
			switch {
			case current:
				t.OK(m.Exchange, "the update of a subscribed resource was announced: %s", kit.Quote([]byte(uri)))
			case late > afterUnsubscribe:
				t.WarnAt(m, expected, "the update of "+kit.Quote([]byte(uri))+" after resources/unsubscribe was answered")
			case late >= 0:
				t.NoteAt(m, "the update of %s was announced within a second after resources/unsubscribe was answered", kit.Quote([]byte(uri)))
			default:
				t.WarnAt(m, expected, "the update of "+kit.Quote([]byte(uri))+", which the session did not subscribe to")
			}
		}
	}
}

// subscriptions are all that mcpcheck asked for, by session.
func subscriptions(t *kit.T) map[string][]*subscription {
	all := map[string][]*subscription{}
	for _, tr := range t.Transcripts() {
		for _, x := range tr.Exchanges {
			sent := x.RequestMessage()
			if sent.Method != subscribeMethod && sent.Method != unsubscribeMethod {
				continue
			}
			uri, ok := kit.Text(sent.Params, "uri")
			session := subscriber(t, tr, x)
			switch {
			case !ok:
			case sent.Method == subscribeMethod:
				all[session] = append(all[session], &subscription{tr: tr, uri: uri, sent: x.Sent})
			case x.Served():
				end, ok := judges.AnswerTo(t, tr, x)
				for _, sub := range all[session] {
					if ok && sub.tr == tr && sub.uri == uri && sub.sent <= x.Sent {
						sub.over = &end
					}
				}
			}
		}
	}
	return all
}

// subscriber is whose subscriptions count. A server without session ids cannot tell clients apart, and over HTTP+SSE scripts share
// streams: there all are one.
func subscriber(t *kit.T, tr *wire.Transcript, x *wire.Exchange) string {
	if t.OldTransport() || t.Facts().Trait(traitSessions) != kit.Yes {
		return ""
	}
	return kit.SessionOf(tr, x)
}

// covers tells that a URI is the subscribed one or may be something within it (the schema's comment allows that). Some servers return
// URIs in another spelling than they got.
func (s *subscription) covers(uri string) bool {
	return strings.HasPrefix(plainURI(uri), strings.TrimRight(plainURI(s.uri), "/"))
}

func plainURI(uri string) string {
	if decoded, err := url.PathUnescape(uri); err == nil {
		uri = decoded
	}
	return strings.ToLower(uri)
}
