package legacy

import "github.com/mcpcheck/mcpcheck/suites/kit"

// checklist is what people go through by hand when they bring up a server of Streamable HTTP, in the order in which they do it, and
// the requirements that judge each line.
var checklist = []kit.ChecklistItem{
	{Text: "initialize assigns a session id", IDs: []string{"session.assignment"}},
	{Text: "a notification is answered 202", IDs: []string{"transport.post.notification-202"}},
	{Text: "tools/list gives the tools", IDs: []string{"tools.list.answered"}},
	{Text: "a tool call gives a result", IDs: []string{"tools.call.result-shape"}},
	{Text: "answers come as JSON or as an event stream, as Accept allows", IDs: []string{"transport.post.request-content-type", "transport.post.accept-served"}},
	{Text: "GET opens an event stream, or is 405", IDs: []string{"transport.get.sse-or-405"}},
	{Text: "a stream can be resumed with Last-Event-ID", IDs: []string{"resumability.replay", "resumability.after-last-id"}},
	{Text: "DELETE ends the session", IDs: []string{"session.delete-answered"}},
	{Text: "what comes after DELETE is answered 404", IDs: []string{"session.terminated-404"}},
	{Text: "an unsupported MCP-Protocol-Version is answered 400", IDs: []string{"version-header.unsupported-400"}},
	{Text: "a POST without Accept is answered 406 or served", IDs: []string{"transport.post.accept-enforced"}},
	{Text: "a request without session id is answered 400", IDs: []string{"session.missing-400"}},
	{Text: "an expired session is answered 404", IDs: []string{"session.expired-404"}},
}
