package legacy

import (
	"encoding/json"
	"fmt"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// ids are the request ids that every server has to send back unchanged.
var ids = []struct {
	label string
	value any
}{
	{"integer", 7},
	{"zero", 0},
	{"negative", -3},
	{"string", "mcpcheck-a"},
	{"numeric string", "7"},
	{"non-ASCII", "mcpcheck-äö-日本"},
	{"largest safe integer", json.RawMessage("9007199254740991")},
}

func jsonrpc(s *kit.Section) {
	s.Passive("jsonrpc.version-field", func(t *kit.T) {
		const expected = `"jsonrpc": "2.0"`
		t.Says(expected)
		for _, m := range t.Messages() {
			switch {
			case m.Kind == client.KindNotObject || m.Kind == client.KindNotJSON:
			case string(m.Version) == `"2.0"`:
				t.Saw()
			default:
				t.BreachAt(m, expected, `"jsonrpc": `+kit.JSON(m.Version))
			}
		}
	})

	echo := s.Script("jsonrpc/ids", kit.Own, func(c *kit.C) {
		for _, id := range ids {
			c.Safe(id.label, client.WithID(id.value))
		}
	})
	s.Check("jsonrpc.response.id-echo", echo, func(t *kit.T) {
		const expected = "the id of the request, same value and type"
		t.Says(expected)
		for _, id := range ids {
			x := t.Exchange(id.label)
			want := x.RequestMessage().ID
			answered := false
			for _, m := range x.Messages() {
				if !m.HasResult && !m.HasError {
					continue
				}
				answered = true
				switch {
				case !client.SameID(m.ID, want):
					t.Breach(x, expected+" ("+kit.JSON(want)+")", "id "+kit.JSON(m.ID))
				case m.HasError:
					t.Warn(x, "a result for a request with the id "+kit.JSON(want), kit.DescribeMessage(m.Message))
				default:
					t.OK(x, "%d kinds of ids came back unchanged", len(ids))
				}
			}
			if !answered {
				t.Conclusive(x)
				t.Warn(x, "a result for a request with the id "+kit.JSON(want), kit.Describe(x))
			}
		}
		echoedErrors(t, expected)
	})

	batch := s.Script("jsonrpc/batch", kit.Own, func(c *kit.C) {
		c.Safe("control")
		first, second := c.Client().NextID(), c.Client().NextID()
		body := fmt.Sprintf(`[{"jsonrpc":"2.0","id":%d,"method":%q},{"jsonrpc":"2.0","id":%d,"method":%q}]`,
			first, c.Facts.Safe, second, c.Facts.Safe)
		c.Post("batch", []byte(body))
	}, kit.Revisions("2025-03-26"))
	s.Check("jsonrpc.batch.receive", batch, func(t *kit.T) {
		if negotiated := t.Transcript().Session.Negotiated; negotiated != "2025-03-26" {
			t.NotApplicable("the server negotiated %q, not 2025-03-26", negotiated)
		}
		t.Control("control")
		x := t.Sent(batch, "batch")
		if x.Response != nil {
			t.Probe("batch", 402, 407, 500, 501)
			if x.Status() == 413 {
				t.NotObservedAt(x, "the batch was too large: %s", kit.Describe(x))
			}
		}
		t.Expect(x, answersAll)
	})
}

var answersAll = kit.That("a response to each request of the batch", func(x *client.Exchange) bool {
	want := x.RequestMessage().Elements
	for _, w := range want {
		found := false
		for _, m := range x.Messages() {
			if (m.HasResult || m.HasError) && client.SameID(m.ID, w.ID) {
				found = true
			}
		}
		if !found {
			return false
		}
	}
	return x.Status()/100 == 2
})

// echoedErrors looks at the errors in all traffic: one that answers a well-formed request carries its id too.
func echoedErrors(t *kit.T, expected string) {
	for _, x := range t.Exchanges() {
		want := x.RequestMessage().ID
		if x.Broken != "" || x.Request.Method != "POST" || x.Status()/100 != 2 || want == nil {
			continue
		}
		for _, m := range x.Messages() {
			if m.Kind == client.KindError && !client.SameID(m.ID, want) {
				t.Breach(x, expected+" ("+kit.JSON(want)+")", "an error with id "+kit.JSON(m.ID))
			}
		}
	}
}
