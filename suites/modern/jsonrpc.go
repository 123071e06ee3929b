package modern

import (
	"slices"
	"strconv"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

type requestID struct {
	label string
	value any
}

// ids are the request ids that every server has to send back unchanged.
var ids = []requestID{{"string", "mcpcheck-a"}, {"numeric string", "7"}, {"integer", 7}, {"zero", 0}}

func jsonrpc(s *kit.Section) {
	s.Passive("modern.jsonrpc.version-field", judges.VersionFields)
	s.Passive("modern.jsonrpc.result-member", judges.ResultObjects)
	s.Passive("modern.jsonrpc.result-xor-error", judges.ResultOrError)
	s.Passive("modern.jsonrpc.error-shape", judges.ErrorShapes)
	s.Passive("modern.jsonrpc.error-code-integer", judges.ErrorCodes)
	s.Passive("modern.jsonrpc.server-notifications-without-id", judges.NotificationsWithoutID)

	echo := s.Script("modern.jsonrpc/ids", kit.Own, func(c *kit.C) {
		served := false
		for _, id := range ids {
			served = c.Safe(id.label, client.WithID(id.value)).Served() || served
		}
		if !served {
			c.Safe("control after")
		}
	})
	s.Check("modern.jsonrpc.result-echoes-id", echo, func(t *kit.T) {
		const expected = "the id of the request, same value and type"
		t.Says(expected)
		if !slices.ContainsFunc(ids, func(i requestID) bool { return t.Answered(i.label).Served() }) {
			t.Control("control after")
		}
		for _, id := range ids {
			x := t.Answered(id.label)
			want := x.RequestMessage().ID
			switch replies := x.Replies(); {
			case slices.ContainsFunc(replies, func(m wire.Located) bool { return m.HasResult && !wire.SameID(m.ID, want) }):
				t.Breach(x, expected, "id "+judges.SpeltID(replies[0].ID)+" for "+judges.SpeltID(want))
			case x.Served():
				t.OK(x, "%d kinds of ids came back unchanged", len(ids))
			default:
				t.MustConclude(x)
				t.Breach(x, "a result for a request with the id "+judges.SpeltID(want), kit.Describe(x))
			}
		}
	})
	jsonrpcBroken(s)
	jsonrpcNotifications(s)
	jsonrpcConnections(s)
	jsonrpcCodes(s)

	s.Passive("modern.jsonrpc.error-echoes-id", func(t *kit.T) {
		const expected = "the id of the request"
		t.Says(expected)
		t.Unseen(kit.Unprovoked, "no error was seen")
		for _, m := range t.Messages() {
			asked := m.Exchange.RequestMessage()
			want := asked.ID
			// Of what is no request nobody has to read the id.
			if asked.Kind != wire.KindRequest || string(asked.Version) != `"2.0"` {
				continue
			}
			if m.Kind != wire.KindError || m.Exchange.Status() == 401 || m.Exchange.Status() == 403 || mayBeOlder(t, m.Exchange) {
				continue
			}
			code, _ := m.ErrorCode()
			none := !m.HasID || wire.TypeOf(m.ID) == "null"
			switch {
			case wire.SameID(m.ID, want):
				t.Saw()
			// Whoever refuses on headers alone has not read the body.
			case none && (code == codeHeaderMismatch || code == codeUnsupportedVersion):
				t.WarnAt(m, expected, "no id for "+judges.SpeltID(want))
			default:
				t.BreachAt(m, expected, "id "+judges.SpeltID(m.ID)+" for "+judges.SpeltID(want))
			}
		}
	})
	s.Passive("modern.jsonrpc.result-type-present", func(t *kit.T) {
		const expected = "resultType as a string"
		t.Says(expected)
		eachResult(t, func(m kit.Seen) {
			if raw, _ := m.Pointer("/result/resultType"); kit.JSONType(raw) != "string" {
				t.BreachAt(m, expected, "resultType "+kit.JSON(raw)+" in a result of "+m.Exchange.RequestMessage().Method)
				return
			}
			t.Saw()
		})
	})
	s.Passive("modern.jsonrpc.result-type-known", func(t *kit.T) {
		const expected = `resultType "complete" or "input_required"`
		t.Says(expected)
		eachResult(t, func(m kit.Seen) {
			var kind string
			if m.Decode("/result/resultType", &kind) != nil {
				return
			}
			switch kind {
			case "complete", "input_required":
				t.Saw()
			case resultTask:
				// modern.version.extension-fallback reports it.
			default:
				t.BreachAt(m, expected, strconv.Quote(kind)+", and the request declared no extension")
			}
		})
	})
	s.Passive("modern.jsonrpc.reserved-codes-undefined", func(t *kit.T) {
		t.Says("of the codes from -32099 to -32020 only those that are defined")
		eachCode(t, func(m kit.Seen, code int64) {
			// modern.jsonrpc.code-32042-not-emitted reports the one that an older revision had.
			if code >= -32099 && code < codeUnsupportedVersion && code != codeURLElicitationRequired {
				t.BreachAt(m, "no code of the range that MCP keeps, but those it defines", strconv.FormatInt(code, 10))
				return
			}
			t.Saw()
		})
	})
	s.Passive("modern.jsonrpc.legacy-range-avoided", func(t *kit.T) {
		t.Says("no code from -32019 to -32000")
		eachCode(t, func(m kit.Seen, code int64) {
			if m.Exchange.Broken != "" && t.Facts().DualEra != kit.No {
				return // what is no request of this era may have gone to the other one's half
			}
			if code >= -32019 && code <= -32000 && code != -32002 {
				t.BreachAt(m, "no code from -32019 to -32000, which SDKs of the older era used as they liked", strconv.FormatInt(code, 10))
				return
			}
			t.Saw()
		})
	})
	s.Passive("modern.jsonrpc.custom-codes-outside-reserved", func(t *kit.T) {
		t.Says("codes of one's own outside of -32768 to -32000")
		eachCode(t, func(m kit.Seen, code int64) {
			known := code == -32700 || code <= -32600 && code >= -32603
			if code >= -32768 && code < -32099 && !known {
				t.BreachAt(m, "codes of one's own outside of -32768 to -32000", strconv.FormatInt(code, 10))
				return
			}
			t.Saw()
		})
	})
	s.Passive("modern.jsonrpc.code-32002-not-emitted", func(t *kit.T) {
		t.Says("never -32002")
		eachCode(t, func(m kit.Seen, code int64) {
			if code == -32002 && m.Exchange.RequestMessage().Method != "resources/read" {
				t.BreachAt(m, "never -32002, which this revision gave up", "-32002")
				return
			}
			t.Saw()
		})
	})
	s.Passive("modern.jsonrpc.code-32042-not-emitted", func(t *kit.T) {
		t.Says("never -32042")
		eachCode(t, func(m kit.Seen, code int64) {
			if code == codeURLElicitationRequired {
				t.BreachAt(m, "never -32042, which this revision gave up", "-32042")
				return
			}
			t.Saw()
		})
	})
}

// eachCode visits the codes of errors.
func eachCode(t *kit.T, visit func(kit.Seen, int64)) {
	t.Unseen(kit.Unprovoked, "no error was seen")
	for _, m := range t.Messages() {
		if code, ok := m.ErrorCode(); ok && m.Kind == wire.KindError && !mayBeOlder(t, m.Exchange) {
			visit(m, code)
		}
	}
}
