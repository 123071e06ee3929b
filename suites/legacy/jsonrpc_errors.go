package legacy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// jsonrpcErrors are the rules for error objects, and for which error answers what.
func jsonrpcErrors(s *kit.Section) {
	s.Passive("jsonrpc.error.shape", judges.ErrorShapes)

	s.Passive("jsonrpc.error.code-integer", judges.ErrorCodes)

	s.Passive("jsonrpc.error.reserved-codes", judges.ReservedCodes)

	s.Passive("jsonrpc.error.message-concise", judges.ErrorMessages)

	jsonrpcGarbage(s)
	jsonrpcUnknown(s)
}

// jsonrpcGarbage sends what is no JSON and what is no request, in sessions of their own: it may end them.
func jsonrpcGarbage(s *kit.Section) {
	parse := s.Script("jsonrpc/unreadable", kit.Deadly, func(c *kit.C) {
		c.Safe("control")
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"`, c.Client().NextID())
		c.Post("cut off", []byte(body), client.Broken("with a body that is cut off JSON"))
		stillServing(c)
	})
	s.Check("jsonrpc.error.parse", parse, func(t *kit.T) {
		t.Control("control")
		if died := t.Transcript().Died; died != "" {
			t.Breach(t.Sent("cut off"), "a server that goes on serving", "the server ended: "+died)
			return
		}
		x := t.Answered("cut off")
		judges.Refusal(t, x, judges.CodeParseError, "HTTP 4xx with JSON-RPC error -32700")
		survived(t, x)
	})

	invalid := s.Script("jsonrpc/invalid", kit.Deadly, func(c *kit.C) {
		c.Safe("control")
		var steps []func()
		for _, v := range invalidRequests {
			body := v.body
			if strings.Contains(body, "%d") {
				body = fmt.Sprintf(body, c.Client().NextID())
			}
			// The worst that can come of silence is a warning, and nothing where lenient servers serve the request.
			patience := c.Client().Soon()
			if !v.lenient {
				patience = max(patience, c.Client().Timeout()/2)
			}
			steps = append(steps, func() {
				c.Post(v.label, []byte(body), client.GiveUp(patience), client.Broken("with a body that is no JSON-RPC request: "+v.label))
			})
		}
		c.Parallel(steps...)
		stillServing(c)
	})
	s.Check("jsonrpc.error.invalid-request", invalid, func(t *kit.T) {
		t.Control("control")
		const expected = "JSON-RPC error -32600"
		for _, v := range invalidRequests {
			x := t.Sent(v.label)
			// A head, or a stream, that came before we left is no answer yet.
			switch silent := kit.HungUp(x) && len(x.Replies()) == 0; {
			case silent && v.lenient:
				// It had little time, and shows little.
			case silent:
				t.Control("control after")
				t.Warn(x, expected, kit.Describe(x))
			case v.lenient && judges.HasResult(x):
				t.Warn(x, expected, "a result, as if nothing were wrong")
			default:
				judges.Refusal(t, t.Answered(v.label), judges.CodeInvalidRequest, expected)
			}
		}
		survived(t, t.Sent(invalidRequests[len(invalidRequests)-1].label))
	})

	s.CheckAcross("jsonrpc.error.unreadable-id", []*kit.Script{parse, invalid}, func(t *kit.T) {
		t.Says("no id, null, or the id that was sent")
		t.Unseen(kit.Unprovoked, "the server refused what it could not read without a JSON-RPC error")
		answers := []*wire.Exchange{t.Answered("cut off")}
		for _, v := range invalidRequests {
			if tr := t.In(invalid).Transcript(); tr.Exchange(v.label) != nil {
				answers = append(answers, tr.Exchange(v.label))
			}
		}
		for _, x := range answers {
			for _, m := range x.Replies() {
				switch {
				case !m.HasError || m.HasResult:
				case m.HasID && string(m.ID) != "null" && !strings.Contains(string(x.Request.Body.Bytes()), `"id":`+string(m.ID)):
					t.Note(x, "the error for an unreadable body carries the id %s, which nobody sent", kit.JSON(m.ID))
					return
				default:
					t.OK(x, "no made-up id in the errors for unreadable bodies")
				}
			}
		}
	})
}

