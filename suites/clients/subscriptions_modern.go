package clients

import (
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func subscriptionsModern(s *kit.Section) {
	s.Passive("modern.client.subscriptions.filter-shape", filterShapes)
	s.Passive("modern.client.subscriptions.multiple-allowed", subscribes)
}

const methodListen = "subscriptions/listen"

func filterShapes(t *kit.T) {
	const expected = "notifications with booleans for the lists, and an array of URIs"
	t.Says(expected)
	eachModern(t, func(x *wire.Exchange, m wire.Message) {
		if m.Method != methodListen {
			return
		}
		raw, there := m.Pointer("/params/notifications")
		wrong := ""
		if !there || kit.JSONType(raw) != "object" {
			wrong = "notifications " + kit.JSON(raw)
		}
		for member, kind := range map[string]string{"toolsListChanged": "boolean", "promptsListChanged": "boolean", "resourcesListChanged": "boolean", "resourceSubscriptions": "array"} {
			if value, there := wire.Lookup(raw, "/"+member); there && kit.JSONType(value) != kind {
				wrong = member + " " + kit.JSON(value)
			}
		}
		if wrong != "" {
			t.Breach(x, expected, wrong)
			return
		}
		t.Saw()
	})
	if !t.Observed() {
		t.NotApplicable("the client does not listen for changes")
	}
}

// subscribes tells how many subscriptions a client holds: any number is right.
func subscribes(t *kit.T) {
	t.Says("any number of subscriptions")
	n := 0
	eachModern(t, func(x *wire.Exchange, m wire.Message) {
		if m.Method == methodListen {
			n++
			t.OK(x, "it listens for changes")
		}
	})
	if n == 0 {
		t.NotApplicable("the client does not listen for changes")
	}
}
