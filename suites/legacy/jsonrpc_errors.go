package legacy

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// jsonrpcErrors are the rules for error objects, and for which error answers what.
func jsonrpcErrors(s *kit.Section) {
	s.Passive("jsonrpc.error.shape", func(t *kit.T) {
		const expected = "error as an object with code and a string message"
		t.Says(expected)
		for _, m := range errorsSeen(t) {
			var message string
			_, hasCode := m.Pointer("/error/code")
			_, hasMessage := m.Pointer("/error/message")
			switch {
			case !strings.HasPrefix(strings.TrimSpace(string(m.Error)), "{"):
				t.BreachAt(m, expected, "error "+kit.JSON(m.Error))
			case !hasCode || !hasMessage:
				t.BreachAt(m, expected, "an error object that lacks one of them: "+kit.JSON(m.Error))
			case m.Decode("/error/message", &message) != nil:
				t.BreachAt(m, expected, "a message that is no string: "+kit.JSON(m.Error))
			default:
				t.Saw()
			}
		}
	})

	s.Passive("jsonrpc.error.code-integer", func(t *kit.T) {
		const expected = "an integer as error code"
		t.Says(expected)
		for _, m := range errorsSeen(t) {
			raw, present := m.Pointer("/error/code")
			_, integer := m.ErrorCode()
			switch {
			case !present:
			case !integer:
				t.BreachAt(m, expected, "code "+kit.JSON(raw))
			default:
				t.Saw()
			}
		}
	})

	s.Passive("jsonrpc.error.reserved-codes", func(t *kit.T) {
		t.Says("no code between -32768 and -32100 but those of JSON-RPC")
		known := []int64{judges.CodeParseError, judges.CodeInvalidRequest, judges.CodeMethodNotFound, judges.CodeInvalidParams, judges.CodeInternalError}
		for _, m := range errorsSeen(t) {
			code, ok := m.ErrorCode()
			switch {
			case !ok:
			case code >= -32768 && code <= -32100 && !slices.Contains(known, code):
				t.NoteAt(m, "the code %d is reserved by JSON-RPC for later use", code)
			default:
				t.Saw()
			}
		}
	})

	s.Passive("jsonrpc.error.message-concise", func(t *kit.T) {
		t.Says("one concise sentence")
		for _, m := range errorsSeen(t) {
			switch message := m.ErrorMessage(); {
			case message == "":
			case strings.ContainsAny(message, "\r\n"):
				t.NoteAt(m, "an error message of several lines: %s", kit.Quote([]byte(message)))
			case utf8.RuneCountInString(message) > maxConcise:
				t.NoteAt(m, "an error message of %d characters: %s", utf8.RuneCountInString(message), kit.Quote([]byte(message)))
			default:
				t.Saw()
			}
		}
	})

	jsonrpcGarbage(s)
	jsonrpcUnknown(s)
}

// maxConcise is the length from which an error message is worth a note.
const maxConcise = 300

// errorsSeen are the messages with an error, null ones excepted: those are jsonrpc.response.result-xor-error's.
func errorsSeen(t *kit.T) []kit.Seen {
	t.Unseen(kit.Unprovoked, "the server sent no JSON-RPC error")
	return slices.DeleteFunc(slices.Clone(t.Messages()), func(m kit.Seen) bool {
		return !m.HasError || m.HasResult || strings.TrimSpace(string(m.Error)) == "null"
	})
}

