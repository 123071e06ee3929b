package core

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mcpcheck/mcpcheck/reference-server/jsonrpc"
	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

// A rounds line is that of an era in which the client comes back with its answers: what it has not answered yet is the result.
type rounds struct {
	answers []string
	asked   []string // methods
	said    []string // of log messages and notifications
}

func (l *rounds) Ask(questions ...Question) (answers []json.RawMessage, instead any) {
	for _, q := range questions {
		l.asked = append(l.asked, q.Method)
		n := len(l.asked)
		if n > len(l.answers) {
			return nil, "asks " + q.Method
		}
		answers = append(answers, json.RawMessage(l.answers[n-1]))
	}
	return answers, nil
}
func (l *rounds) Notify(out jsonrpc.Outgoing)   { l.said = append(l.said, out.Method) }
func (l *rounds) Log(level, _ string)           { l.said = append(l.said, level) }
func (l *rounds) Announce(out jsonrpc.Outgoing) { l.said = append(l.said, out.Method) }
func (l *rounds) CanPark() bool                 { return false }
func (l *rounds) Park()                         { panic("not offered") }

// answer lets the server answer one request of a caller, tools that take time included.
func answer(t *testing.T, s *Server, caller Caller, text string) *Request {
	t.Helper()
	messages, _, err := jsonrpc.Read([]byte(text), jsonrpc.Leniency{})
	if err != nil {
		t.Fatal(err)
	}
	c := &Request{Server: s, Caller: caller, Message: messages[0], Ctx: t.Context()}
	if c.Answer(); c.Pending() {
		c.Run()
	}
	return c
}

func testServer() *Server { return &Server{Now: func() time.Time { return time.Unix(0, 0) }} }

// TestAToolAsksInRounds: a method that is run again with the answers to its former questions goes on from there.
func TestAToolAsksInRounds(t *testing.T) {
	const (
		uses = `{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"u","name":"temperature","input":{"city":"Oslo"}}]}`
		says = `{"role":"assistant","model":"m","content":{"type":"text","text":"Paris"}}`
	)
	for _, row := range []struct {
		name    string
		answers []string
		want    string // in the result
	}{
		{"nothing answered", nil, "asks sampling/createMessage"},
		{"the first question answered", []string{uses}, "asks sampling/createMessage"},
		{"both answered", []string{uses, says}, "the model says: Paris"},
		{"answered in another shape", []string{`{}`}, "no sampling result"},
	} {
		t.Run(row.name, func(t *testing.T) {
			line := &rounds{answers: row.answers}
			caller := Caller{Revision: revision.V20251125, State: NewState(), Line: line,
				Capabilities: ClientCapabilities{Sampling: json.RawMessage(`{"tools":{}}`)}}
			c := answer(t, testServer(), caller, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask-model-with-tools"}}`)
			if got := string(jsonrpc.Encode(c.Response().Body)); !strings.Contains(got, row.want) {
				t.Errorf("%s", got)
			}
		})
	}
}

// TestWhatACallerIsOffered: nothing that has to be kept or pushed for a caller that nothing is kept for, or pushed to.
func TestWhatACallerIsOffered(t *testing.T) {
	s := testServer()
	s.Tasks = true
	for _, row := range []struct {
		name    string
		caller  Caller
		methods string // of these the server serves
	}{
		{"kept and pushed to", Caller{Keeps: true, Pushes: true}, "logging/setLevel tasks/get resources/subscribe"},
		{"kept", Caller{Keeps: true}, "logging/setLevel tasks/get"},
		{"neither", Caller{}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			line := &rounds{}
			row.caller.Revision, row.caller.State, row.caller.Line = revision.V20251125, NewState(), line
			var served []string
			for _, method := range []string{"logging/setLevel", "tasks/get", "resources/subscribe"} {
				c := answer(t, s, row.caller, `{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`)
				if c.Err == nil || c.Err.Code != jsonrpc.CodeMethodNotFound {
					served = append(served, method)
				}
			}
			if got := strings.Join(served, " "); got != row.methods {
				t.Errorf("served: %s", got)
			}
			declared := s.Capabilities(row.caller)
			if (declared.Logging != nil) != row.caller.Keeps || (declared.Tasks != nil) != row.caller.Keeps ||
				declared.Resources.Subscribe != row.caller.Pushes || declared.Tools.ListChanged != row.caller.Pushes {
				t.Errorf("declared: %s", jsonrpc.Encode(declared))
			}
			answer(t, s, row.caller, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write-note","arguments":{"text":"x"}}}`)
			var lists []string
			for _, method := range line.said {
				list, _ := strings.CutSuffix(strings.TrimPrefix(method, "notifications/"), "/list_changed")
				lists = append(lists, list)
			}
			if got := strings.Join(lists, " "); got != "tools prompts resources" {
				t.Errorf("announced: %s", got)
			}
		})
	}
}
