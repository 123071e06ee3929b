package mock

import (
	"encoding/json"
	"fmt"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// canary is a second tool; where lists come in pages it stands on the second one, and whoever calls it has read that page.
const canary = "mcpcheck_second_page"

// plain is the control: what a client does here twice is what its command does.
func plain() Persona {
	return Persona{
		Name: "plain", About: "sessions, JSON answers, no stream, tools and nothing else", Conforms: true,
		Profile: refserver.Profile{Name: "plain", Sessions: true, DELETE: true, ToolsOnly: true, Tools: []string{EchoTool}},
	}
}

// streams packs what a server may do on streams into one start.
func streams() Persona {
	return Persona{
		Name: "streams", About: "answers on event streams, pings and unknown messages on them, lists in pages, initialize takes a second", Conforms: true,
		Profile: refserver.Profile{Name: "streams", Sessions: true, SSE: true, GET: true, DELETE: true, ToolsOnly: true, PageSize: 1, Tools: []string{EchoTool, canary}},
		Deviation: &refserver.Deviation{Edits: append([]refserver.Edit{{On: "result initialize", Delay: "1s"}}, twice(func(call int) []any {
			return []any{
				message{"id": 5 + call, "method": "ping"},
				message{"id": fmt.Sprintf("five of call %d", call), "method": "ping"},
				message{"id": fmt.Sprintf("unknown of call %d", call), "method": "mcpcheck/no-such-method"},
				message{"method": "notifications/mcpcheck-unknown"},
				message{"method": "notifications/tools/list_changed"},
			}
		})...)},
	}
}

// twice puts messages ahead of the answers to the first two calls of a tool: silence counts where it is met twice, and ids are used once.
func twice(messages func(call int) []any) []refserver.Edit {
	return []refserver.Edit{
		{On: "result tools/call", Nth: 1, Before: messages(1)},
		{On: "result tools/call", Nth: 2, Before: messages(2)},
	}
}

// batch speaks the one revision that has batches, and sends some.
func batch() Persona {
	return Persona{
		Name: "batch", About: "2025-03-26 only, sends notifications and pings in arrays on the stream of a call", Conforms: true,
		Profile: refserver.Profile{Name: "batch", Revisions: []string{"2025-03-26"}, Sessions: true, SSE: true, ToolsOnly: true, Tools: []string{EchoTool, canary}},
		Deviation: &refserver.Deviation{Edits: twice(func(call int) []any {
			return []any{
				message{"id": fmt.Sprintf("alone in call %d", call), "method": "ping"},
				[]any{message{"method": "notifications/mcpcheck-unknown"}, message{"method": "notifications/mcpcheck-unknown-too"}},
				[]any{
					message{"id": fmt.Sprintf("first in call %d", call), "method": "ping"},
					message{"id": fmt.Sprintf("second in call %d", call), "method": "ping"},
				},
			}
		})},
	}
}

// olderServer speaks one older revision and nothing else, and knows no sessions.
func olderServer(revision string) Persona {
	return Persona{
		Name: "older", About: "speaks nothing newer than " + revision + ", and knows no sessions", Conforms: true,
		Profile: refserver.Profile{Name: "older", Revisions: []string{revision}, ToolsOnly: true, Tools: []string{EchoTool}},
	}
}

// refused answers with a version that nobody speaks.
func refused() Persona {
	p := plain()
	p.Name, p.About, p.Conforms = "refused", "answers initialize with a version that no client speaks", false
	set := "/result/protocolVersion"
	p.Deviation = &refserver.Deviation{Edits: []refserver.Edit{{On: "result initialize", Set: &set, Value: json.RawMessage(`"1900-01-01"`)}}}
	return p
}

// lost forgets its sessions soon after they were opened. Each answer is as it should be, but nobody would run such a server.
func lost() Persona {
	p := plain()
	p.Name, p.About, p.Conforms = "lost", "ends each session after the handshake: 404 from then on", false
	p.Profile.Lifetime = 2
	return p
}

// message is a JSON-RPC message that the server sends of its own accord.
type message map[string]any

// MarshalJSON adds the version.
func (m message) MarshalJSON() ([]byte, error) {
	whole := map[string]any{"jsonrpc": "2.0"}
	for k, v := range m {
		whole[k] = v
	}
	return json.Marshal(whole)
}
