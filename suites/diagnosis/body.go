package diagnosis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpcheck/mcpcheck/report"
	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/revision"
	"github.com/mcpcheck/mcpcheck/wire"
)

// What the body of an answer tells: a web page, another API, JSON-RPC that is no MCP, MCP in another revision.

func (l Look) body(x *wire.Exchange) *report.Diagnosis {
	success := x.Status()/100 == 2
	switch {
	case isHTML(x):
		return &report.Diagnosis{
			Kind: "html", Seen: fmt.Sprintf("%s was answered HTTP %d with an HTML page%s", asked(x), x.Status(), titled(x)),
			Why: "this is a web page, no MCP endpoint; clients would fail to read it",
			Do:  "a login page, or a front end that answers every path, looks like this too; " + checkPath(x),
		}
	case Recognised(x):
		return l.revision(x)
	case SpeaksJSONRPC(x):
		return &report.Diagnosis{
			Kind: "no-mcp", Seen: answered(x),
			Why: "something here speaks JSON-RPC, but does not answer initialize with a result, so no client can start a session",
			Do:  "look at what the answer says; if this is no MCP server, " + checkPath(x),
		}
	case success && inFront(x) != nil:
		front := inFront(x)
		return &report.Diagnosis{
			Kind: "text-before-json", Seen: fmt.Sprintf("%s was answered HTTP %d with %d bytes in front of the JSON: %s", asked(x), x.Status(), len(front), kit.Quote(front)),
			Why: "the body as a whole is no JSON, so no client can read it, though a right answer stands in it",
			Do:  "find what writes into the response before the answer: debug output, a warning of the interpreter, a byte order mark, a template",
		}
	case success && x.Response.Body.Size() == 0 && !x.IsSSE():
		return &report.Diagnosis{
			Kind: "no-jsonrpc", Seen: answered(x),
			Why: "the request was taken and not answered; a client would wait for a response that never comes",
			Do: "answer initialize in the body of the POST; if this is where HTTP+SSE (2024-11-05) takes its messages, " +
				"give the URL of its stream, most often /sse",
		}
	case success && x.IsSSE():
		return &report.Diagnosis{
			Kind: "no-jsonrpc", Seen: asked(x) + " was answered with an event stream that ended without a response",
			Why: "a client waits for the response on that stream and gets none",
			Do:  "write the response as a message event (data: {…}) before the stream ends, and look whether a proxy cuts streams off",
		}
	case success && json.Valid(x.Response.Body.Bytes()):
		return &report.Diagnosis{
			Kind: "no-jsonrpc", Seen: answered(x),
			Why: "the answer is JSON, but no JSON-RPC message, so this is some other API; an MCP client cannot read it",
			Do:  checkPath(x),
		}
	case success && bytes.Contains(beginning(x), []byte(`"jsonrpc"`)):
		return &report.Diagnosis{
			Kind: "no-jsonrpc", Seen: answered(x),
			Why: "something here means to speak JSON-RPC, but the body as a whole is no JSON, so no client can read it",
			Do:  "find out what cuts the body off or writes into it: a limit of a proxy, a wrong Content-Length, debug output",
		}
	case success:
		return &report.Diagnosis{
			Kind: "no-jsonrpc", Seen: answered(x),
			Why: "the answer is no JSON-RPC message, so this is some other API; an MCP client cannot read it",
			Do:  checkPath(x),
		}
	}
	return &report.Diagnosis{
		Kind: "refused-request", Seen: answered(x),
		Why: "the endpoint turns away initialize, which every client begins with",
		Do:  "look at what the body says; see whether a proxy drops headers or the body of the request; and " + checkPath(x),
	}
}

// inFront returns the bytes that stand before a JSON-RPC message in a body that is no JSON because of them; nil where there are none.
func inFront(x *wire.Exchange) []byte {
	body := beginning(x)
	whole, _ := x.Decoded()
	if x.IsSSE() || json.Valid(whole) {
		return nil
	}
	for i, b := range body {
		if b != '{' {
			continue
		}
		if m := wire.ReadMessage(whole[i:]); m.Kind == wire.KindResult || m.Kind == wire.KindError {
			return body[:i]
		}
	}
	return nil
}

// revision explains an MCP server that speaks none of the revisions that are to be judged.
func (l Look) revision(x *wire.Exchange) *report.Diagnosis {
	var requested, offered string
	_ = x.RequestMessage().Decode("/params/protocolVersion", &requested)
	_ = Presentation(x).Decode("/result/protocolVersion", &offered)
	d := &report.Diagnosis{
		Kind: "revision", Seen: fmt.Sprintf("initialize with %s was answered with %s, which was not to be judged", requested, kit.Quote([]byte(offered))),
		Why: "the server speaks MCP, but none of the revisions that were to be judged",
		Do:  "see mcpcheck list for the revisions that this version judges",
	}
	if slices.Contains(l.Judged, offered) {
		d.Do = "judge the revision that it speaks:" + command(x.Request.URL, "--revision", offered)
	}
	return d
}

// modern explains a server without any revision that was to be judged, and with newer ones.
func (l Look) modern() *report.Diagnosis {
	if l.Later {
		return &report.Diagnosis{
			Kind: "modern-only", Seen: "the server speaks only revisions later than " + revision.Newest(revision.Of(revision.Modern)),
			Why: "this version of mcpcheck does not know them; older clients cannot use the server either", Do: "use a later version of mcpcheck",
		}
	}
	return &report.Diagnosis{
		Kind: "modern-only",
		Seen: fmt.Sprintf("the server speaks %s only; initialize with %s was not answered with a result", revision.Newest(revision.Of(revision.Modern)), revision.Newest(l.Asked)),
		Why:  "clients of " + strings.Join(l.Asked, ", ") + " cannot use this server: they begin with initialize, which it does not know",
		Do:   "if older clients matter, serve initialize too, as most SDKs can; else leave out --revision",
	}
}

func isHTML(x *wire.Exchange) bool {
	start := strings.ToLower(strings.TrimSpace(string(beginning(x))))
	return x.MediaType() == "text/html" || strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html")
}

// beginning is as much of a body as it takes to see what it is.
func beginning(x *wire.Exchange) []byte {
	if x.Response == nil {
		return nil
	}
	body, _ := x.Decoded()
	return body[:min(len(body), 4<<10)]
}

var titleElement = regexp.MustCompile(`(?is)<title[^>]*>([^<]+)</title>`)

// titled quotes the title of a page: it often says whose page it is.
func titled(x *wire.Exchange) string {
	if m := titleElement.FindSubmatch(beginning(x)); m != nil {
		return ", " + kit.Quote(m[1])
	}
	return ""
}
