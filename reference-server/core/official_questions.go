package core

import (
	"encoding/json"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// officialQuestions are the tools of the official suite that ask the client.
func officialQuestions() []tool {
	asks := func(name, about, rev string, run func(*Request) (any, *jsonrpc.Error)) tool {
		return tool{name: name, about: about, input: object(nil, schema{}), writes: true, streams: true, offered: from(rev), run: run}
	}
	form := func(name, about, rev, key, message string, fields schema) tool {
		return asks(name, about, rev, func(c *Request) (any, *jsonrpc.Error) { return c.askForms(step{key, message, fields}) })
	}
	sampling := asks("test_sampling", "Lets the model of the client say something.", revision.V20241105, (*Request).askModelFor)
	sampling.input = object([]string{"prompt"}, schema{"prompt": schema{"type": "string"}})
	elicitation := asks("test_elicitation", "Shows a form with a message.", revision.V20250618, (*Request).askPersonFor)
	elicitation.input = object([]string{"message"}, schema{"message": schema{"type": "string"}})
	const prefix = "test_input_required_result_"
	oneName, yes := texts("name"), object([]string{"ok"}, schema{"ok": schema{"type": "boolean"}})
	return []tool{
		sampling, elicitation,
		form("test_elicitation_sep1034_defaults", "Shows a form whose fields are filled in.", revision.V20251125, "", "Is all of this right?", defaultsForm()),
		form("test_elicitation_sep1330_enums", "Shows a form with choices of each kind.", revision.V20251125, "", "What do you choose?", choicesForm()),

		asks("test_missing_capability", "Needs the model of the client.", revision.V20260728, (*Request).askModel),
		form("test_streaming_elicitation", "Shows a form.", revision.V20260728, "", "What is your name?", oneName),
		form(prefix+"elicitation", "Asks for a name.", revision.V20260728, "user_name", "What is your name?", oneName),
		asks(prefix+"sampling", "Lets the model of the client say something.", revision.V20260728, (*Request).askModel),
		asks(prefix+"list_roots", "Asks the client which folders there are.", revision.V20260728, (*Request).askRoots),
		form(prefix+"request_state", "Asks for a yes, and knows its question again.", revision.V20260728, "confirm", "Go on? (state-ok)", yes),
		form(prefix+"tampered_state", "Asks for a yes, and refuses a state that was changed.", revision.V20260728, "confirm", "Go on?", yes),
		asks(prefix+"multiple_inputs", "Asks the person, the model and for folders at once.", revision.V20260728, (*Request).askEverybody),
		asks(prefix+"multi_round", "Asks for a name, and then for a color.", revision.V20260728, func(c *Request) (any, *jsonrpc.Error) {
			return c.askForms(step{"step1", "What is your name?", texts("name")}, step{"step2", "Which color do you like?", texts("color")})
		}),
		asks(prefix+"capabilities", "Asks whomever the client has.", revision.V20260728, (*Request).askAtOnce),
	}
}

// texts is a form whose fields are texts, all of them required.
func texts(names ...string) schema {
	fields := schema{}
	for _, name := range names {
		fields[name] = schema{"type": "string"}
	}
	return object(names, fields)
}

// defaultsForm has a default of each kind (2025-11-25: client/elicitation#requested-schema).
func defaultsForm() schema {
	return object(nil, schema{
		"name":     schema{"type": "string", "default": "John Doe"},
		"age":      schema{"type": "integer", "default": 30},
		"score":    schema{"type": "number", "default": 95.5},
		"status":   schema{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},
		"verified": schema{"type": "boolean", "default": true},
	})
}

// choicesForm has choices of each kind: one or several, with titles and without, and with the titles of old.
func choicesForm() schema {
	titled := func(value, title string) schema { return schema{"const": value, "title": title} }
	plain := []string{"option1", "option2", "option3"}
	choices := []any{titled("value1", "The first"), titled("value2", "The second"), titled("value3", "The third")}
	return object(nil, schema{
		"untitledSingle": schema{"type": "string", "enum": plain},
		"titledSingle":   schema{"type": "string", "oneOf": choices},
		"legacyEnum": schema{"type": "string", "enum": []string{"opt1", "opt2", "opt3"},
			"enumNames": []string{"The first", "The second", "The third"}},
		"untitledMulti": schema{"type": "array", "items": schema{"type": "string", "enum": plain}},
		"titledMulti":   schema{"type": "array", "items": schema{"anyOf": choices}},
	})
}

// A step is one form of several.
type step struct {
	key, message string
	form         schema
}

func (c *Request) question(s step) Question {
	return Question{Key: s.key, Method: "elicitation/create", Params: elicitForm{
		Mode: since(c, revision.V20251125, "form"), Message: s.message, RequestedSchema: s.form}}
}

// askForms shows forms one after another, and says what came back.
func (c *Request) askForms(steps ...step) (any, *jsonrpc.Error) {
	if !c.offersForms() {
		return c.lacksForms()
	}
	var said ToolResult
	for _, s := range steps {
		answers, instead := c.Caller.Line.Ask(c.question(s))
		if instead != nil {
			return end(instead)
		}
		result, instead := c.elicited(answers[0])
		if instead != nil {
			return end(instead)
		}
		if wrong := misfit(s.form, result.Content); result.Action == "accept" && wrong != "" {
			return Fails("the answer does not fit the form: %s", wrong), nil
		}
		said.Content = append(said.Content, text("%s %s: %s", s.message, result.Action, jsonrpc.Encode(result.Content)))
	}
	return said, nil
}

func (c *Request) askPersonFor() (any, *jsonrpc.Error) {
	var args struct {
		Message *string `json:"message"`
	}
	if bad := c.arguments(&args); bad != nil {
		return *bad, nil
	}
	if args.Message == nil {
		return Fails("the argument message is required"), nil
	}
	return c.askForms(step{"", *args.Message, texts("username", "email")})
}

func (c *Request) askModelFor() (any, *jsonrpc.Error) {
	var args struct {
		Prompt *string `json:"prompt"`
	}
	if bad := c.arguments(&args); bad != nil {
		return *bad, nil
	}
	if args.Prompt == nil {
		return Fails("the argument prompt is required"), nil
	}
	if !declared(c.Caller.Capabilities.Sampling, "") {
		return c.lacksSampling()
	}
	answer, instead := c.sample(modelIs(*args.Prompt))
	if instead != nil {
		return end(instead)
	}
	return c.quote(answer)
}

func modelIs(asked string) createMessageParams {
	return createMessageParams{Messages: []samplingMessage{{"user", text("%s", asked)}}, Preferences: preferences, MaxTokens: 100}
}

// askEverybody asks for a form, a text of the model and the roots in one go.
func (c *Request) askEverybody() (any, *jsonrpc.Error) {
	switch {
	case !c.offersForms():
		return c.lacksForms()
	case !declared(c.Caller.Capabilities.Sampling, ""):
		return c.lacksSampling()
	case !declared(c.Caller.Capabilities.Roots, ""):
		return c.lacksRoots()
	}
	return c.askAtOnce()
}

// askAtOnce asks for what the client declared, and for nothing else (basic/patterns/mrtr#server-requirements-basic-workflow).
func (c *Request) askAtOnce() (any, *jsonrpc.Error) {
	var questions []Question
	var reads []func(json.RawMessage) (instead any)
	ask := func(can bool, q Question, read func(json.RawMessage) any) {
		if can {
			questions, reads = append(questions, q), append(reads, read)
		}
	}
	ask(c.offersForms(), c.question(step{"user_name", "What is your name?", texts("name")}),
		func(raw json.RawMessage) (instead any) { _, instead = c.elicited(raw); return instead })
	ask(declared(c.Caller.Capabilities.Sampling, ""), Question{Key: "greeting", Method: "sampling/createMessage", Params: modelIs("Say hello.")},
		func(raw json.RawMessage) (instead any) { _, instead = c.sampled(raw); return instead })
	ask(declared(c.Caller.Capabilities.Roots, ""), Question{Key: "client_roots", Method: "roots/list"},
		func(raw json.RawMessage) (instead any) { _, instead = c.rootsOf(raw); return instead })
	answers, instead := c.Caller.Line.Ask(questions...)
	if instead != nil {
		return end(instead)
	}
	for i, read := range reads {
		if instead := read(answers[i]); instead != nil {
			return end(instead)
		}
	}
	return says("%d answers", len(answers)), nil
}
