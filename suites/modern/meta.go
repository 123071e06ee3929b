package modern

import (
	"encoding/json"
	"slices"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func meta(s *kit.Section) {
	s.Check("modern.meta.missing-meta-400", altered, func(t *kit.T) {
		t.Control("control", "control after")
		for _, label := range []string{"no _meta", "no params"} {
			t.Cause(causeNoVersion)
			missingField(t, t.Conclusive(label, gatewayless...), t.Facts().DualEra != kit.No, true)
		}
	})
	s.Check("modern.meta.missing-protocol-version-400", altered, func(t *kit.T) {
		t.Control("control", "control after")
		t.Cause(causeNoVersion)
		missingField(t, t.Conclusive("no protocolVersion", gatewayless...), t.Facts().DualEra != kit.No, true)
	})
	s.Check("modern.meta.missing-client-capabilities-400", altered, func(t *kit.T) {
		t.Control("control", "control after")
		missingField(t, t.Conclusive("no clientCapabilities", gatewayless...), false, false)
	})
	s.Check("modern.meta.mistyped-field-rejected", altered, func(t *kit.T) {
		const expected = "a JSON-RPC error, -32602 above all"
		t.Says(expected)
		t.Control("control", "control after")
		for _, label := range []string{"capabilities that are a string", "version that is a number"} {
			x := t.Conclusive(label, gatewayless...)
			switch {
			case processed(x):
				t.Warn(x, expected, kit.Describe(x))
			case coded(x), isBare(x) && x.Status() == 400:
				t.OK(x, "%s", kit.Describe(x))
			case isBare(x):
				t.Warn(x, expected, kit.Describe(x))
			default:
				t.NotObservedAt(kit.Inconclusive, x, "neither served nor refused: %s", kit.Describe(x))
			}
		}
	})
	s.Check("modern.meta.client-info-optional", altered, func(t *kit.T) {
		t.Control("control", "control after")
		toleratedBy(t, t.Conclusive("no clientInfo", gatewayless...), false)
	})
	s.Check("modern.meta.unknown-keys-tolerated", altered, func(t *kit.T) {
		t.Control("control", "control after")
		toleratedBy(t, t.Conclusive("unknown keys", gatewayless...), true)
	})

	// Two controls in front make sure that there is something to remember.
	memory := s.Script("modern.meta/memory", kit.Own, func(c *kit.C) {
		c.Safe("control")
		c.Safe("no clientCapabilities", client.WithMeta(map[string]any{keyCapabilities: nil}), client.Broken("without clientCapabilities in _meta"))
		c.Safe("no clientCapabilities again", client.WithMeta(map[string]any{keyCapabilities: nil}), client.WithHeader("Connection", "close"),
			client.Broken("without clientCapabilities in _meta"))
		c.Safe("control after")
	}, kit.Intricate())
	s.CheckAcross("modern.meta.missing-field-not-remembered", []*kit.Script{memory, altered}, func(t *kit.T) {
		const expected = "a refusal, as of the same request on its own"
		t.Says(expected)
		t.Control("control", "control after")
		alone := t.In(altered).Conclusive("no clientCapabilities")
		if processed(alone) {
			t.Blocked("modern.meta.missing-client-capabilities-400", "such a request is served wherever it comes", alone)
		}
		for _, label := range []string{"no clientCapabilities", "no clientCapabilities again"} {
			if x := t.Conclusive(label); processed(x) {
				t.Breach(x, expected, kit.Describe(x))
			} else {
				t.OK(x, "%s", kit.Describe(x))
			}
		}
	})

	s.Passive("modern.meta.server-info-on-results", func(t *kit.T) {
		const expected = keyServerInfo + " in _meta of every result"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no result but that of server/discover was seen")
		var lacking []string
		for _, m := range t.Messages() {
			method := m.Exchange.RequestMessage().Method
			if m.HasMethod || kit.JSONType(m.Result) != "object" || method == methodDiscover || method == "initialize" || mayBeOlder(t, m.Exchange) {
				continue
			}
			if _, there := member(m.Message, "/result/_meta", keyServerInfo); there {
				t.Saw()
			} else if !slices.Contains(lacking, method) {
				lacking = append(lacking, method)
				t.BreachAt(m, expected, "none in a result of "+method)
			}
		}
	})
	s.Passive("modern.meta.server-info-shape", func(t *kit.T) {
		const expected = "name and version as strings, and the other members of their types"
		t.Says(expected)
		t.Unseen(kit.NotOffered, "the server says nowhere what it is")
		for _, m := range t.Messages() {
			raw, there := member(m.Message, "/result/_meta", keyServerInfo)
			if !there {
				continue
			}
			if wrong := mistypedInfo(raw); wrong != "" {
				t.BreachAt(m, expected, wrong)
			} else {
				t.Saw()
			}
		}
	})
	metaKeys(s)
	metaClient(s)
	metaCapabilities(s)
}

// causeNoVersion is the cause of findings where the body of a request names no version, with the rest of _meta or without.
const causeNoVersion = "no protocolVersion in the body"

// missingField judges the refusal of a request that lacks a required field. mayBeOlder: without the field it may have gone to the older
// half of a server of both eras, which refuses it in its own way. headerToo: the header says what _meta does not, so that a mismatch can
// be meant.
func missingField(t *kit.T, x *wire.Exchange, mayBeOlder, headerToo bool) {
	const expected = "HTTP 400 with JSON-RPC error -32602"
	t.Says(expected)
	code := codeOf(x)
	switch {
	case processed(x):
		t.Breach(x, expected, kit.Describe(x))
	case code == codeInvalidParams && x.Status() == 400:
		t.OK(x, "%s", kit.Describe(x))
	case headerToo && isHM(x):
		t.Warn(x, expected, kit.Describe(x))
	case mayBeOlder:
		t.NotObservedAt(kit.Inconclusive, x, "perhaps the answer of the older era, which the server speaks too: %s", kit.Describe(x))
	default:
		misanswered(t, x, expected)
	}
}

// mistypedInfo says what is wrong with serverInfo; "" where nothing is.
func mistypedInfo(raw json.RawMessage) string {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members)
	if members == nil {
		return kit.JSON(raw)
	}
	for _, m := range []struct {
		name, want string
		required   bool
	}{
		{"name", "string", true}, {"version", "string", true},
		{"title", "string", false}, {"description", "string", false}, {"websiteUrl", "string", false}, {"icons", "array", false},
	} {
		value, there := members[m.name]
		if !there && m.required {
			return "no " + m.name + " in " + kit.JSON(raw)
		}
		if there && kit.JSONType(value) != m.want {
			return m.name + " " + kit.JSON(value)
		}
	}
	return ""
}
