package modern

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func mrtr(s *kit.Section) {
	rounds := []*kit.Script{s.Add(asking)}
	mrtrResults(s, rounds)
	mrtrDeclared(s, rounds)
	mrtrQuestions(s, rounds)
	mrtrRetries(s)
	mrtrAnswers(s)
	mrtrStates(s)
}

// mrtrResults are the rules about the result that asks.
func mrtrResults(s *kit.Section, rounds []*kit.Script) {
	s.Passive("modern.mrtr.only-supported-methods", func(t *kit.T) {
		const expected = "input_required for tools/call, prompts/get and resources/read only"
		t.Says(expected)
		eachResult(t, func(m kit.Seen) {
			method := m.Exchange.RequestMessage().Method
			switch _, supported := askables[method]; {
			case supported:
			case inputRequired(m.Message):
				t.BreachAt(m, expected, "one for "+method)
			default:
				t.Saw()
			}
		})
	})
	s.CheckAcross("modern.mrtr.requests-or-state-present", rounds, func(t *kit.T) {
		const expected = "inputRequests, requestState or both"
		t.Says(expected)
		eachAsking(t, func(m kit.Seen) {
			requests, _ := m.Pointer("/result/inputRequests")
			_, state := m.Pointer("/result/requestState")
			empty := kit.JSONType(requests) == "object"
			wire.Members(requests, func(string, json.RawMessage) bool { empty = false; return false })
			switch {
			case state:
				t.OK(m.Exchange, "a result that asks says what for, or has a state to come back with")
			case requests == nil || kit.JSONType(requests) == "null":
				t.BreachAt(m, expected, "neither")
			case empty:
				t.WarnAt(m, expected, "inputRequests without a request, and no requestState")
			default:
				t.OK(m.Exchange, "a result that asks says what for, or has a state to come back with")
			}
		})
	})
	s.CheckAcross("modern.mrtr.input-request-kinds", rounds, func(t *kit.T) {
		const expected = "request objects of elicitation/create, sampling/createMessage or roots/list"
		t.Says(expected)
		eachInputRequest(t, func(m kit.Seen, key string, value json.RawMessage) {
			asked := wire.ReadMessage(value)
			switch {
			case asked.Method == "":
				t.BreachAt(m, expected, strings.TrimSuffix("inputRequests."+key, ".")+" "+kit.JSON(value))
			case !known(asked.Method):
				t.BreachAt(m, expected, "the method "+kit.Quote([]byte(asked.Method)))
			case asked.HasID || asked.Version != nil:
				t.WarnAt(m, "method and params", "a request with jsonrpc or id, as if it were a message")
			default:
				t.OK(m.Exchange, "inputRequests holds requests that a client can fulfil")
			}
		})
	})
	s.CheckAcross("modern.mrtr.input-request-keys-unique", rounds, func(t *kit.T) {
		const expected = "each key once"
		t.Says(expected)
		eachAsking(t, func(m kit.Seen) {
			raw, _ := m.Pointer("/result/inputRequests")
			var keys []string
			twice := ""
			wire.Members(raw, func(key string, _ json.RawMessage) bool {
				if slices.Contains(keys, key) {
					twice = key
				}
				keys = append(keys, key)
				return true
			})
			switch {
			case twice != "":
				t.BreachAt(m, expected, "the key "+kit.Quote([]byte(twice))+" twice")
			case len(keys) > 0:
				t.OK(m.Exchange, "the keys in inputRequests differ")
			}
		})
	})
	s.CheckAcross("modern.mrtr.request-state-string", rounds, func(t *kit.T) {
		const expected = "a string"
		t.Says(expected)
		eachAsking(t, func(m kit.Seen) {
			state, there := m.Pointer("/result/requestState")
			switch {
			case !there:
				t.Unseen(kit.NotOffered, "no question came with a requestState")
			case kit.JSONType(state) != "string":
				t.BreachAt(m, expected, "requestState "+kit.JSON(state))
			default:
				t.OK(m.Exchange, "requestState is a string")
			}
		})
	})
}

// eachInputRequest visits the values of inputRequests. Where that is no object it is visited itself.
func eachInputRequest(t *kit.T, visit func(m kit.Seen, key string, value json.RawMessage)) {
	eachAsking(t, func(m kit.Seen) {
		raw, there := m.Pointer("/result/inputRequests")
		if kind := kit.JSONType(raw); there && kind != "object" && kind != "null" {
			visit(m, "", raw)
			return
		}
		wire.Members(raw, func(key string, value json.RawMessage) bool {
			visit(m, key, value)
			return true
		})
	})
}

