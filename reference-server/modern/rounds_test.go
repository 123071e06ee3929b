package modern_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// A question is an input_required result.
type question struct {
	ResultType    string
	InputRequests map[string]struct {
		Method string
		Params json.RawMessage
	}
	RequestState string
	TTLMs        *int
	IsError      bool
	Content      []struct{ Text string }
}

const everything = `{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}`

// asks calls a tool that has to ask first.
func (p *peer) asks(tool string) question {
	p.t.Helper()
	var q question
	p.call(tool, "{}").result(p.t, &q)
	if q.ResultType != "input_required" || len(q.InputRequests) != 1 || q.RequestState == "" || q.TTLMs != nil {
		p.t.Fatalf("%s: %+v", tool, q)
	}
	return q
}

// back calls it again with answers and state, as JSON.
func (p *peer) back(tool, answers, state string) reply {
	p.t.Helper()
	members := `"name":"` + tool + `","arguments":{}`
	if answers != "" {
		members += `,"inputResponses":` + answers
	}
	if state != "" {
		members += `,"requestState":"` + state + `"`
	}
	return p.ask("tools/call", members)
}

// TestRounds: each kind of question is asked in a result, and its answer taken in a request of its own.
func TestRounds(t *testing.T) {
	p := start(t, "modern")
	p.capabilities = everything
	for _, row := range []struct{ tool, method, answer, says string }{
		{"ask-person", "elicitation/create", `{"action":"accept","content":{"name":"Ada","cups":2,"drink":"tea"}}`, "taken"},
		{"ask-person", "elicitation/create", `{"action":"decline"}`, "decline"},
		{"ask-person-url", "elicitation/create", `{"action":"accept"}`, "opened"},
		{"ask-model", "sampling/createMessage", `{"role":"assistant","model":"m","content":{"type":"text","text":"Hello"}}`, "Hello"},
		{"ask-roots", "roots/list", `{"roots":[{"uri":"file:///a"}]}`, "1 roots"},
	} {
		q := p.asks(row.tool)
		if q.InputRequests["ask-1"].Method != row.method || strings.Contains(string(q.InputRequests["ask-1"].Params), "elicitationId") {
			t.Errorf("%s asks %v", row.tool, q.InputRequests)
		}
		for name, r := range map[string]reply{
			"with the state":    p.back(row.tool, `{"ask-1":`+row.answer+`}`, q.RequestState),
			"without the state": p.back(row.tool, `{"ask-1":`+row.answer+`,"other":{}}`, ""),
		} {
			var done question
			r.result(t, &done)
			if done.ResultType != "complete" || len(done.Content) == 0 || !strings.Contains(done.Content[0].Text, row.says) || done.IsError {
				t.Errorf("%s %s: %s", row.tool, name, r.raw)
			}
		}
	}
}

// TestPromptsAndResourcesAsk: not only tools may.
func TestPromptsAndResourcesAsk(t *testing.T) {
	p := start(t, "modern")
	for _, row := range []struct{ method, members, lacks, answer, says string }{
		{"prompts/get", `"name":"interview"`, `{"elicitation":{"form":{}}}`, `{"action":"accept","content":{"name":"Ada"}}`, "Interview Ada."},
		{"prompts/get", `"name":"interview"`, `{"elicitation":{"form":{}}}`, `{"action":"cancel"}`, "wants no name"},
		{"resources/read", `"uri":"ref://roots"`, `{"roots":{}}`, `{"roots":[{"uri":"file:///a"}]}`, "file:///a"},
	} {
		p.capabilities = "{}"
		if r := p.ask(row.method, row.members); r.status != 400 || r.code(t) != -32021 || !strings.Contains(r.raw, row.lacks) {
			t.Errorf("%s of a client that declares nothing: %s", row.method, r.raw)
		}
		p.capabilities = everything
		var q question
		if p.ask(row.method, row.members).result(t, &q); q.ResultType != "input_required" || q.TTLMs != nil {
			t.Errorf("%s: %+v", row.method, q)
		}
		r := p.ask(row.method, row.members+`,"inputResponses":{"ask-1":`+row.answer+`},"requestState":"`+q.RequestState+`"`)
		if r.code(t) != 0 || !strings.Contains(r.raw, row.says) || !strings.Contains(r.raw, `"resultType":"complete"`) {
			t.Errorf("%s with the answer: %s", row.method, r.raw)
		}
	}
	p.capabilities = everything
	if r := p.ask("prompts/get", `"name":"interview","inputResponses":{"ask-1":{"action":"accept","content":{}}}`); r.code(t) != -32602 {
		t.Errorf("an answer that does not fit the form: %s", r.raw)
	}
}

