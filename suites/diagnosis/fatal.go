package diagnosis

import "github.com/mcpcheck/mcpcheck/report"

// fatal explains a server that the first request has ended.
func (l Look) fatal() *report.Diagnosis {
	return &report.Diagnosis{
		Kind: "gone", Seen: "the server closed the connection on " + l.Fatal + " and is gone since",
		Why: "newer clients send " + l.Fatal + " before anything else, and a server that ends on a method it does not know ends for all its clients",
		Do: "let it answer unknown methods with JSON-RPC error -32601, and start it again; behind -- mcpcheck starts it itself and goes on without " +
			"that request:" + command(l.Telling.Request.URL) + " -- COMMAND",
	}
}
