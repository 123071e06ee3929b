package report

import (
	"strings"
	"time"
)

// The reports that the goldens are made of.

// Pieces of hostile text, one for each thing that a format could trip over.
const (
	hostileTitle  = "\x1b]0;owned\x07" // sets the title of a terminal
	hostileColour = "\x1b[2J\x1b[31mred\u009b1m"
	hostileHTML   = `<img src=x onerror=alert(1)></script><script>alert(1)</script>`
	hostileXML    = "]]>&amp;<![CDATA["
	hostileBytes  = "nul\x00 bad\xff\xfe end"
	hostileBidi   = "\u202egnp.exe\u202c\u2066\u200b\ufeff"
	hostileMark   = "a | b `code` ```` **bold** [x](javascript:alert(1)) @octocat #1 www.evil.example https://evil.example/ deadbeef1 :tada:"
	hostileFence  = "```\n</details>\n# Heading\n~~~~~~\n``````\n<script>alert(2)</script>\n"
)

var hostileAll = strings.Join([]string{hostileTitle, hostileColour, hostileHTML, hostileXML, hostileBytes, hostileBidi, hostileMark}, " ")

var started = time.Date(2026, 11, 2, 9, 30, 0, 0, time.UTC)

const specPage = "https://modelcontextprotocol.io/specification/"

var legacyRevisions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

func exchange(label, body string, status int, answer string) Evidence {
	return Evidence{
		Script: "session/without-id", Label: label,
		Request: EvidenceRequest{
			Method: "POST", URL: "http://127.0.0.1:8931/mcp", AtMS: 12,
			Header: []string{"Content-Type: application/json", "Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-11-25"},
			Body:   body,
		},
		Response: &EvidenceResponse{Status: status, Header: []string{"Content-Type: application/json"}, Body: answer, AtMS: 15.25},
	}
}

// everywhere returns the result once for each revision.
func everywhere(r Result, revisions ...string) []Result {
	var all []Result
	for _, revision := range revisions {
		here := r
		here.Revision, here.Spec = revision, strings.ReplaceAll(r.Spec, "REVISION", revision)
		all = append(all, here)
	}
	return all
}

func passes(area string, n int, revisions ...string) []Result {
	var all []Result
	for i := range n {
		all = append(all, everywhere(Result{
			ID: area + ".rule-" + string(rune('a'+i)), Area: area, Transport: "streamable-http", Level: "MUST", Verdict: Pass,
			Title: "Rule " + string(rune('a'+i)) + " of " + area + " holds", Spec: specPage + "REVISION/basic",
		}, revisions...)...)
	}
	return all
}

func cleanReport() Report {
	results := passes("lifecycle", 14, "2025-11-25")
	results = append(results, passes("transport", 12, "2025-11-25")...)
	results = append(results, passes("session", 9, "2025-11-25")...)
	results = append(results,
		Result{ID: "resumability.replay", Revision: "2025-11-25", Transport: "streamable-http", Area: "resumability", Level: "MUST",
			Verdict: NotApplicable, Title: "Resuming replays what was missed", Message: "the server gives its events no ids"},
		Result{ID: "lifecycle.timeouts.answer", Revision: "2025-11-25", Transport: "streamable-http", Area: "lifecycle", Level: "SHOULD",
			Verdict: NotObserved, Title: "Slow requests are given up", Message: "no request was slow"},
	)
	return Finish(Report{
		Tool: Tool{"mcpcheck", "0.1.0"},
		Target: Target{URL: "http://127.0.0.1:8931/mcp", Server: Server{"everything-server", "1.2.0"}, Eras: []string{"legacy"},
			Revisions: []string{"2025-11-25"}},
		Results: results, Started: started, DurationMS: 840, Requests: 96,
	})
}

func interruptedReport() Report {
	r := cleanReport()
	r.Results = r.Results[:20]
	r.Interrupted = true
	r.Remarks = []string{"interrupted after 0.4 s: 17 cells were not judged", "one session at a time: the server lets a new session end the one before"}
	r.DurationMS, r.Requests = 412, 31
	return Finish(r)
}

func diagnosisReport() Report {
	return Finish(Report{
		Tool:   Tool{"mcpcheck", "0.1.0"},
		Target: Target{URL: "https://mcp.example.com/mcp"},
		Diagnosis: &Diagnosis{
			Kind: "auth",
			Seen: "A POST was answered with 401 and the challenge Bearer resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource\".",
			Why:  "Nothing but the authorization rules can be judged without credentials.",
			Do:   "Get an access token for the resource https://mcp.example.com/mcp and pass it:\n    mcpcheck --header 'Authorization: Bearer $TOKEN' https://mcp.example.com/mcp",
			Evidence: []Evidence{exchange("discover", `{"jsonrpc":"2.0","id":"era-d","method":"server/discover"}`, 401,
				`{"error":"invalid_token"}`)},
		},
		Started: started, DurationMS: 120, Requests: 2,
	})
}

