package starts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/wire"
)

// diagnosis explains why nothing could be judged; nil where something could.
func (r *Record) diagnosis() *report.Diagnosis {
	if r.Unstarted != "" {
		return &report.Diagnosis{
			Kind: "client-not-started",
			Seen: r.Unstarted,
			Why:  "A client can only be judged by what it sends.",
			Do: "See that everything behind -- is the command that starts the client, with its arguments:\n" +
				"  mcpcheck client -- node client.js {url} {tool}",
		}
	}
	if r.Interrupted || len(r.Starts) == 0 || len(r.revisions()) > 0 {
		return nil
	}
	arrived := slices.IndexFunc(r.Transcripts, func(t *wire.Transcript) bool { return len(t.Exchanges) > 0 })
	first := r.Starts[0]
	if arrived < 0 && r.ByHand {
		return &report.Diagnosis{
			Kind: "client-silent",
			Seen: "nothing arrived from " + r.Command,
			Why:  "A client can only be judged by what it sends.",
			Do:   "Give your client the URL that stands at the top, as that of a server over Streamable HTTP, and have it connect.",
		}
	}
	if arrived < 0 {
		return &report.Diagnosis{
			Kind: "client-silent",
			Seen: fmt.Sprintf("the client was started %d times and sent nothing; %s%s", len(r.Starts), first.Ended, said(first)),
			Why:  "A client can only be judged by what it sends.",
			Do: "See that the command connects to the URL that stands for {url} in its arguments, or to MCP_URL in its environment:\n" +
				"  mcpcheck client -- node client.js {url} {tool}",
		}
	}
	x := r.Transcripts[arrived].Exchanges[0]
	return &report.Diagnosis{
		Kind: "client-no-mcp",
		Seen: fmt.Sprintf("what arrived is no message of MCP: %s %s%s", x.Request.Method, x.Request.URL, said(first)),
		Why:  "A client of MCP over HTTP posts JSON-RPC messages to the URL that it is given.",
		Do:   "See that the command is a client for Streamable HTTP and takes the URL as it is.",
	}
}

// said is the end of what the client wrote, for a sentence.
func said(s Start) string {
	lines := strings.Split(strings.TrimSpace(s.Output), "\n")
	lines = lines[max(0, len(lines)-5):]
	if len(lines) == 1 && lines[0] == "" {
		return " and wrote nothing"
	}
	return "; its last lines: " + strings.Join(lines, " | ")
}