// invalidRequests are JSON texts that are no JSON-RPC 2.0 requests. Lenient servers serve the first two, which harms nobody.
var invalidRequests = []struct {
	label, body string
	lenient     bool
}{
	{"jsonrpc 1.0", `{"jsonrpc":"1.0","id":%d,"method":"ping"}`, true},
	{"no jsonrpc", `{"id":%d,"method":"ping"}`, true},
	{"numeric method", `{"jsonrpc":"2.0","id":%d,"method":5}`, false},
	{"a number", `42`, false},
}

// stillServing asks for a new session only where the old one does not go on: a server that serves that is alive.
func stillServing(c *kit.C) {
	if !c.Safe("control after").Served() {
		c.Initialize("new session", c.Revision)
	}
}

// survived looks at what the garbage did to the session and to the server. A server that still serves the session is alive, whatever
// it says to a second one: some take one session at a time, or so many in a minute.
func survived(t *kit.T, x *wire.Exchange) {
	after := t.Sent("control after")
	if after.Served() {
		return
	}
	fresh := t.Sent("new session")
	switch {
	case fresh.Served() && after.Status() == 404 && !t.SessionsEnd():
		t.Warn(x, "the session to go on", "the session was ended by it: "+kit.Describe(after))
	case fresh.Served():
	case slices.Contains(judges.UnrelatedStatuses, fresh.Status()), fresh.Status() == 409, fresh.Status() == 503:
		t.NotObservedAt(kit.Inconclusive, fresh, "whether the server goes on serving cannot be seen: %s", kit.Describe(fresh))
	default:
		t.Breach(x, "a server that goes on serving", "no new session afterwards: "+kit.Describe(fresh))
	}
}

// jsonrpcUnknown asks for what does not exist.
func jsonrpcUnknown(s *kit.Section) {
	unknown := s.Script("jsonrpc/unknown-method", kit.Own, func(c *kit.C) {
		c.SafeControl("control")
		c.Call("unknown", "mcpcheck/no-such-method")
		c.Safe("control after")
	}, kit.Foreign(), kit.Ordinary())
	s.Check("jsonrpc.error.method-not-found", unknown, func(t *kit.T) {
		t.Control("control")
		x := t.Sent("unknown")
		if died := t.Transcript().Died; died != "" {
			t.Breach(x, "a server that goes on serving", "the server ended: "+died)
			return
		}
		const expected = "JSON-RPC error -32601"
		judges.Unserved(t, x, judges.CodeMethodNotFound, expected, false)
		if after := t.Sent("control after"); after.Status() == 404 && !t.SessionsEnd() {
			t.Warn(x, "the session to go on", "the session was ended by it: "+kit.Describe(after))
		}
	})

	s.Add(wrongParams)
	s.Check("jsonrpc.error.invalid-params", wrongParams, func(t *kit.T) {
		method, ok := methodWithParams(t.Facts())
		if !ok {
			t.NotApplicable("the server declares no feature with a method that requires a parameter")
		}
		t.Control("control", "control after")
		x := t.Sent("without params")
		soft := method != "tools/call" && method != "resources/read"
		var isError bool
		answer, _ := x.Answer()
		if _ = answer.Decode("/result/isError", &isError); isError {
			soft = true
			t.Cause(judges.CauseErrorResult)
		}
		if reported := reportsUnserved[method]; reported != "" {
			judges.DemandServed(t, method, reported)
		}
		judges.Unserved(t, x, judges.CodeInvalidParams, "JSON-RPC error -32602", soft)
		t.Cause("")
		// A cursor that is not looked at is for pagination.invalid-cursor.
		if x := t.IfSent("cursor 5"); x != nil && !x.Served() && x.Response != nil {
			judges.InvalidParams(t, t.Conclusive("cursor 5", 500, 501), "the request with a cursor that is a number")
		}
	})
}

// reportsUnserved are the requirements that report methods which are declared and not there.
var reportsUnserved = map[string]string{
	"tools/call": "tools.call.result-shape", "prompts/get": "prompts.get.shape", "resources/read": "resources.read.shape",
	judges.CompleteMethod: "completion.answered", "logging/setLevel": "logging.set-level.answered",
}
