package legacy

import (
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// notReady is all that comes between initialize and notifications/initialized: a client that can do everything pings, listens for a while, asks
// for a list as hasty clients do, and only then says that it is ready. The list comes last, since it may cost the session. What the session
// is good for when it was all that serves to see what a second initialize does to it.
var notReady = kit.NewScript("lifecycle/not-ready", kit.Bare, func(c *kit.C) {
	c.OnRequest(declineRequests)
	capabilities, served := introduce(c)
	if !served {
		return
	}
	// A request whose connection broke is sent again: once proves nothing. What is silent has taken long enough.
	twice := func(label, method string) *wire.Exchange {
		x := c.Call(label, method)
		if x.Response == nil && x.EndedBy != wire.ByTimeout {
			c.Call(label+again, method)
		}
		return x
	}
	silent := twice("early ping", "ping").EndedBy == wire.ByTimeout
	if c.Facts.Trait(traitGetStream) == kit.Yes {
		stream := c.Listen("get")
		c.Watch(stream, nil)
		defer stream.Close()
	}
	hasty := c.Facts.List != "" && !silent
	if hasty {
		silent = twice("early list", c.Facts.List).EndedBy == wire.ByTimeout
	}
	c.Notify("initialized", "notifications/initialized")
	if hasty && !silent {
		c.List("list")
	}
	if (silent || !c.Safe("control").Served()) && hasty {
		// The list may be the reason: the rest is looked at in a session without one.
		x := c.Initialize("initialize anew", c.Revision, client.WithCapabilities(capabilities))
		if !x.Served() {
			return
		}
		goOnIn(c, x)
		c.Notify("initialized anew", "notifications/initialized")
		c.Safe("control anew")
	}
	if c.Facts.Trait(traitSessions) == kit.Yes {
		// It declares the same: whatever the server asks in the session was declared then, whichever of the two it goes by.
		c.Initialize("second", c.Revision, client.WithSession(c.Session().ID()), client.WithCapabilities(capabilities),
			client.Broken("a second initialize in the same session"))
		c.Safe("afterwards")
	}
}, kit.Open, kit.Waits())

// again is what the label of a request ends with that is sent once more because its connection broke.
const again = " again"

// unknownCapability is one that no revision defines: a later one may.
const unknownCapability = "mcpcheckUnknown"

// clientCapabilities are the members of the capabilities of a client, by the revision that introduced each (schema, ClientCapabilities).
var clientCapabilities = []struct{ since, member string }{
	{"2024-11-05", "roots.listChanged"},
	{"2024-11-05", "sampling"},
	{"2024-11-05", "experimental"},
	{"2025-06-18", "elicitation"},
	{"2025-11-25", "elicitation.form"},
	{"2025-11-25", "elicitation.url"},
	{"2025-11-25", "sampling.context"},
	{"2025-11-25", "sampling.tools"},
	{"2025-11-25", "tasks.list"},
	{"2025-11-25", "tasks.cancel"},
	{"2025-11-25", "tasks.requests.sampling.createMessage"},
	{"2025-11-25", "tasks.requests.elicitation.create"},
}

// Labels of the initializes after one that was refused to a client which can do everything. A conversation goes on in the session of the first
// of them that is served, or else in that of a client which can do nothing.
const (
	allDefined = "all that is defined"
	theUsual   = "what most clients declare"
)

// introduce opens a session as a client that can do everything, and finds out what a server minds that does not serve it. It returns what the
// client of the session declared.
func introduce(c *kit.C) (capabilities map[string]any, served bool) {
	declare := func(label string, members ...string) *wire.Exchange {
		capabilities = declaring(members)
		return c.Initialize(label, c.Revision, client.WithCapabilities(capabilities), client.Broken("declaring "+strings.Join(members, ", ")))
	}
	var members []string
	for _, m := range clientCapabilities {
		if c.Since(m.since) {
			members = append(members, m.member)
		}
	}
	if declare(opening, append(slices.Clone(members), unknownCapability)...).Served() {
		return capabilities, true
	}
	if !c.Initialize("plain", c.Revision).Served() {
		return nil, false
	}
	if x := declare(allDefined, members...); x.Served() {
		goOnIn(c, x)
		c.Initialize("plain after", c.Revision)
		return capabilities, true
	}
	halve(members, func(some []string) bool { return declare("declaring "+strings.Join(some, ", "), some...).Served() })
	x := c.Initialize("plain after", c.Revision)
	if !x.Served() {
		return nil, false
	}
	goOnIn(c, x)
	capabilities = everyCapability(c.Revision)
	if x = c.Initialize(theUsual, c.Revision, client.WithCapabilities(capabilities)); !x.Served() {
		return map[string]any{}, true
	}
	goOnIn(c, x)
	return capabilities, true
}

// introduced is the label of the initialize whose session the conversation went on in.
func introduced(t *kit.T) string {
	for _, label := range []string{allDefined, theUsual, "plain after"} {
		if x := t.IfSent(label); x != nil && x.Served() {
			return label
		}
	}
	return opening
}

// halve narrows a set of members down to one that is refused by itself, or to some that are refused only together.
func halve(members []string, served func([]string) bool) {
	for len(members) > 1 {
		first, second := members[:len(members)/2], members[len(members)/2:]
		switch {
		case !served(first):
			members = first
		case !served(second):
			members = second
		default:
			return
		}
	}
}

// declaring builds capabilities from the paths of their members.
func declaring(members []string) map[string]any {
	capabilities := map[string]any{}
	for _, m := range members {
		at := capabilities
		steps := strings.Split(m, ".")
		for i, step := range steps {
			if step == "listChanged" {
				at[step] = true
				break
			}
			below, ok := at[step].(map[string]any)
			if !ok {
				below = map[string]any{}
				at[step] = below
			}
			if i < len(steps)-1 {
				at = below
			}
		}
	}
	return capabilities
}

// goOnIn has the conversation go on in the session that a further initialize opened.
func goOnIn(c *kit.C, x *wire.Exchange) {
	info := wire.SessionInfo{Opened: true, Negotiated: offeredVersion(x)}
	if ids := x.ResponseSession(); len(ids) > 0 {
		info.ID = ids[0]
	}
	c.Adopt(client.NewSession(info))
}

// earlyRequest is the label of the harmless request before notifications/initialized.
func earlyRequest(t *kit.T) string {
	if t.Facts().Safe == "ping" {
		return "early ping"
	}
	return "early list"
}

// readyControl is the label of the harmless request after notifications/initialized: in another session, where the one of the early list did
// not serve it.
func readyControl(t *kit.T) string {
	if t.IfSent("control anew") != nil {
		return "control anew"
	}
	return "control"
}

// everyCapability is what a client declares that can do whatever servers may ask of it in a revision.
func everyCapability(spoken string) map[string]any {
	can := map[string]any{"roots": map[string]any{"listChanged": true}, "sampling": map[string]any{}}
	if revision.Since(spoken, "2025-06-18") {
		can["elicitation"] = map[string]any{}
	}
	return can
}

// declineRequests answers what a server asks of such a client: it has no roots, and its user says no.
func declineRequests(m wire.Message) (any, bool) {
	switch m.Method {
	case "roots/list":
		return map[string]any{"roots": []any{}}, true
	case "sampling/createMessage":
		return &client.RPCError{Code: -1, Message: "User rejected sampling request"}, true
	case "elicitation/create":
		return map[string]any{"action": "decline"}, true
	}
	return nil, false
}
