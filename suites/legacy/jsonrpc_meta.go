package legacy

import (
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// oddRequests are harmless requests with something in them that not every client sends.
var oddRequests = kit.NewScript("jsonrpc/odd-requests", kit.Shared, func(c *kit.C) {
	// Some servers leave the stream open on which they have answered (sse.closes-after-response): two are watched to their end.
	patiently := client.Linger(judges.PatientLinger)
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
		method, with := odd.method(c.Facts), []client.Option{odd.member}
		if odd.label == pingWithParams || odd.label == unknownMember {
			with = append(with, patiently)
		}
		steps = append(steps, func() {
			if method != "" && c.Call(odd.pair().label, method, append(with, id)...).Served() {
				return
			}
			if method != "" {
				c.Call(odd.label, method, with...)
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

const unknownMember, pingWithParams = "unknown member", "ping with params"

var oddMembers = func() []oddMember {
	unknown := client.WithParams(map[string]any{"mcpcheckUnknown": true})
	safe := func(f *kit.Facts) string { return f.Safe }
	return []oddMember{
		{unknownMember, unknown, safe, "zero"},
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

// jsonrpcMeta are the rules for what a message may carry besides what its method defines.
func jsonrpcMeta(s *kit.Section) {
	odd := s.Add(oddRequests)
	s.Check("jsonrpc.request.null-id", odd, func(t *kit.T) {
		t.Control("control", "control after")
		x := t.Conclusive("null id")
		t.Says("HTTP 4xx, a JSON-RPC error, or 202 as for a notification")
		if judges.HasResult(x) {
			t.Note(x, "a request with the id null got a result")
			return
		}
		t.OK(x, "%s", kit.Describe(x))
	})
	s.Check("jsonrpc.request.duplicate-id", odd, func(t *kit.T) {
		t.Control("control", "control after")
		t.Says("a second answer, or an error")
		t.OK(t.Conclusive("second use of an id"), "%s", kit.Describe(t.Conclusive("second use of an id")))
	})
	s.Check("jsonrpc.unknown-members", odd, func(t *kit.T) {
		t.Control("control", "control after")
		pairs := [][2]string{{"control", unknownMember}, {"control list", "unknown member in list"}}
		for _, p := range pairs {
			if label := oddLabel(t, p[1]); t.IfSent(label) != nil {
				t.Control(p[0])
				judges.Tolerated(t, t.Conclusive(label), "a member of params that it does not know")
			}
		}
	})
	s.Check("jsonrpc.meta-tolerated", odd, func(t *kit.T) {
		t.Control("control", "control after")
		judges.Tolerated(t, t.Conclusive(oddLabel(t, "meta")), "a key in _meta that it does not know")
	})

	s.Passive("jsonrpc.meta-keys", judges.MetaKeys)

	s.Passive("jsonrpc.meta-reserved", func(t *kit.T) { judges.MetaReserved(t, definedMetaKeys) })

	s.Passive("jsonrpc.meta-reverse-dns", judges.MetaReverseDNS)
}

// definedMetaKeys are what the revisions themselves put under reserved prefixes.
var definedMetaKeys = []string{"io.modelcontextprotocol/related-task", "io.modelcontextprotocol/model-immediate-response"}
