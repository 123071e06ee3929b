package clients

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/suites/judges"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

const (
	methodSample = "sampling/createMessage"
	methodElicit = "elicitation/create"
)

// declaredAsks visits what the client was asked for of what it declared, with its answer. What kind of request is wanted says the visit,
// by returning whether it was one.
func declaredAsks(t *kit.T, method, capability string, visit func(ask, kit.Seen) bool) {
	t.Unseen(kit.Unprovoked, "the client declares no %s", capability)
	for _, tr := range t.Everywhere() {
		if declares(tr, capability) != nil {
			t.Unseen(kit.Unprovoked, "the client was asked for nothing of the kind: --provoke %s does, which %s", capability, costs[capability])
		}
	}
	asked, answered := false, false
	answeredAsks(t, method, capability, true, func(a ask, r kit.Seen) {
		asked, answered = true, visit(a, r) || answered
	})
	switch {
	case asked && !answered:
		t.Unseen(kit.Unprovoked, "the client was asked for nothing of the kind: what it declares decides what it can be asked for")
	case answered:
		t.Unseen(kit.Inconclusive, "the client refused what it was asked for, which a person may do")
	}
}

// costs tells why nobody is asked without consent.
var costs = map[string]string{"sampling": "may cost money", "elicitation": "opens dialogs"}

// param is a member of what was asked, nil without it.
func (a ask) param(pointer string) json.RawMessage {
	raw, _ := a.Pointer("/params/" + pointer)
	return raw
}

// samples tells that the model was asked for an answer in the usual way: what is to be refused is another requirement's.
func (a ask) samples() bool { return a.param("tools") == nil && !a.misplacesResults() }

// misplacesResults tells that results of tools stand where nobody had used a tool.
func (a ask) misplacesResults() bool {
	var kind string
	_ = json.Unmarshal(a.param("messages/0/content/type"), &kind) // another kind of content
	return kind == "tool_result"
}

func samplingResult(t *kit.T) {
	const expected = "a result with role, content and model"
	t.Says(expected)
	declaredAsks(t, methodSample, "sampling", func(a ask, r kit.Seen) bool {
		switch wrong := sampleFault(r.Result); {
		case !a.samples():
			return false
		case r.HasError:
		case wrong != "":
			t.BreachAt(r, expected, wrong)
		default:
			t.Saw()
		}
		return true
	})
}

// sampleFault says what keeps a result from being one of a model, "" for nothing.
func sampleFault(raw json.RawMessage) string {
	role, isRole := kit.Text(raw, "role")
	_, isModel := kit.Text(raw, "model")
	content, there := wire.Lookup(raw, "/content")
	kind := kit.JSONType(content)
	switch {
	case !isRole || role != "assistant" && role != "user":
		return "a result whose role is neither user nor assistant"
	case !there || kind != "object" && kind != "array":
		return "a result without content"
	case !isModel:
		return "a result that does not name its model"
	}
	return ""
}

// samplingToolsRefused: tools are for those that declare to know them.
func samplingToolsRefused(t *kit.T) {
	const expected = "an error, since sampling.tools is not declared"
	t.Says(expected)
	declaredAsks(t, methodSample, "sampling", func(a ask, r kit.Seen) bool {
		if _, knows := wire.Lookup(declares(a.tr, "sampling"), "/tools"); a.param("tools") == nil || knows {
			return false
		}
		if r.HasError {
			t.Saw()
		} else {
			t.BreachAt(r, expected, "a result")
		}
		return true
	})
}

// samplingResultsRefused: results of tools that nobody used make no conversation.
func samplingResultsRefused(t *kit.T) {
	const expected = "the error -32602 for results of tools that were not used"
	t.Says(expected)
	declaredAsks(t, methodSample, "sampling", func(a ask, r kit.Seen) bool {
		if _, knows := wire.Lookup(declares(a.tr, "sampling"), "/tools"); !a.misplacesResults() || !knows {
			return false
		}
		refusedAsInvalid(t, r, expected, t.WarnAt)
		return true
	})
}

// refusedAsInvalid judges that an answer is the error for invalid params.
func refusedAsInvalid(t *kit.T, r kit.Seen, expected string, breach func(kit.Seen, string, string)) {
	code, _ := r.ErrorCode()
	switch {
	case !r.HasError:
		breach(r, expected, "a result")
	case code == judges.CodeInvalidParams:
		t.Saw()
	default:
		breach(r, expected, "the error "+kit.JSON(r.Error))
	}
}

// mode is that of an elicitation as it was asked, "" for none.
func (a ask) mode() string {
	var mode string
	_ = json.Unmarshal(a.param("mode"), &mode) // form where there is none
	return mode
}

// knownMode tells that the client declared the mode of an elicitation.
func (a ask) knownMode() bool {
	want := a.mode()
	if want == "" {
		want = "form"
	}
	return slices.Contains(modesOf(declares(a.tr, "elicitation")), want)
}

// modesOf are the modes of elicitation that a capability names; an empty one means form.
func modesOf(capability json.RawMessage) []string {
	modes, _ := judges.DeclaredModes(json.RawMessage(`{"elicitation":` + string(capability) + `}`))
	return modes
}

func elicitationResult(t *kit.T) {
	const expected = "action accept, decline or cancel, with content that fits the form where it is accepted"
	t.Says(expected)
	declaredAsks(t, methodElicit, "elicitation", func(a ask, r kit.Seen) bool {
		if !a.knownMode() {
			return false
		}
		if r.HasError {
			return true
		}
		switch wrong, misfit := elicitedFault(a.Params, r.Result); {
		case wrong != "":
			t.BreachAt(r, expected, wrong)
		case misfit != "":
			t.WarnAt(r, expected, misfit)
		default:
			t.Saw()
		}
		return true
	})
}

