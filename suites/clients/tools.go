package clients

import (
	"encoding/json"
	"net/http"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/wire"
)

func tools(s *kit.Section) {
	s.Passive("tools.client.one-bad-tool", bearsBadTool)
}

// bearsBadTool: a tool that is wrong leaves the others right.
func bearsBadTool(t *kit.T) {
	t.Says("a call of one of the tools that are as they should be")
	t.Unseen(kit.Unprovoked, nobodyRough+"; the client has to list the tools and call one")
	planned := plan(t)
	for _, tr := range t.Transcripts() {
		var x *wire.Exchange
		for _, o := range tr.Exchanges {
			if o.Request.Method == http.MethodPost && o.RequestMessage().Method == "tools/list" && listsBadTool(o) {
				x = o
				break
			}
		}
		if x == nil || len(planned) == 0 {
			continue
		}
		switch left := missing(tr, planned); {
		case left == "":
			t.Saw()
		case tr.Aborted == "":
			t.Note(x, "a tool without inputSchema stood beside the others, and the client called none of them")
		}
	}
}

// listsBadTool tells that a list has a tool without an input schema, and one with.
func listsBadTool(x *wire.Exchange) bool {
	answer, _ := x.Answer()
	var list []map[string]json.RawMessage
	if answer.Decode("/result/tools", &list) != nil {
		return false
	}
	good, bad := false, false
	for _, tool := range list {
		_, has := tool["inputSchema"]
		good, bad = good || has, bad || !has
	}
	return good && bad
}
