package judges

import (
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/suites/catalogue"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
	"github.com/mcpcheck/mcpcheck/wire/wiretest"
)

// judged is the result of a judgement of tools on one conversation, the inventory of a server that declares everything.
func judged(t *testing.T, text string, judge func(*kit.T)) kit.Result {
	t.Helper()
	all, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	era := &kit.Era{
		Name: revision.Legacy, Inventory: kit.NewScript("inventory", kit.Bare, nil), Opening: "initialize", Root: "lifecycle.initialize.answered",
		Applies: func(catalogue.Entry, string, string) bool { return true },
		Facts: func(tr *wire.Transcript, given kit.Given) *kit.Facts {
			f := kit.NewFacts(tr.Revision, tr.Transport, given)
			f.ReadLists(tr)
			return f
		},
	}
	section := kit.NewSection(all, era, kit.Area{Name: "tools", Fill: func(s *kit.Section) {
		s.Check("tools.list.shape", s.Add(era.Inventory), judge)
	}})
	tr := wiretest.Transcript(t, text)
	tr.Script, tr.Revision = "inventory", "2025-11-25"
	recording := &kit.Recording{Era: era, Revision: tr.Revision, Transport: kit.StreamableHTTP, Transcripts: []*wire.Transcript{tr},
		Environment: kit.Environment{URL: "https://example.com/mcp"}}
	return kit.NewJudge(recording, section.Checks()).Cell("tools.list.shape")
}

// exchange is a request under a label, and what came.
func exchange(label, sent, came string) string {
	return "== " + label + "\n> POST\n> " + sent + "\n" + came + "\n"
}

// answered is a JSON body.
func answered(body string) string { return "< 200 application/json\n< " + body }

// streamed is an event stream with messages.
func streamed(messages ...string) string {
	return "< 200 text/event-stream\n<\n< data: " + strings.Join(messages, "\n<\n< data: ") + "\n<"
}

const pingOne = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// TestAnswerTo: the answer is the response with the id of the request, wherever it came, or an error without an id in the body itself.
func TestAnswerTo(t *testing.T) {
	const result, failure, nameless = `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"x"}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":8,"message":"x"}}`
	for name, row := range map[string]struct{ text, want string }{
		"a result":                       {exchange("ping", pingOne, answered(result)), "ping result"},
		"an error":                       {exchange("ping", pingOne, answered(failure)), "ping error"},
		"a request of the server":        {exchange("ping", pingOne, streamed(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)), ""},
		"a request, and then the result": {exchange("ping", pingOne, streamed(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, result)), "ping result"},
		"the result of another":          {exchange("ping", pingOne, answered(`{"jsonrpc":"2.0","id":2,"result":{}}`)), ""},
		"an error with null":             {exchange("ping", pingOne, answered(nameless)), "ping error"},
		"an error without an id":         {exchange("ping", pingOne, answered(strings.Replace(nameless, `"id":null,`, "", 1))), "ping error"},
		"an error of another":            {exchange("ping", pingOne, answered(strings.Replace(nameless, "null", "2", 1))), ""},
		"a result with null":             {exchange("ping", pingOne, answered(`{"jsonrpc":"2.0","id":null,"result":{}}`)), ""},
		"an error with null on a stream": {exchange("ping", pingOne, streamed(nameless)), ""},
		"on a stream that resumed it":    {exchange("ping", pingOne, "< 202") + exchange("later", `{"jsonrpc":"2.0","id":3,"method":"ping"}`, streamed(result)), "later result"},
		"on its own and on another":      {exchange("early", `{"jsonrpc":"2.0","id":3,"method":"ping"}`, streamed(failure)) + exchange("ping", pingOne, answered(result)), "ping result"},
	} {
		tr := wiretest.Transcript(t, row.text)
		got := ""
		if m, ok := AnswerTo(&kit.T{}, tr, tr.Exchange("ping")); ok {
			got = m.Exchange.Label + " " + string(m.Kind)
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

// TestMalformed: only what we sent wrong on purpose is malformed, and what has no body is no message.
func TestMalformed(t *testing.T) {
	for name, row := range map[string]struct {
		sent   string
		broken bool
		want   bool
	}{
		"no JSON":                         {"> {\"jsonrpc\"", true, true},
		"no JSON, and nobody says so":     {"> {\"jsonrpc\"", false, false},
		"a number":                        {">\n> 5", true, true},
		"no body":                         {"", true, false},
		"no method":                       {`> {"jsonrpc":"2.0","id":1}`, true, true},
		"no method, and nobody says so":   {`> {"jsonrpc":"2.0","id":1}`, false, false},
		"another version":                 {`> {"jsonrpc":"1.0","id":1,"method":"ping"}`, true, true},
		"another version, not on purpose": {`> {"jsonrpc":"1.0","id":1,"method":"ping"}`, false, false},
		"a message":                       {"> " + pingOne, true, false},
		"an empty batch":                  {"> []", true, true},
		"an empty batch, not on purpose":  {"> []", false, false},
		"a batch":                         {"> [" + pingOne + "]", true, false},
	} {
		text := "== x\n"
		if row.broken {
			text += "broken: so\n"
		}
		text += "> POST\n"
		if row.sent != "" {
			text += row.sent + "\n"
		}
		if got := Malformed(wiretest.Transcript(t, text+"< 400\n").Exchanges[0]); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
