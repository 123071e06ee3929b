package modern

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// metaCapabilities are the rules about what a server needs and the client did not declare.
func metaCapabilities(s *kit.Section) {
	s.CheckAcross("modern.meta.missing-capability-error", []*kit.Script{asking}, func(t *kit.T) {
		const expected = "JSON-RPC error -32021, or a result that does without"
		t.Says(expected)
		eachLimited(t, "", func(m kit.Seen, kinds []string, can json.RawMessage) {
			if !slices.ContainsFunc(kinds, func(method string) bool { return !declares(can, method) }) {
				return
			}
			code, coded := m.ErrorCode()
			switch {
			case inputRequired(m.Message):
				// Whether it asks for what was declared is modern.mrtr.undeclared-capability's.
			case coded && code == codeMissingCapability:
				t.OK(m.Exchange, "%s", kit.Describe(m.Exchange))
			case m.HasResult && !failed(m.Exchange):
				t.OK(m.Exchange, "the server does without what the client did not declare")
			case m.HasResult:
				t.WarnAt(m, expected, "a result with isError true")
			default:
				t.MustConclude(m.Exchange, gatewayless...)
				t.WarnAt(m, expected, kit.DescribeMessage(m.Message))
			}
		})
	})
	s.Passive("modern.meta.missing-capability-data", func(t *kit.T) {
		const expected = "data.requiredCapabilities with the capabilities that are missing"
		t.Says(expected)
		eachMissing(t, func(m kit.Seen) {
			required, there := m.Pointer("/error/data/requiredCapabilities")
			empty, odd := true, ""
			wire.Members(required, func(name string, value json.RawMessage) bool {
				empty = false
				if kit.JSONType(value) != "object" {
					odd = fmt.Sprintf("%s %s", name, kit.JSON(value))
				}
				return odd == ""
			})
			switch {
			case !there || kit.JSONType(required) != "object" || empty:
				t.BreachAt(m, expected, "data.requiredCapabilities "+kit.JSON(required))
			case odd != "":
				t.BreachAt(m, expected, "data.requiredCapabilities."+odd)
			case covers(declaredIn(m.Exchange), required):
				t.BreachAt(m, expected, "only what the request declares: "+kit.JSON(required))
			default:
				t.OK(m.Exchange, "what is missing is named")
			}
		})
	})
	s.Passive("modern.meta.missing-capability-http-400", func(t *kit.T) {
		t.Says("HTTP 400")
		eachMissing(t, func(m kit.Seen) {
			switch status := m.Exchange.Status(); {
			case status == 400:
				t.OK(m.Exchange, "HTTP 400")
			case status == 200 && m.Exchange.IsSSE():
				t.WarnAt(m, "HTTP 400", "the error on a stream that was opened with 200, before the need was known")
			default:
				t.BreachAt(m, "HTTP 400", fmt.Sprintf("HTTP %d", status))
			}
		})
	})
}

// eachMissing visits the errors that say that a capability is missing.
func eachMissing(t *kit.T, visit func(kit.Seen)) {
	t.Unseen(kit.Unprovoked, "no error -32021 was seen")
	for _, m := range t.Messages() {
		if code, coded := m.ErrorCode(); coded && m.Kind == wire.KindError && code == codeMissingCapability && !mayBeOlder(t, m.Exchange) {
			visit(m)
		}
	}
}

// covers tells that a client declares all that is required of it.
func covers(declared, required json.RawMessage) bool {
	var own, wanted map[string]map[string]json.RawMessage
	_, _ = json.Unmarshal(declared, &own), json.Unmarshal(required, &wanted)
	modes, _ := judges.DeclaredModes(declared)
	for name, parts := range wanted {
		if own[name] == nil {
			return false
		}
		// An empty elicitation stands for forms.
		if name == "elicitation" && len(parts) == 0 && !slices.Contains(modes, "form") {
			return false
		}
		for part := range parts {
			if _, has := own[name][part]; !has && !(name == "elicitation" && slices.Contains(modes, part)) {
				return false
			}
		}
	}
	return true
}
