package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// notifications are those that nothing answers, beside a stream that would show it, and then, when it is closed, what else a POST may carry
// that is no request: a refusal of that may come without an id, and is none of the others.
var notifications = kit.NewScript("jsonrpc/notifications", kit.Own, func(c *kit.C) {
	stream := c.Listen("get")
	c.Notify("cancelled", "notifications/cancelled",
		client.WithParams(map[string]any{"requestId": "mcpcheck-none", "reason": "no such request"}))
	c.Notify("unknown", "notifications/mcpcheck-unknown", client.Broken("naming a notification that does not exist"))
	for _, method := range withoutID(c.Facts) {
		c.Notify(method+" without id", method, client.GiveUp(max(notePatience, c.Client().Soon())), client.Broken("without an id, which makes it a notification"))
	}
	c.Watch(stream, c.Safe("control"))
	stream.Close()
	if !streamableRules(c) {
		return
	}
	odd := []func(){
		func() {
			c.Notify(withoutRequestID, "notifications/cancelled", client.WithParams(map[string]any{}), client.Broken("without requestId"))
		},
		func() {
			c.Respond(strayResponse, []byte(`"mcpcheck-none"`), map[string]any{}, client.Broken("answering a request that was never sent"))
		},
	}
	if c.Facts.Trait(traitSessions) == kit.Yes {
		odd = append(odd, func() {
			c.Notify(unknownSession, "notifications/cancelled", client.WithSession("mcpcheck-none"),
				client.WithParams(map[string]any{"requestId": "mcpcheck-none"}), client.Broken("with a session id the server never issued"))
		})
	}
	c.Parallel(odd...)
	c.Safe("control after")
}, kit.Long())

// Labels of what carries no request and is odd beside.
const (
	withoutRequestID = "cancelled without id"
	strayResponse    = "response"
	unknownSession   = "unknown session"
)

func oddMessage(x *wire.Exchange) bool {
	return x.Label == withoutRequestID || x.Label == strayResponse || x.Label == unknownSession
}