// jsonrpcGarbage sends what is no JSON and what is no request, in sessions of their own: it may end them.
func jsonrpcGarbage(s *kit.Section) {
	parse := s.Script("jsonrpc/unreadable", kit.Deadly, func(c *kit.C) {
		c.Safe("control")
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"`, c.Client().NextID())
		c.Post("cut off", []byte(body), client.Broken("with a body that is cut off JSON"))
		c.Safe("control after")
		c.Initialize("new session", c.Revision)
	})
	s.Check("jsonrpc.error.parse", parse, func(t *kit.T) {
		t.Control("control")
		if died := t.Transcript().Died; died != "" {
			t.Breach(t.Sent("cut off"), "a server that goes on serving", "the server ended: "+died)
			return
		}
		x := t.Answered("cut off")
		judgeRefusal(t, x, judges.CodeParseError, "HTTP 4xx with JSON-RPC error -32700")
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
			steps = append(steps, func() {
				c.Post(v.label, []byte(body), client.Broken("with a body that is no JSON-RPC request: "+v.label))
			})
		}
		c.Parallel(steps...)
		c.Safe("control after")
		c.Initialize("new session", c.Revision)
	})
	s.Check("jsonrpc.error.invalid-request", invalid, func(t *kit.T) {
		t.Control("control")
		for _, v := range invalidRequests {
			x := t.Answered(v.label)
			if served := judges.HasResult(x); served && v.lenient {
				t.Warn(x, "JSON-RPC error -32600", "a result, as if nothing were wrong")
				continue
			}
			if x.Status() == 202 && v.label == "a number" {
				t.Warn(x, "JSON-RPC error -32600", kit.Describe(x))
				continue
			}
			judgeRefusal(t, x, judges.CodeInvalidRequest, "JSON-RPC error -32600")
		}
		survived(t, t.Answered(invalidRequests[len(invalidRequests)-1].label))
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

// judgeRefusal judges the answer to something that is no valid request.
func judgeRefusal(t *kit.T, x *wire.Exchange, code int64, expected string) {
	t.Says(expected)
	got, isError := judges.AnyError(x)
	switch {
	case slices.Contains(unrelated, x.Status()):
		t.MustConclude(x)
	case judges.HasResult(x), x.Status()/100 == 2 && !isError, x.Status() == 202 && !t.OldTransport():
		t.Breach(x, expected, kit.Describe(x))
	case t.OldTransport() && x.Status()/100 == 4:
		// The acknowledgement may say it, or the stream.
		t.OK(x, "%s", kit.Describe(x))
	case isError && got == code && (t.OldTransport() || x.Status()/100 == 4 || code == judges.CodeInvalidRequest && x.Status()/100 == 2):
		t.OK(x, "%s", kit.Describe(x))
	default:
		t.Warn(x, expected, kit.Describe(x))
	}
}

// unrelated are the statuses by which a request is turned away whatever stands in it: credentials, payment, time and load.
var unrelated = []int{401, 402, 403, 407, 408, 429}

// survived looks at what the garbage did to the session and to the server. A server that still serves the session is alive, whatever
// it says to a second one: some take one session at a time, or so many in a minute.
func survived(t *kit.T, x *wire.Exchange) {
	fresh, after := t.Sent("new session"), t.Sent("control after")
	switch {
	case fresh.Served() && after.Status() == 404:
		t.Warn(x, "the session to go on", "the session was ended by it: "+kit.Describe(after))
	case fresh.Served(), after.Served():
	case slices.Contains(unrelated, fresh.Status()), fresh.Status() == 409, fresh.Status() == 503:
		t.NotObservedAt(kit.Inconclusive, fresh, "whether the server goes on serving cannot be seen: %s", kit.Describe(fresh))
	default:
		t.Breach(x, "a server that goes on serving", "no new session afterwards: "+kit.Describe(fresh))
	}
}

// jsonrpcUnknown asks for what does not exist.
func jsonrpcUnknown(s *kit.Section) {
	unknown := s.Script("jsonrpc/unknown-method", kit.Own, func(c *kit.C) {
		c.Safe("control")
		c.Call("unknown", "mcpcheck/no-such-method")
		c.Safe("control after")
	}, kit.Foreign())
	s.Check("jsonrpc.error.method-not-found", unknown, func(t *kit.T) {
		t.Control("control")
		x := t.Sent("unknown")
		if died := t.Transcript().Died; died != "" {
			t.Breach(x, "a server that goes on serving", "the server ended: "+died)
			return
		}
		const expected = "JSON-RPC error -32601"
		judgeUnserved(t, x, judges.CodeMethodNotFound, expected, false)
		if after := t.Sent("control after"); after.Status() == 404 {
			t.Warn(x, "the session to go on", "the session was ended by it: "+kit.Describe(after))
		}
	})

	params := s.Script("jsonrpc/missing-params", kit.Shared, func(c *kit.C) {
		c.Safe("control")
		if method, ok := methodWithParams(c.Facts); ok {
			c.Call("without params", method, client.WithParams(map[string]any{}), client.Broken("without a parameter that it requires"))
		}
		c.Safe("control after")
	})
	s.Check("jsonrpc.error.invalid-params", params, func(t *kit.T) {
		method, ok := methodWithParams(t.Facts())
		if !ok {
			t.NotApplicable("the server declares no feature with a method that requires a parameter")
		}
		t.Control("control", "control after")
		x := t.Sent("without params")
		soft := method != "tools/call" && method != "resources/read"
		var isError bool
		if answer, ok := x.Answer(); ok && answer.Decode("/result/isError", &isError) == nil && isError {
			soft = true
		}
		judgeUnserved(t, x, judges.CodeInvalidParams, "JSON-RPC error -32602", soft)
	})
}

// judgeUnserved judges the answer to a request that cannot be served: the right error passes under any 2xx or 4xx, another refusal
// warns, and so does a result where soft says so.
func judgeUnserved(t *kit.T, x *wire.Exchange, code int64, expected string, soft bool) {
	t.Says(expected)
	answer, answered := x.Answer()
	got, isError := judges.AnyError(x)
	switch {
	case x.Response == nil && x.EndedBy == wire.ByTimeout:
		t.Breach(x, expected, kit.Describe(x))
	case x.Response == nil:
		t.NotObservedAt(kit.Inconclusive, x, "the request broke off: %s", kit.Describe(x))
	case slices.Contains(unrelated, x.Status()):
		t.MustConclude(x)
	case answered && answer.Kind == wire.KindResult && soft:
		t.Warn(x, expected, kit.Describe(x))
	case isError && got == code && x.Status() < 500:
		t.OK(x, "%s", kit.Describe(x))
	case isError, x.Status()/100 == 4:
		t.Warn(x, expected, kit.Describe(x))
	default:
		t.Breach(x, expected, kit.Describe(x))
	}
}

// methodWithParams is the first method of a declared feature that requires a parameter.
func methodWithParams(f *kit.Facts) (string, bool) {
	for _, m := range []struct{ capability, method string }{
		{"tools", "tools/call"}, {"prompts", "prompts/get"}, {"resources", "resources/read"},
		{"completions", "completion/complete"}, {"logging", "logging/setLevel"},
	} {
		if f.Capability(m.capability) == kit.Yes {
			return m.method, true
		}
	}
	return "", false
}
