package starts

import (
	"strings"
	"testing"

	"github.com/mcpcheck/mcpcheck/wire"
)

// TestDiagnoses: where nothing could be judged it is said why, with what the client wrote last.
func TestDiagnoses(t *testing.T) {
	request := func(body string) *wire.Transcript {
		return &wire.Transcript{Script: "plain", Exchanges: []*wire.Exchange{{
			Request: wire.Request{Method: "POST", URL: "http://127.0.0.1:4000/mcp", Body: wire.NewBody([]byte(body))},
		}}}
	}
	started := []Start{{Persona: "plain", Ended: "it ended with exit status 1", Output: "first\nno such module\n"}}
	for _, row := range []struct {
		name       string
		record     Record
		kind, says string
	}{
		{"not started", Record{Unstarted: "starting the client: no such file"}, "client-not-started", "no such file"},
		{"ended before it sent anything", Record{Starts: started, Transcripts: []*wire.Transcript{{}}}, "client-silent", "exit status 1; its last lines: first | no such module"},
		{"by hand, and nothing arrived", Record{Starts: started, ByHand: true, Command: "a client at URL", Transcripts: []*wire.Transcript{{}}}, "client-silent", "nothing arrived from a client at URL"},
		{"no MCP", Record{Starts: started, Transcripts: []*wire.Transcript{request(`{"hello": 1}`)}}, "client-no-mcp", "POST http://127.0.0.1:4000/mcp; its last lines: first | no such module"},
		{"a message", Record{Starts: started, Transcripts: []*wire.Transcript{request(`{"jsonrpc":"2.0"}`)}}, "", ""},
		{"interrupted", Record{Starts: started, Interrupted: true}, "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := row.record.diagnosis()
			switch {
			case d == nil && row.kind == "":
			case d == nil || d.Kind != row.kind || !strings.Contains(d.Seen, row.says):
				t.Errorf("%+v, want %s: %s", d, row.kind, row.says)
			}
		})
	}
}