// TestManyRounds: what was answered in one round is carried to the next by the client.
func TestManyRounds(t *testing.T) {
	p := start(t, "modern-json")
	p.capabilities = everything
	q := p.asks("ask-model-with-tools")
	use := `{"role":"assistant","model":"m","content":{"type":"tool_use","id":"u","name":"temperature","input":{"city":"Oslo"}}}`
	var second question
	p.back("ask-model-with-tools", `{"ask-1":`+use+`}`, q.RequestState).result(t, &second)
	asked, ok := second.InputRequests["ask-2"]
	if !ok || !strings.Contains(string(asked.Params), "tool_result") {
		t.Fatalf("second round: %+v", second)
	}
	var done question
	said := `{"role":"assistant","model":"m","content":{"type":"text","text":"Oslo"}}`
	r := p.back("ask-model-with-tools", `{"ask-2":`+said+`}`, second.RequestState)
	if r.result(t, &done); done.ResultType != "complete" || !strings.Contains(r.raw, "Oslo") {
		t.Errorf("third round: %s", r.raw)
	}
}

// TestRoundsThatGoWrong: what the client keeps is not trusted, and what it does not say is asked again.
func TestRoundsThatGoWrong(t *testing.T) {
	p := start(t, "modern")
	p.capabilities = everything
	q := p.asks("ask-person")
	const decline = `{"ask-1":{"action":"decline"}}`
	middle := len(q.RequestState) / 2
	letter := "A"
	if q.RequestState[middle] == 'A' {
		letter = "B"
	}
	for name, r := range map[string]reply{
		"a state that was changed":   p.back("ask-person", decline, q.RequestState[:middle]+letter+q.RequestState[middle+1:]),
		"the state of another tool":  p.back("ask-person-url", decline, q.RequestState),
		"a state that is none":       p.back("ask-person", decline, "none"),
		"an answer that is a number": p.back("ask-person", `{"ask-1":12345}`, q.RequestState),
		"answers that are null":      p.back("ask-person", `null`, q.RequestState),
		"an answer without action":   p.back("ask-person", `{"ask-1":{}}`, q.RequestState),
	} {
		if r.code(t) != -32602 {
			t.Errorf("%s: %d %s", name, r.status, r.raw)
		}
	}
	var again question
	p.back("ask-person", `{}`, q.RequestState).result(t, &again)
	if again.ResultType != "input_required" || again.InputRequests["ask-1"].Method == "" {
		t.Errorf("without an answer: %+v", again)
	}
	first := p.ask("tools/call", `"name":"ask-person","arguments":{}`, "Authorization", "Bearer a")
	first.result(t, &again)
	if r := p.back("ask-person", decline, again.RequestState); r.code(t) != -32602 {
		t.Errorf("the state of another client: %s", r.raw)
	}
	now := time.Now()
	clock := startWith(t, refserver.Config{Now: func() time.Time { return now }})
	clock.capabilities = everything
	q = clock.asks("ask-person")
	now = now.Add(9 * time.Minute)
	if r := clock.back("ask-person", decline, q.RequestState); r.code(t) != 0 {
		t.Errorf("the state after nine minutes: %s", r.raw)
	}
	now = now.Add(2 * time.Minute)
	if r := clock.back("ask-person", decline, q.RequestState); r.code(t) != -32602 {
		t.Errorf("the state after eleven minutes: %s", r.raw)
	}
	other := start(t, "modern")
	if r := other.back("ask-person", decline, q.RequestState); r.code(t) != -32602 {
		t.Errorf("the state of another server: %s", r.raw)
	}
}

// TestMissingCapabilities: nothing is asked of a client that did not declare it, in this very request.
func TestMissingCapabilities(t *testing.T) {
	p := start(t, "modern")
	for _, row := range []struct{ tool, declared, lacks string }{
		{"ask-person", `{}`, `{"elicitation":{"form":{}}}`},
		{"ask-person", `{"elicitation":{"url":{}}}`, `{"elicitation":{"form":{}}}`},
		{"ask-person-url", `{"elicitation":{}}`, `{"elicitation":{"url":{}}}`},
		{"ask-model", `{"roots":{}}`, `{"sampling":{}}`},
		{"ask-model-with-tools", `{"sampling":{}}`, `{"sampling":{"tools":{}}}`},
		{"ask-roots", `{}`, `{"roots":{}}`},
	} {
		p.capabilities = everything
		p.asks(row.tool)
		p.capabilities = row.declared
		r := p.call(row.tool, "{}")
		if r.status != 400 || r.code(t) != -32021 || string(r.last(t).Error.Data) != `{"requiredCapabilities":`+row.lacks+`}` {
			t.Errorf("%s with %s: %d %s", row.tool, row.declared, r.status, r.raw)
		}
	}
	p.capabilities = `{"elicitation":{}}`
	p.asks("ask-person")
}
