package legacy

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func idLabels() []string {
	labels := []string{idLast}
	for _, id := range ids {
		labels = append(labels, id.label)
	}
	return labels
}

func jsonrpc(s *kit.Section) {
	s.Passive("jsonrpc.version-field", judges.VersionFields)

	s.Check("jsonrpc.response.id-echo", oddRequests, func(t *kit.T) {
		const expected = "the id of the request, same value and type"
		t.Says(expected)
		if after := t.IfSent("control after"); after == nil || !after.Served() {
			echoed(t, expected) // what is wrong in all traffic is wrong whatever became of this session
		}
		t.Control("control after")
		for _, label := range idLabels() {
			x := t.Answered(oddLabel(t, label))
			want := x.RequestMessage().ID
			answered := false
			for _, m := range x.Replies() {
				if !m.HasResult && !m.HasError {
					continue
				}
				answered = true
				switch {
				case !wire.SameID(m.ID, want):
					t.Breach(x, expected, "id "+judges.SpeltID(m.ID)+" for "+judges.SpeltID(want))
				case m.HasError:
					t.Warn(x, "a result for a request with the id "+kit.JSON(want), kit.DescribeMessage(m.Message))
				default:
					t.OK(x, "%d kinds of ids came back unchanged", len(idLabels()))
				}
			}
			if other := misnamed(t, x); !answered && other != nil {
				t.Breach(x, expected, "id "+judges.SpeltID(other)+" on the stream for "+judges.SpeltID(want))
				continue
			}
			if !answered {
				t.MustConclude(x)
				t.Warn(x, "a result for a request with the id "+kit.JSON(want), kit.Describe(x))
			}
		}
		echoed(t, expected)
	})

	jsonrpcMessages(s)
	jsonrpcResponses(s)
	jsonrpcErrors(s)
	jsonrpcMeta(s)
	jsonrpcBatch(s)
}

// misnamed is the id of a response on the stream of HTTP+SSE that is the request's in another type, such as "7" for 7.
func misnamed(t *kit.T, x *wire.Exchange) json.RawMessage {
	stream := t.Transcript().Exchange(x.Stream)
	if stream == nil {
		return nil
	}
	want := strings.Trim(string(x.RequestMessage().ID), `"`)
	for _, m := range stream.Messages() {
		if (m.HasResult || m.HasError) && strings.Trim(string(m.ID), `"`) == want {
			return m.ID
		}
	}
	return nil
}

// echoed looks at the responses in all traffic: one that answers a well-formed request carries its id too. A result whose id has nothing to
// do with the request may be somebody else's, which is for jsonrpc.response.unsolicited and sse.post-foreign-response.
func echoed(t *kit.T, expected string) {
	for _, x := range t.Exchanges() {
		ids := wire.RequestIDs(x.RequestMessage())
		// MCP knows no id null: what answers such a request is for jsonrpc.request.null-id.
		if judges.Malformed(x) || kit.JSONType(x.RequestMessage().ID) == "null" || x.Status()/100 != 2 || len(ids) == 0 {
			continue
		}
		opens := x.RequestMessage().Method == "initialize"
		same := func(id json.RawMessage) bool {
			return slices.ContainsFunc(ids, func(own json.RawMessage) bool { return wire.SameID(id, own) })
		}
		misspelt := func(id json.RawMessage) bool {
			return slices.ContainsFunc(ids, func(own json.RawMessage) bool { return wire.SameSpelling(id, own) })
		}
		for _, m := range x.Replies() {
			what := ""
			switch {
			case same(m.ID):
			case x.Broken != "" && m.Event < 0 && (!m.HasID || kit.JSONType(m.ID) == "null"):
				// Whoever turned it away may not have read the message.
			case m.Kind == wire.KindError && x.RequestMessage().Kind == wire.KindRequest:
				what = "an error"
			case m.Kind == wire.KindResult && (!m.HasID || misspelt(m.ID) || opens):
				what = "a result"
			}
			if what != "" {
				t.Breach(x, expected, what+" with id "+judges.SpeltID(m.ID)+" for "+judges.SpeltID(ids[0]))
			}
		}
	}
}