// hostileReport has a finding of every verdict, most of them realistic, and hostile text wherever a server can put any.
func hostileReport() Report {
	var results []Result
	results = append(results, passes("lifecycle", 14, legacyRevisions...)...)
	results = append(results, everywhere(Result{
		ID: "lifecycle.initialize.server-info", Area: "lifecycle", Transport: "streamable-http", Level: "MUST", Verdict: Fail,
		Title: "The result of initialize names the server", Message: "serverInfo has no version.",
		Sent: "initialize", Expected: "serverInfo with the strings name and version", Got: `{"name":"` + hostileAll + `"}`,
		Why:  "Clients show name and version to people and put them into bug reports; strict ones reject the answer and never connect.",
		Spec: specPage + "REVISION/basic/lifecycle#initialization", Remedy: "Set serverInfo.version to the version of your server.",
		More: 495,
		Evidence: []Evidence{
			exchange("initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, 200,
				`{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"`+hostileAll+`"}}}`),
			{
				Script: "lifecycle/open", Label: "stream " + hostileFence, Attempt: 2,
				Request: EvidenceRequest{Method: "GET", URL: "http://127.0.0.1:8931/mcp?q=" + strings.Repeat("long/", 60),
					Header: []string{"Accept: text/event-stream"}, AtMS: 100},
				Response: &EvidenceResponse{Status: 200, AtMS: 101.5, Header: []string{"Content-Type: text/event-stream",
					"X-Big: " + strings.Repeat("x", 10<<10), "X-Evil: " + hostileTitle + hostileHTML}},
				Events: []EvidenceEvent{
					{Raw: "event: message\r\ndata: {\"jsonrpc\":\"2.0\"}\r\n\r\n", AtMS: 103},
					{Raw: "data: " + hostileFence + "\n", AtMS: 1850},
					{Raw: ": " + hostileColour + hostileBytes + "\n\n", AtMS: 1851},
				},
				Error: "unexpected EOF after " + hostileBytes, EndedBy: "server", Remark: "the second event is not JSON", Truncated: true,
			},
		},
		Curl: "curl -isS http://127.0.0.1:8931/mcp \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: application/json, text/event-stream' \\\n" +
			`  -d '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"it'"'"'s \"me\"","version":"1"}}}'`,
	}, legacyRevisions...)...)
	results = append(results, passes("session", 6, legacyRevisions[:3]...)...)
	missing := Result{
		ID: "session.missing-400", Area: "session", Transport: "streamable-http", Verdict: Warn,
		Title: "Requests without a session id get 400", Message: "A ping without a session id was served.",
		Sent: "ping as in the control, without Mcp-Session-Id", Expected: "status 400", Got: "status 200 with a result",
		Why:    "A client that lost its session never learns that it must initialize again.",
		Spec:   specPage + "REVISION/basic/transports#session-management",
		Remedy: "Answer 400 to every request but initialize that carries no session id.",
		Curl:   `curl -isS http://127.0.0.1:8931/mcp -d '{"jsonrpc":"2.0","id":7,"method":"ping"}'`,
		Evidence: []Evidence{exchange("no-id", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, 200,
			`{"jsonrpc":"2.0","id":7,"result":{}}`)},
	}
	for _, r := range everywhere(missing, legacyRevisions[:3]...) {
		r.Level = "SHOULD"
		if r.Revision == "2025-03-26" {
			r.Level, r.Verdict = "MUST", Fail
		}
		results = append(results, r)
	}
	results = append(results, everywhere(Result{
		ID: "session.delete", Area: "session", Transport: "streamable-http", Level: "SHOULD", Verdict: NotObserved,
		Title: "DELETE ends a session", Message: "blocked by session.missing-400", BlockedBy: "session.missing-400",
	}, legacyRevisions[:3]...)...)
	results = append(results, everywhere(Result{
		ID: "resumability.replay", Area: "resumability", Transport: "streamable-http", Level: "MUST", Verdict: NotApplicable,
		Title: "Resuming replays what was missed", Message: "the server gives its events no ids",
	}, legacyRevisions[:3]...)...)
	results = append(results, passes("tools", 9, legacyRevisions...)...)
	results = append(results, everywhere(Result{
		ID: "tools.list.unique-names", Area: "tools", Transport: "streamable-http", Level: "SHOULD", Verdict: Warn,
		Title: hostileAll, Message: "Two tools are called " + hostileMark, Sent: "tools/list, all 2 pages",
		Expected: "every name once", Got: strings.Repeat("wordwithoutanyspace", 60), Why: "The second tool cannot be called.",
		Spec: specPage + "REVISION/server/tools#tool", Remedy: "Give every tool a name of its own.",
	}, legacyRevisions[0])...)
	results = append(results, everywhere(Result{
		ID: "tools.list.annotations", Area: "tools", Transport: "streamable-http", Level: "MAY", Verdict: Note,
		Title: "Tools say whether they only read", Message: "7 of 9 tools carry no annotations, so that no client can tell which of them are safe to call without asking.",
		Expected: "annotations.readOnlyHint", Got: "none", Spec: specPage + "REVISION/server/tools#tool",
	}, legacyRevisions[:3]...)...)
	results = append(results, everywhere(Result{
		ID: "utilities.ping.promptly", Area: "utilities", Transport: "http-sse", Level: "MUST", Verdict: Error,
		Title: "Ping is answered promptly", Message: "The check panicked: index out of range [3] with length 3",
		Expected: "", Got: "", Spec: specPage + "REVISION/basic/utilities/ping",
	}, "2024-11-05")...)
	results = append(results, passes("utilities", 3, legacyRevisions...)...)
	return Finish(Report{
		Tool: Tool{"mcpcheck", "0.1.0"},
		Target: Target{
			URL:    "http://127.0.0.1:8931/mcp",
			Server: Server{hostileTitle + "evil | `server`" + hostileHTML + hostileXML + hostileBytes + hostileBidi, "1.0" + hostileColour},
			Eras:   []string{"legacy"}, Revisions: legacyRevisions,
		},
		Remarks: []string{"one session at a time: the server lets a new session end the one before",
			"the server calls itself " + hostileMark + hostileFence},
		Results: results, Started: started, DurationMS: 941, Requests: 212,
	})
}
