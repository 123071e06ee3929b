package legacy

import (
	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// versionsNobodySpeaks lie outside every range of published revisions.
var versionsNobodySpeaks = []string{"2099-12-31", "1900-01-01"}

func lifecycle(s *kit.Section) {
	inventory := Inventory()

	s.Check("lifecycle.initialize.answered", inventory, func(t *kit.T) {
		x := t.Sent(inventory, "initialize")
		if x.Response != nil {
			t.Probe("initialize", 500, 501, 502, 503, 504)
		}
		t.Expect(x, kit.Served())
	})

	s.Check("lifecycle.initialize.protocol-version", inventory, func(t *kit.T) {
		t.Control("initialize")
		x := t.Exchange("initialize")
		answer, _ := x.Answer()
		t.Says("a non-empty string protocolVersion")
		var version string
		raw, _ := answer.Pointer("/result/protocolVersion")
		if answer.Decode("/result/protocolVersion", &version) != nil || version == "" {
			t.Breach(x, "a non-empty string protocolVersion", "protocolVersion "+kit.JSON(raw))
			return
		}
		t.OK(x, "protocolVersion is %q", version)
	})

	unknown := s.Script("lifecycle/unknown-version", kit.Bare, func(c *kit.C) {
		c.Initialize("control", c.Revision)
		for _, v := range versionsNobodySpeaks {
			c.Initialize(v, v, client.Broken("naming a revision that does not exist"))
		}
		c.Initialize("control after", c.Revision)
	})
	s.Check("lifecycle.version.alternative", unknown, func(t *kit.T) {
		t.Control("control", "control after")
		for _, v := range versionsNobodySpeaks {
			judgeAlternative(t, t.Sent(unknown, v), v)
		}
	}, kit.BlockedBy("lifecycle.initialize.answered", "lifecycle.initialize.protocol-version"))
}

// judgeAlternative judges the answer to an initialize that names a revision which does not exist.
func judgeAlternative(t *kit.T, x *client.Exchange, asked string) {
	const expected = "a result that names a revision the server supports"
	answer, ok := x.Answer()
	var version string
	switch {
	case ok && answer.Kind == client.KindResult && answer.Decode("/result/protocolVersion", &version) == nil && version != asked:
		t.OK(x, "asked for %s, it offers %q", asked, version)
	case ok && answer.Kind == client.KindError && namesVersions(answer):
		t.Warn(x, expected, kit.Describe(x)+", which lists the supported ones")
	case ok && answer.Kind == client.KindResult:
		t.Breach(x, expected, "a result that names "+asked+" itself")
	case x.Response != nil:
		t.Probe(x.Label)
		t.Breach(x, expected, kit.Describe(x))
	default:
		t.Breach(x, expected, kit.Describe(x))
	}
}

// namesVersions tells whether an error carries a list of versions in its data, whatever the member is called.
func namesVersions(m client.Message) bool {
	var data map[string]any
	if m.Decode("/error/data", &data) != nil {
		return false
	}
	for _, v := range data {
		if list, ok := v.([]any); ok && len(list) > 0 {
			return true
		}
	}
	return false
}