// elicitedFault says what keeps a result from being an answer of a person to what they were asked, and in what it does not fit the form;
// "" for nothing.
func elicitedFault(asked, result json.RawMessage) (wrong, misfit string) {
	action, _ := kit.Text(result, "action")
	content, there := wire.Lookup(result, "/content")
	mode, _ := kit.Text(asked, "mode")
	form, _ := wire.Lookup(asked, "/requestedSchema")
	switch {
	case !slices.Contains([]string{"accept", "decline", "cancel"}, action):
		return "the action " + kit.Quote([]byte(action)), ""
	case action != "accept":
		return "", ""
	case mode == "url" && there:
		return "content with the action accept in url mode", ""
	case mode == "url":
		return "", ""
	case !there:
		content = json.RawMessage("{}")
	}
	if kit.JSONType(content) != "object" {
		return "content that is no object", ""
	}
	found, err := schema.Validate(form, content)
	if err != nil || len(found) == 0 {
		return "", "" // the form is ours
	}
	_, got := kit.Wording(schema.Under("/result/content", found))
	return "", got
}

// missingModeIsForm: what names no mode is a form. That no person is there to answer it is no fault.
func missingModeIsForm(t *kit.T) {
	const expected = "a form, since no mode was named"
	t.Says(expected)
	declaredAsks(t, methodElicit, "elicitation", func(a ask, r kit.Seen) bool {
		if a.mode() != "" || !a.knownMode() {
			return false
		}
		code, _ := r.ErrorCode()
		switch {
		case !r.HasError:
			t.Saw()
		case code == judges.CodeInvalidParams || code == judges.CodeMethodNotFound:
			t.BreachAt(r, expected, "the error "+kit.JSON(r.Error))
		}
		return true
	})
}

func undeclaredModeRefused(t *kit.T) {
	const expected = "the error -32602 in answer to a mode that is not declared"
	t.Says(expected)
	declaredAsks(t, methodElicit, "elicitation", func(a ask, r kit.Seen) bool {
		if a.knownMode() {
			return false
		}
		refusedAsInvalid(t, r, expected, t.BreachAt)
		return true
	})
	if !t.Observed() && slices.ContainsFunc(t.Transcripts(), func(tr *wire.Transcript) bool { return len(modesOf(declares(tr, "elicitation"))) > 1 }) {
		t.NotApplicable("the client declares every mode")
	}
}

// unknownComplete is the form of a notification that an elicitation is over which never began.
var unknownComplete = form{"the end of an elicitation that nobody knows", func(x *wire.Exchange) bool {
	return slices.ContainsFunc(x.Messages(), func(m wire.Located) bool {
		id, _ := kit.Text(m.Params, "elicitationId")
		return m.Method == "notifications/elicitation/complete" && strings.HasPrefix(id, "mcpcheck-unknown")
	})
}}

func ignoresUnknownComplete(t *kit.T) {
	if !slices.ContainsFunc(t.Transcripts(), func(tr *wire.Transcript) bool { return metIn(tr, unknownComplete) != nil }) {
		declaredAsks(t, methodElicit, "elicitation", func(ask, kit.Seen) bool { return false })
		return
	}
	goesOn(t, "the client goes on behind the end of an elicitation that it does not know", unknownComplete)
}

// pageNotPrefetched: nobody looks at a page before the person agreed to go there. A browser may be quicker than the answer that says so.
func pageNotPrefetched(t *kit.T) {
	const expected = "no request to the URL of an elicitation before the person agreed"
	t.Says(expected)
	declaredAsks(t, methodElicit, "elicitation", func(a ask, r kit.Seen) bool {
		action, _ := kit.Text(r.Result, "action")
		address, _ := kit.Text(a.Params, "url")
		if a.mode() != "url" || !a.knownMode() {
			return false
		}
		unasked(t, a.tr, address, action, expected)
		return true
	})
}

// unasked judges that a page was not fetched where the person did not agree. Who was not told what they did may have agreed.
func unasked(t *kit.T, tr *wire.Transcript, address, action, expected string) {
	for _, x := range fetches(tr, "/elicited/") {
		if pathOf(address) != pathOf(x.Request.URL) {
			continue
		}
		if action == "decline" || action == "cancel" {
			t.Breach(x, expected, fmt.Sprintf("%s of it, and the person did not agree: %s", x.Request.Method, action))
		}
		return
	}
	t.Saw()
}

// clientProgress: progress that the client reports belongs to what it is asked, grows, and ends with its answer.
func clientProgress(t *kit.T) {
	const expected = "progress with a token of a request under way, growing"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client reported no progress: only what it is asked with --provoke can make some")
	asked := asks(t)
	for _, tr := range t.Transcripts() {
		last := map[string]float64{}
		for _, m := range t.MessagesIn(tr) {
			if m.Method != "notifications/progress" {
				continue
			}
			token, _ := m.Pointer("/params/progressToken")
			var progress float64
			numeric := m.Decode("/params/progress", &progress) == nil
			i := slices.IndexFunc(asked, func(a ask) bool { return a.tr == tr && wire.SameID(a.param("_meta/progressToken"), token) })
			before, any := last[string(token)]
			switch {
			case i < 0:
				t.BreachAt(m, expected, "the token "+kit.JSON(token)+", which no request of the server had")
			case len(asked[i].answers) > 0 && asked[i].answers[0].At < m.At:
				t.BreachAt(m, expected, "progress behind the answer")
			case !numeric || any && progress <= before:
				t.BreachAt(m, expected, "progress that does not grow")
			default:
				t.Saw()
			}
			last[string(token)] = progress
		}
	}
}
