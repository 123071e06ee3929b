package legacy

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// oddRequests are harmless requests with something in them that not every client sends.
var oddRequests = kit.NewScript("jsonrpc/odd-requests", kit.Shared, func(c *kit.C) {
	used := c.SafeControl("control").RequestMessage().ID
	c.ListControl("control list")
	steps := []func(){
		func() {
			c.Safe("second use of an id", client.WithID(used), c.Client().GiveUpSoon(), client.Broken("with an id that was used before"))
		},
		func() {
			c.Post(idLast, fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"_meta":{"id":"mcpcheck-inner"}},"id":%d}`, c.Facts.Safe, c.Client().NextID()))
		},
		func() {
			c.Safe("null id", client.WithID(nil), c.Client().GiveUpSoon(), client.Broken("with the id null"))
		},
	}
	for _, odd := range oddMembers {
		id := client.WithID(ids[slices.IndexFunc(ids, func(k oddID) bool { return k.label == odd.id })].value)
		method := odd.method(c.Facts)
		steps = append(steps, func() {
			if method != "" && c.Call(odd.pair().label, method, id, odd.member).Served() {
				return
			}
			if method != "" {
				c.Call(odd.label, method, odd.member)
			}
			c.Safe(odd.id, id)
		})
	}
	if c.Facts.Safe != pingMethod {
		// Otherwise the inventory has seen it served.
		steps = append(steps, func() { c.Call("ping", pingMethod) })
	}
	c.Unrelated(steps...)
	c.Safe("control after")
})

// An oddMember is something in the params of a request that a server need not know. It makes a pair with an odd id.
type oddMember struct {
	label  string
	member client.Option
	method func(*kit.Facts) string
	id     string // its label
}

const pingMethod = "ping"

const pingWithParams = "ping with params"

var oddMembers = func() []oddMember {
	unknown := client.WithParams(map[string]any{"mcpcheckUnknown": true})
	safe := func(f *kit.Facts) string { return f.Safe }
	return []oddMember{
		{"unknown member", unknown, safe, "zero"},
		{"meta", client.WithMeta(map[string]any{"com.example.mcpcheck/x": 1}), safe, "negative"},
		{"string token", client.WithMeta(map[string]any{"progressToken": "mcpcheck-token"}), safe, "numeric string"},
		{"integer token", client.WithMeta(map[string]any{"progressToken": 0}), safe, "string"},
		{"unknown member in list", unknown, func(f *kit.Facts) string { return f.List }, "largest safe integer"},
		{pingWithParams, client.WithParams(map[string]any{}), func(*kit.Facts) string { return pingMethod }, "non-ASCII"},
	}
}()

func (o oddMember) pair() pair { return pair{o.label + ", id " + o.id, o.label, o.id} }

// oddLabel is the label of the request that shows what becomes of an odd member or id.
func oddLabel(t *kit.T, label string) string {
	var pairs []pair
	for _, o := range oddMembers {
		pairs = append(pairs, o.pair())
	}
	return shownBy(t, oddRequests, label, pairs)
}

// ids are the request ids that every server has to send back unchanged. Positive integers are in all other requests.
var ids = []oddID{
	{"zero", 0},
	{"negative", -3},
	{"string", "mcpcheck-a"},
	{"numeric string", "7"},
	{"non-ASCII", "mcpcheck-äö-日本"},
	{"largest safe integer", json.RawMessage("9007199254740991")},
}

// An oddID is an id that any request may have.
type oddID struct {
	label string
	value any
}

// idLast is a request whose id follows its params, in which another id stands: some servers take the first that they find.
const idLast = "id behind params"
