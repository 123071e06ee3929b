package modern

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	methodListen   = "subscriptions/listen"
	methodAck      = "notifications/subscriptions/acknowledged"
	methodUpdated  = "notifications/resources/updated"
	progressMethod = "notifications/progress"
	keySubscriptID = "io.modelcontextprotocol/subscriptionId"

	// ackPatience is how long a subscription may take to be acknowledged: some hosts hold the beginning of a stream back.
	ackPatience = 10 * time.Second
	// maxWatched bounds the resources that one subscription is about.
	maxWatched = 20
)

// A change is what a subscription can tell of: the member of the filter that asks for it, what has to be declared, and the notification.
type change struct{ member, capability, notification string }

// changes are those of lists; resources that are watched one by one are asked for by their URIs.
var changes = []change{
	{"toolsListChanged", "tools.listChanged", "notifications/tools/list_changed"},
	{"promptsListChanged", "prompts.listChanged", "notifications/prompts/list_changed"},
	{"resourcesListChanged", "resources.listChanged", "notifications/resources/list_changed"},
}

// listens: the server declares something that a subscription can tell of.
var listens = kit.AnyCapability("the server declares neither listChanged nor resources.subscribe",
	changes[0].capability, changes[1].capability, changes[2].capability, "resources.subscribe")

// declaredFilter asks for all that the server declares.
func declaredFilter(f *kit.Facts) map[string]any {
	filter := map[string]any{}
	for _, c := range changes {
		if f.Capability(c.capability) == kit.Yes {
			filter[c.member] = true
		}
	}
	if uris := watched(f); len(uris) > 0 {
		filter["resourceSubscriptions"] = uris
	}
	return filter
}

// watched are the listed resources that a subscription may be about.
func watched(f *kit.Facts) []string {
	if f.Capability("resources.subscribe") != kit.Yes {
		return nil
	}
	var uris []string
	for _, r := range f.Watch(maxWatched) {
		uris = append(uris, r.URI)
	}
	return uris
}

// listen opens a subscription and waits until it is acknowledged or over.
func listen(c *kit.C, label string, filter any, options ...client.Option) *client.Stream {
	options = append([]client.Option{client.WithParams(map[string]any{"notifications": filter}), client.HeadWithin(ackPatience), client.KeepOpen()}, options...)
	s := c.Stream(label, methodListen, options...)
	s.Next(ackPatience, func(e wire.Event) bool {
		m := e.Message()
		return e.Dispatched && (m.Method == methodAck || m.HasResult || m.HasError)
	})
	return s
}

// filterOf is the filter of a request or of an acknowledgement; not ok where it is no object.
func filterOf(m wire.Message) (members map[string]json.RawMessage, ok bool) {
	raw, _ := m.Pointer("/params/notifications")
	_ = json.Unmarshal(raw, &members)
	return members, members != nil
}

// asksFor tells whether a filter asks for a kind of notification; what is false is not asked for.
func asksFor(filter map[string]json.RawMessage, notification string) bool {
	if notification == methodUpdated {
		var uris []json.RawMessage
		_ = json.Unmarshal(filter["resourceSubscriptions"], &uris)
		return len(uris) > 0
	}
	return slices.ContainsFunc(changes, func(c change) bool {
		return c.notification == notification && string(filter[c.member]) == "true"
	})
}

// subscriptionID is what a message says which subscription it belongs to; "" where it says nothing.
func subscriptionID(m wire.Message, object string) (json.RawMessage, bool) {
	return member(m, object, keySubscriptID)
}

// answeringStreams are the streams that answer requests of the era.
func answeringStreams(t *kit.T) []*wire.Exchange {
	var all []*wire.Exchange
	for _, x := range t.Streams() {
		if x.RequestMessage().ID != nil && !mayBeOlder(t, x) {
			all = append(all, x)
		}
	}
	return all
}

// listenStreams are the answers to subscriptions/listen that are event streams.
func listenStreams(t *kit.T) []*wire.Exchange {
	return slices.DeleteFunc(answeringStreams(t), func(x *wire.Exchange) bool { return x.RequestMessage().Method != methodListen })
}

// notifications visits those on the streams of subscriptions.
func onSubscriptions(t *kit.T, visit func(*wire.Exchange, kit.Seen)) {
	for _, m := range t.Messages() {
		if x := m.Exchange; x.RequestMessage().Method == methodListen && x.IsSSE() && m.HasMethod && !mayBeOlder(t, x) {
			visit(x, m)
		}
	}
}

// onRequests visits the notifications of a method on the streams of requests, those of subscriptions excepted; late: behind the response.
func onRequests(t *kit.T, method string, visit func(m kit.Seen, late bool)) {
	var answered *wire.Exchange
	for _, m := range t.Messages() {
		x := m.Exchange
		if x.RequestMessage().Method == methodListen || !x.IsSSE() || mayBeOlder(t, x) {
			continue
		}
		if (m.HasResult || m.HasError) && !m.HasMethod {
			answered = x
		}
		if m.HasMethod && m.Method == method {
			visit(m, answered == x)
		}
	}
}
