package clients

import (
	"slices"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

// asksForNoTask: what runs as a task is only asked for where the server declares it.
func asksForNoTask(t *kit.T) {
	const expected = "no task where the server declares none for tools/call"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "no session called a tool")
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			answer, _ := s.opening.Answer()
			_, declared := answer.Pointer("/result/capabilities/tasks/requests/tools/call")
			for _, x := range s.requests {
				m := x.RequestMessage()
				if m.Method != "tools/call" {
					continue
				}
				if _, task := m.Pointer("/params/task"); task && !declared {
					t.Breach(x, expected, what(x)+" as a task")
					continue
				}
				t.Saw()
			}
		}
	}
}

// A taskCall is a call of a tool that the server had listed, in a session whose server runs calls as tasks.
type taskCall struct {
	x *wire.Exchange
	// support is the taskSupport of the tool as it was listed last, "forbidden" where it names none.
	support string
	asTask  bool
}

// taskCalls are those of all sessions. What a server lists it lists to whoever asks, in whichever session.
func taskCalls(t *kit.T) []taskCall {
	var all []taskCall
	for _, c := range conversations(t) {
		for _, s := range c.sessions {
			answer, _ := s.opening.Answer()
			if _, offered := answer.Pointer("/result/capabilities/tasks/requests/tools/call"); !offered {
				continue
			}
			for _, x := range s.requests {
				if m := x.RequestMessage(); m.Method == "tools/call" && isRequest(m) {
					_, asTask := m.Pointer("/params/task")
					if support := taskSupport(c.tr, x); support != "" {
						all = append(all, taskCall{x, support, asTask})
					}
				}
			}
		}
	}
	return all
}

// taskSupport is that of the tool of a call, as a list says that the client had read by then; "" where none has the tool.
func taskSupport(tr *wire.Transcript, call *wire.Exchange) string {
	m := call.RequestMessage()
	var name, support string
	if m.Decode("/params/name", &name) != nil {
		return ""
	}
	for _, p := range pagesOf(tr) {
		if p.method != "tools/list" || p.Exchange.AnsweredAt() > call.Sent {
			continue
		}
		for _, item := range p.Items {
			if listed, _ := kit.Text(item, "name"); listed != name {
				continue
			}
			support = "forbidden"
			if raw, named := wire.Lookup(item, "/execution/taskSupport"); named {
				support = wire.Unquote(raw)
			}
		}
	}
	return support
}

// asksForNoTaskOf: a tool that does not say that it can be called as a task cannot.
func asksForNoTaskOf(t *kit.T) {
	const expected = "no task of a tool whose taskSupport is forbidden, or not named"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client called no such tool that it had seen listed, of a server that runs others as tasks: have it list the tools and call one")
	for _, c := range taskCalls(t) {
		switch {
		case c.support != "forbidden":
		case c.asTask:
			t.Breach(c.x, expected, what(c.x)+" as a task")
		default:
			t.Saw()
		}
	}
}

// asksForTaskOf: a tool that must be called as a task is. Where nothing shows that the client knows tasks, somebody had it call that tool, and
// the server's refusal is all that there is to see.
func asksForTaskOf(t *kit.T) {
	const expected = "a task of a tool whose taskSupport is required"
	t.Says(expected)
	t.Unseen(kit.Unprovoked, "the client called no tool that must be called as a task; it meets one where it declares tasks, or asks for one")
	knows := knowsTasks(t)
	for _, c := range taskCalls(t) {
		switch {
		case c.support != "required":
		case c.asTask:
			t.Saw()
		case knows:
			t.Breach(c.x, expected, what(c.x)+" without task")
		default:
			t.Unseen(kit.Inconclusive, "the client called such a tool without a task, and shows nowhere that it knows tasks")
		}
	}
}

// knowsTasks tells that the client declares tasks, or asks for one somewhere.
func knowsTasks(t *kit.T) bool {
	return slices.ContainsFunc(t.Everywhere(), func(tr *wire.Transcript) bool {
		return declares(tr, "tasks") != nil || slices.ContainsFunc(tr.Exchanges, func(x *wire.Exchange) bool {
			_, task := x.RequestMessage().Pointer("/params/task")
			return task
		})
	})
}