// mrtrDeclared are the rules about what a client did not declare.
func mrtrDeclared(s *kit.Section, rounds []*kit.Script) {
	s.CheckAcross("modern.mrtr.undeclared-capability", rounds, func(t *kit.T) {
		const expected = "questions only for what the request declares, or error -32021"
		t.Says(expected)
		eachLimited(t, "", func(m kit.Seen, kinds []string, can json.RawMessage) {
			for _, q := range questionsIn(m) {
				if known(q.Asked.Method) && !declares(can, q.Asked.Method) {
					t.BreachAt(m, expected, q.Asked.Method+" for a client that declared "+kit.JSON(can))
					return
				}
			}
			if slices.ContainsFunc(kinds, func(method string) bool { return !declares(can, method) }) {
				t.OK(m.Exchange, "a client is asked for nothing that it did not declare")
			}
		})
	})
	s.CheckAcross("modern.mrtr.undeclared-elicitation-mode", rounds, func(t *kit.T) {
		const expected = "elicitation in a mode that the request declares, or an error"
		t.Says(expected)
		eachLimited(t, judges.ElicitMethod, func(m kit.Seen, _ []string, can json.RawMessage) {
			modes, _ := judges.DeclaredModes(can)
			if len(modes) != 1 {
				return
			}
			for _, q := range questionsIn(m) {
				mode := kit.ElicitationMode(q.Asked)
				if q.Asked.Method == judges.ElicitMethod && mode != modes[0] && (mode == "form" || mode == "url") {
					t.BreachAt(m, expected, "mode "+mode+" for a client that declared "+kit.JSON(can))
					return
				}
			}
			t.OK(m.Exchange, "a client that declared one mode of elicitation is asked in no other")
		})
	})
	s.CheckAcross("modern.mrtr.undeclared-sampling-tools", rounds, func(t *kit.T) {
		const expected = "no tools and no toolChoice for a client without sampling.tools"
		t.Says(expected)
		eachLimited(t, judges.SamplingMethod, func(m kit.Seen, _ []string, can json.RawMessage) {
			_, tools := wire.Lookup(can, "/sampling/tools")
			if tools || !declares(can, judges.SamplingMethod) {
				return
			}
			for _, q := range questionsIn(m) {
				if got := q.UnwantedTools(); q.Asked.Method == judges.SamplingMethod && got != "" {
					t.BreachAt(m, expected, got)
					return
				}
			}
			t.OK(m.Exchange, "a client without sampling.tools is asked without tools")
		})
	})
}

// mrtrQuestions are the rules about the questions themselves.
func mrtrQuestions(s *kit.Section, rounds []*kit.Script) {
	s.CheckAcross("modern.mrtr.sampling-context-values", rounds, func(t *kit.T) {
		const expected = `includeContext "none", or none`
		t.Says(expected)
		for _, q := range questionsOf(t, judges.SamplingMethod) {
			if value := q.Context(); value != "" {
				t.BreachAt(q.Seen, expected, "includeContext "+kit.Quote([]byte(value))+", which is deprecated")
				continue
			}
			t.OK(q.Exchange, "no context of servers is asked for")
		}
	})
	s.CheckAcross("modern.mrtr.sampling-request-shape", rounds, func(t *kit.T) {
		questions := questionsOf(t, judges.SamplingMethod)
		judges.SamplingShapes(t, questions)
		judges.SamplingResults(t, questions)
	})
	s.CheckAcross("modern.mrtr.elicitation-request-shape", rounds, func(t *kit.T) {
		t.Says("message, and a flat requestedSchema in form mode or a valid url in url mode")
		for _, q := range questionsOf(t, judges.ElicitMethod) {
			switch mode := kit.ElicitationMode(q.Asked); {
			case mode == "url":
				judges.PageMembers(t, q, false, "message", "url")
			case mode != "form":
				t.BreachAt(q.Seen, "mode form, url or none", "mode "+kit.Quote([]byte(mode)))
			default:
				judges.FlatForm(t, q, "/params", "an elicitation has a message and a flat form")
			}
		}
	})
	s.CheckAcross("modern.mrtr.elicitation-no-secrets-in-form", rounds, func(t *kit.T) { judges.FormSecrets(t, formsOf(t)) })
	s.CheckAcross("modern.mrtr.elicitation-form-no-links", rounds, func(t *kit.T) { judges.FormLinks(t, formsOf(t)) })
	s.CheckAcross("modern.mrtr.elicitation-url-harmless", rounds, func(t *kit.T) {
		const expected = "a URL without credentials and personal data"
		t.Says(expected)
		for _, q := range questionsOf(t, judges.ElicitMethod) {
			if kit.ElicitationMode(q.Asked) != "url" {
				t.Unseen(kit.Unnamed, "nothing that could be sent made the server ask by URL; name a tool that does with --call")
				continue
			}
			switch got := q.Revealing(); {
			case got != "":
				t.WarnAt(q.Seen, expected, got)
			case q.HasPage():
				t.OK(q.Exchange, "no URL carries credentials or personal data")
			}
		}
	})
}
