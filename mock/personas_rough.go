package mock

import (
	"encoding/json"

	refserver "github.com/mcpcheck/mcpcheck/reference-server"
)

// roughPersonas do what no server may, and some things in front of servers do all the same. What a client makes of that is worth a note.
func roughPersonas() []Persona {
	rough := func(name, about string, edits ...refserver.Edit) Persona {
		p := plain()
		p.Name, p.About, p.Conforms = name, about, false
		p.Profile.Name = name
		p.Deviation = &refserver.Deviation{Edits: edits}
		return p
	}
	lists, calls := &refserver.Condition{RPC: []string{"tools/list"}}, &refserver.Condition{RPC: []string{"tools/call"}}
	busy := rough("rough", "ends the GET stream at once, refuses the next with 503, and the first call with 429",
		refserver.Edit{On: "get-stream", Nth: 1, Body: text("retry: 200\n\n")},
		refserver.Edit{On: "get-stream", Nth: 2, Status: 503, Header: map[string]*string{"Content-Type": text("text/plain")}, Body: text("not now\n")},
		// Long enough for the stream to be opened again before the client goes on.
		refserver.Edit{On: "served-json", When: lists, Nth: 1, Delay: "2s"},
		refserver.Edit{On: "served-json", When: calls, Nth: 1, Status: 429, Header: map[string]*string{"Content-Type": text("text/plain"), "Retry-After": text("1")}, Body: text("too many\n")},
	)
	busy.Profile.GET = true
	busy.Person = "the list takes two seconds; where a call is refused, call again"
	refused := rough("rough-refused", "refuses every initialize with an error",
		refserver.Edit{On: "result initialize", Remove: "/result", Set: text("/error"), Value: json.RawMessage(`{"code":-32603,"message":"mcpcheck: no sessions today"}`)})
	refused.Person = "no client can connect here: go on once yours has given up"
	return []Persona{
		busy,
		rough("rough-html", "answers tools/list with a page of HTML",
			refserver.Edit{On: "served-json", When: lists, Header: map[string]*string{"Content-Type": text("text/html")}, Body: text("<html><body>It works!</body></html>\n")}),
		rough("rough-empty", "answers tools/list with {}", refserver.Edit{On: "served-json", When: lists, Body: text("{}")}),
		rough("rough-tool", "lists a tool without inputSchema beside the others",
			refserver.Edit{On: "result tools/list", Set: text("/result/tools/-"), Value: json.RawMessage(`{"name":"mcpcheck_without_schema"}`)}),
		refused,
	}
}
