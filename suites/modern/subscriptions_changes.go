package modern

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	// changePatience is how long a change may take to be told after it was seen.
	changePatience = 5 * time.Second
	// maxRead bounds the resources that are read before and after, to see what changed.
	maxRead = 4
)

// subscriptionsChanges lets the tools that the user named change something while a subscription is open.
func subscriptionsChanges(s *kit.Section) {
	probe := s.Script("modern.subscriptions/changes", kit.Own, func(c *kit.C) {
		c.Safe("control")
		nothing := listen(c, "listen to nothing", struct{}{})
		all := listen(c, "listen", declaredFilter(c.Facts))
		seen := map[string]*wire.Exchange{}
		look := func(when string) {
			for _, l := range kit.ListMethods {
				if c.Facts.Capability(l.Capability+".listChanged") == kit.Yes {
					seen[l.Method+" "+when] = c.Call(l.Method+" "+when, l.Method)
				}
			}
			uris := watched(c.Facts)
			for _, uri := range uris[:min(len(uris), maxRead)] {
				seen["read "+uri+" "+when] = c.Call("read "+uri+" "+when, "resources/read", client.WithParams(map[string]any{"uri": uri}))
			}
		}
		look("before")
		for _, call := range c.Calls {
			c.CallTool("call "+call.Name, call)
		}
		look("after")
		for _, change := range changes {
			list := strings.TrimSuffix(change.capability, ".listChanged") + "/list"
			if changed(seen[list+" before"], seen[list+" after"]) {
				all.Next(changePatience, func(e wire.Event) bool { return e.Message().Method == change.notification })
			}
		}
		uris := watched(c.Facts)
		for _, uri := range uris[:min(len(uris), maxRead)] {
			if changed(seen["read "+uri+" before"], seen["read "+uri+" after"]) {
				all.Next(changePatience, func(e wire.Event) bool { return updates(e.Message(), uri) })
			}
		}
		c.Watch(nothing, c.Safe("marker"))
		all.Close()
		nothing.Close()
		c.Safe("control after")
	}, listens, kit.Named, kit.Intricate())
	stream := func(t *kit.T) *wire.Exchange {
		t.Control("control", "control after")
		x := t.Conclusive("listen", gatewayless...)
		if !x.IsSSE() || x.Status()/100 != 2 || len(x.Messages()) == 0 {
			t.Blocked("modern.subscriptions.listen-supported", "no subscription was opened: "+kit.Describe(x), x)
		}
		return x
	}
	for i, id := range []string{"modern.subscriptions.tools-list-changed-sent", "modern.subscriptions.prompts-list-changed-sent", "modern.subscriptions.resources-list-changed-sent"} {
		change := changes[i]
		list := strings.TrimSuffix(change.capability, ".listChanged") + "/list"
		s.Check(id, probe, func(t *kit.T) {
			expected := change.notification + " when the list changes"
			t.Says(expected)
			x := stream(t)
			if !changed(t.IfSent(list+" before"), t.IfSent(list+" after")) {
				t.NotObserved(kit.Unprovoked, "no tool that was named changed the list")
			}
			told(t, x, expected, func(m wire.Message) bool { return m.Method == change.notification })
		}, kit.Capability(change.capability))
	}
	s.Check("modern.subscriptions.resource-updated-sent", probe, func(t *kit.T) {
		const expected = methodUpdated + " when a watched resource changes"
		t.Says(expected)
		x := stream(t)
		t.Unseen(kit.Unprovoked, "no tool that was named changed a watched resource that was read before and after")
		uris := watched(t.Facts())
		for _, uri := range uris[:min(len(uris), maxRead)] {
			if changed(t.IfSent("read "+uri+" before"), t.IfSent("read "+uri+" after")) {
				told(t, x, expected, func(m wire.Message) bool { return updates(m, uri) })
			}
		}
	}, kit.Capability("resources.subscribe"))
}

// told judges that a stream told of something.
func told(t *kit.T, x *wire.Exchange, expected string, is func(wire.Message) bool) {
	switch {
	case slices.ContainsFunc(x.Messages(), func(m wire.Located) bool { return is(m.Message) }):
		t.OK(x, "the change was told")
	case x.EndedBy == wire.ByServer:
		t.NotObservedAt(kit.Ended, x, "the server ended the subscription")
	default:
		t.Breach(x, expected, "a change, and nothing on the stream in five seconds")
	}
}

// updates tells that a message is the update of a resource, or of one below it.
func updates(m wire.Message, uri string) bool {
	var of string
	_ = m.Decode("/params/uri", &of)
	return m.Method == methodUpdated && strings.HasPrefix(of, uri)
}

// changed tells that two results differ in more than what may differ at any time.
func changed(before, after *wire.Exchange) bool {
	if before == nil || after == nil || !before.Served() || !after.Served() {
		return false
	}
	one, _ := before.Answer()
	two, _ := after.Answer()
	return essence(one.Result) != essence(two.Result)
}

// essence is a result without its hints and metadata.
func essence(raw json.RawMessage) string {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members)
	for _, name := range []string{"_meta", "ttlMs", "cacheScope", "nextCursor"} {
		delete(members, name)
	}
	text, _ := json.Marshal(members)
	return string(text)
}
